import type { AdminKol, KolChangeRequest } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { fractionOfTyped, percentText } from "../frame/percent.ts";

const MOST_NICKNAME = 40;

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
  return text.trim().length <= MOST_NICKNAME ? undefined : `Give at most ${MOST_NICKNAME} characters.`;
}

export const problemOfRate = (percent: string): string | undefined =>
  fractionOfTyped(percent) === undefined ? "Give 0 to 100 % with at most 4 decimals." : undefined;

/** Only what is another than before: fields that are not sent stay as they are. A sub-KOL's terms are its parent's. */
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

/** Rows whose name, wallet or id holds what is looked for. */
export function findKols(kols: readonly AdminKol[], text: string): readonly AdminKol[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return kols;
  return kols.filter(({ nickname, wallet_address, broker_id, parent_broker }) =>
    [nickname, wallet_address, broker_id, parent_broker].some((field) => field?.toLowerCase().includes(wanted)),
  );
}
