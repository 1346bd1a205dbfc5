import type { PublicConfig } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../session/session.ts";

export const configQuery = {
  queryKey: ["config"],
  queryFn: () => api.operations.config(),
  staleTime: Number.POSITIVE_INFINITY,
} as const;

/** The server's public configuration: chain, contracts, whether it is a development server. */
export const useConfig = (): PublicConfig | undefined => useQuery(configQuery).data;
export const useIsDevelopment = (): boolean => useConfig()?.env === "development";
