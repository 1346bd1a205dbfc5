import type { AdminKol, Downline, RebateRecord } from "@bourse/api/client";

export type DownlineKind = "all" | "direct" | "sub_kol";
export type RecordStatus = "all" | "pending" | "paid";

const has = (text: string | null, wanted: string): boolean => text?.toLowerCase().includes(wanted) ?? false;

export function filterDownlines(all: readonly Downline[], kind: DownlineKind, search: string): readonly Downline[] {
  const wanted = search.trim().toLowerCase();
  return all.filter(
    ({ code_type, wallet_address }) => (kind === "all" || code_type === kind) && has(wallet_address, wanted),
  );
}

export const filterRecords = <R extends Pick<RebateRecord, "payment_status" | "downline_wallet">>(
  all: readonly R[],
  status: RecordStatus,
  search: string,
): readonly R[] => {
  const wanted = search.trim().toLowerCase();
  return all.filter(
    ({ payment_status, downline_wallet }) =>
      (status === "all" || payment_status === status) && has(downline_wallet, wanted),
  );
};

export function filterKols(all: readonly AdminKol[], search: string): readonly AdminKol[] {
  const wanted = search.trim().toLowerCase();
  return all.filter(({ wallet_address, nickname }) => has(wallet_address, wanted) || has(nickname, wanted));
}
