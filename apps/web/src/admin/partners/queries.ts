import type { AdminKol, BdAccount } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";

/** As a BD's id: no BD. */
export const COMPANY = "__company__";

/** Without a BD the server lists the newest so many. */
export const NEWEST_KOLS = 200;

export const useBds = () =>
  useQuery({ queryKey: [ADMIN, "bds"], queryFn: ({ signal }) => staffApi.brokerAdmin.bds({ signal }) });

/** All KOLs of a BD or of the company; without one the newest of everyone. */
export const useKols = (bdId?: string) =>
  useQuery({
    queryKey: [ADMIN, "kols", bdId ?? "newest"],
    queryFn: ({ signal }) => staffApi.brokerAdmin.kols({ bd_id: bdId }, { signal }),
  });

export const useTiers = () =>
  useQuery({
    queryKey: [ADMIN, "tiers"],
    queryFn: async ({ signal }) => (await staffApi.brokerAdmin.tierThresholds({ signal })).tiers,
  });

export const nameOfBd = (bds: readonly BdAccount[], id: string | null): string => {
  if (id === null || id === COMPANY) return "The company";
  return bds.find((bd) => bd.id === id)?.display_name ?? `BD ${id.slice(0, 8)}`;
};

export const nameOfKol = ({ nickname, wallet_address }: Pick<AdminKol, "nickname" | "wallet_address">): string =>
  nickname ?? `${wallet_address.slice(0, 6)}…${wallet_address.slice(-4)}`;
