import type { FailedRecipient, GrantBatchRequest, GrantForecast } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import type { Change } from "../../kit/dialog.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { formatDecimal } from "../../lib/format.ts";
import { counted } from "../frame/words.ts";
import { type AddressList, parseAddresses } from "./addresses.ts";

/** A batch of grants as it is typed. */
export interface GrantDraft {
  readonly name: string;
  readonly tier: string;
  readonly amount: string;
  readonly leverage: string;
  readonly recipients: string;
  readonly notes: string;
}

export type GrantField = keyof GrantDraft;
export type GrantProblems = Readonly<Partial<Record<GrantField, string>>>;

export const MOST_RECIPIENTS = 500;
const MOST_LEVERAGE = 125;
const MOST_NAME_CHARS = 100;
const MOST_TIER_CHARS = 32;
const MOST_NOTES_CHARS = 500;

export const EMPTY_GRANT: GrantDraft = {
  name: "",
  tier: "COMMUNITY",
  amount: "",
  leverage: "10",
  recipients: "",
  notes: "",
};

/** USDT for a reader: two decimals unless more are needed to tell the amount. */
export function sayUsdt(amount: string): string {
  const decimals = Math.max(2, Decimal.parse(amount).toString().split(".")[1]?.length ?? 0);
  return `${formatDecimal(amount, { decimals })} USDT`;
}

/** "12,500 USDT": on buttons the zeros behind the point only distract. */
export const sayShort = (amount: string): string => `${formatDecimal(Decimal.parse(amount).toString())} USDT`;

export const timesOf = (amount: string, count: number): string =>
  Decimal.parse(amount)
    .mul(Decimal.parse(String(count)))
    .toString();

const isText = (text: string, most_chars: number) => {
  const { length } = [...text.trim()];
  return length >= 1 && length <= most_chars;
};

const leverageOf = (text: string): number | undefined => {
  const leverage = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return leverage >= 1 && leverage <= MOST_LEVERAGE ? leverage : undefined;
};

/** Of an amount for one wallet, which the campaign may bound. */
export function amountProblem(text: string, most: string | null): string | undefined {
  const typed = readTyped(text);
  if (typed.kind === "empty") return "Give an amount.";
  if (typed.kind === "wrong") return typed.problem;
  if (most === null || Decimal.parse(typed.tokens).lte(Decimal.parse(most))) return undefined;
  return `The campaign allows at most ${sayUsdt(most)} for a wallet.`;
}

/** Everything that the exchange would refuse as a whole. Lines that are no wallets are left out and no problem. */
export function problemsOfGrant(draft: GrantDraft, list: AddressList, most: string | null): GrantProblems {
  const amount = amountProblem(draft.amount, most);
  const { length } = list.wallets;
  return {
    ...(isText(draft.name, MOST_NAME_CHARS) ? {} : { name: `1 to ${MOST_NAME_CHARS} characters.` }),
    ...(isText(draft.tier, MOST_TIER_CHARS) ? {} : { tier: `1 to ${MOST_TIER_CHARS} characters.` }),
    ...(amount === undefined ? {} : { amount }),
    ...(leverageOf(draft.leverage) === undefined ? { leverage: `A whole number from 1 to ${MOST_LEVERAGE}.` } : {}),
    ...(length === 0 ? { recipients: "Give at least one wallet." } : {}),
    ...(length > MOST_RECIPIENTS
      ? { recipients: `${counted(length, "wallet")}: at most ${MOST_RECIPIENTS} in one batch. Split the list.` }
      : {}),
    ...([...draft.notes].length > MOST_NOTES_CHARS ? { notes: `At most ${MOST_NOTES_CHARS} characters.` } : {}),
  };
}

export type GrantWish = Omit<GrantBatchRequest, "request_id"> & { readonly per_address_amount: string };

/** What is sent; undefined while something is wrong. */
export function wishOf(draft: GrantDraft, operator_addr: string, most: string | null): GrantWish | undefined {
  const list = parseAddresses(draft.recipients);
  const typed = readTyped(draft.amount);
  if (typed.kind !== "amount" || Object.keys(problemsOfGrant(draft, list, most)).length > 0) return undefined;
  return {
    batch_name: draft.name.trim(),
    grant_tier: draft.tier.trim(),
    per_address_amount: typed.tokens,
    max_leverage: leverageOf(draft.leverage) ?? 0,
    recipients: [...list.wallets],
    operator_addr,
    notes: draft.notes.trim() === "" ? null : draft.notes.trim(),
  };
}

/** What keeps a batch from being granted after its dry run; undefined where nothing does. */
export function obstacleOf(forecast: GrantForecast): string | undefined {
  if (forecast.grants_stopped) return "No grants are made until the books agree. Look at the reconciliation.";
  if (!forecast.within_cap) return "The pool does not reach for it: the whole batch would be refused.";
  return forecast.would_create === 0 ? "Nobody of the list would get a bonus." : undefined;
}

export const grantLabel = ({ per_address_amount }: GrantWish, { would_create }: GrantForecast): string =>
  `Grant ${sayShort(timesOf(per_address_amount, would_create))} to ${counted(would_create, "wallet")}`;

export function grantLines(wish: GrantWish, forecast: GrantForecast): Change[] {
  const { would_create, would_fail, headroom_before, headroom_after } = forecast;
  return [
    { what: "Batch", after: `${wish.batch_name} (${wish.grant_tier})` },
    { what: "Wallets that get it", after: String(would_create) },
    { what: "Wallets that fail", after: String(would_fail.length) },
    { what: "Each", after: sayUsdt(wish.per_address_amount) },
    { what: "Together", after: sayUsdt(timesOf(wish.per_address_amount, would_create)) },
    { what: "Leverage at most", after: `${wish.max_leverage} ×` },
    { what: "Left in the pool", before: sayUsdt(headroom_before), after: sayUsdt(headroom_after) },
  ];
}

/** Failed recipients with the line they stand in. */
export const withLines = (failed: readonly FailedRecipient[], lineOf: ReadonlyMap<string, number>) =>
  failed.map((each) => ({ ...each, line: lineOf.get(each.address.toLowerCase()) }));
