import type { AdminKol, BdAccount } from "@bourse/api/client";
import { staffApi } from "../../session/session.ts";
import { useAdmin } from "../frame/write.ts";

/** As a BD's id: no BD. */
export const COMPANY = "__company__";

/** Without a BD the server lists this many of the newest. */
export const NEWEST_KOLS = 200;

export const useBds = () => useAdmin(["bds"], (call) => staffApi.brokerAdmin.bds(call));

/** All KOLs of a BD or of the company; without one the newest of everyone. */
export const useKols = (bdId?: string) =>
  useAdmin(["kols", bdId ?? "newest"], (call) => staffApi.brokerAdmin.kols({ bd_id: bdId }, call));

export const useTiers = () =>
  useAdmin(["tiers"], async (call) => (await staffApi.brokerAdmin.tierThresholds(call)).tiers);

export const nameOfBd = (bds: readonly BdAccount[], id: string | null): string => {
  if (id === null || id === COMPANY) return "The company";
  return bds.find((bd) => bd.id === id)?.display_name ?? `BD ${id.slice(0, 8)}`;
};

export const nameOfKol = ({ nickname, wallet_address }: Pick<AdminKol, "nickname" | "wallet_address">): string =>
  nickname ?? `${wallet_address.slice(0, 6)}…${wallet_address.slice(-4)}`;
