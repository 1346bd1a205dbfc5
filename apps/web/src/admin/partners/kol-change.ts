import type { AdminKol, KolChangeRequest } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { fractionOfTyped, percentText } from "../frame/percent.ts";

const MAX_NICKNAME = 40;

/** What the form of a KOL holds, as typed. */
export interface KolDraft {
  readonly nickname: string;
  readonly level: string;
  /** In per cent. */
  readonly rate: string;
}

export const draftOfKol = ({ nickname, level, rebate_rate }: AdminKol): KolDraft => ({
  nickname: nickname ?? "",
  level: level === null ? "" : String(level),
  rate: percentText(rebate_rate),
});

export function problemOfNickname(text: string): string | undefined {
  return text.trim().length <= MAX_NICKNAME ? undefined : `Give at most ${MAX_NICKNAME} characters.`;
}

export const problemOfRate = (percent: string): string | undefined =>
  fractionOfTyped(percent) === undefined ? "Give 0 to 100 % with at most 4 decimals." : undefined;

/** Only what differs: fields that are not sent do not change. A sub-KOL's terms are its parent's. */
export function changeOfKol(kol: AdminKol, draft: KolDraft): Omit<KolChangeRequest, "reason" | "status"> {
  const nickname = draft.nickname.trim() === "" ? null : draft.nickname.trim();
  const named = nickname === kol.nickname ? {} : { nickname };
  if (kol.parent_broker !== null) return named;
  const rate = fractionOfTyped(draft.rate);
  const isOtherRate = rate !== undefined && !Decimal.parse(rate).equals(Decimal.parse(kol.rebate_rate));
  const level = Number(draft.level);
  return {
    ...named,
    ...(draft.level !== "" && level !== kol.level ? { level } : {}),
    ...(isOtherRate ? { rebate_rate: rate } : {}),
  };
}

/** Rows whose name, wallet or id contains the text. */
export function findKols(kols: readonly AdminKol[], text: string): readonly AdminKol[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return kols;
  return kols.filter(({ nickname, wallet_address, broker_id, parent_broker }) =>
    [nickname, wallet_address, broker_id, parent_broker].some((field) => field?.toLowerCase().includes(wanted)),
  );
}
