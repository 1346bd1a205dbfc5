import { RequestRefused } from "@bourse/api/client";
import { QueryClient } from "@tanstack/react-query";

const RETRIES = 3;

/** A refusal is an answer: only a missing reply or a server error is worth a retry. */
const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof RequestRefused) || error.status === 408 || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      refetchOnWindowFocus: true,
    },
  },
});
