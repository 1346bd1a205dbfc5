import type { FailedRecipient, GrantBatchRequest, GrantForecast } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import type { Change } from "../../kit/dialog.tsx";
import { hasProblems, type Problems, problemsIn } from "../../kit/draft.ts";
import { Decimal } from "../../lib/decimal.ts";
import { formatDecimal } from "../../lib/format.ts";
import { isText, wholeIn } from "../frame/typed.ts";
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

export const MAX_RECIPIENTS = 500;
const MAX_LEVERAGE = 125;
const MAX_NAME_CHARS = 100;
const MAX_TIER_CHARS = 32;
const MAX_NOTES_CHARS = 500;

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

const leverageOf = (text: string): number | undefined => wholeIn(text, MAX_LEVERAGE);

/** What is wrong with an amount for one wallet, which the campaign may limit. */
export function amountProblem(text: string, max: string | null): string | undefined {
  const typed = readTyped(text);
  if (typed.kind === "empty") return "Give an amount.";
  if (typed.kind === "wrong") return typed.problem;
  if (max === null || Decimal.parse(typed.tokens).lte(Decimal.parse(max))) return undefined;
  return `The campaign allows at most ${sayUsdt(max)} for a wallet.`;
}

/** Everything that makes the exchange refuse the batch as a whole. Lines that are no wallets are only left out. */
export function problemsOfGrant(draft: GrantDraft, { wallets }: AddressList, max: string | null): Problems<GrantDraft> {
  const { length } = wallets;
  return problemsIn<GrantDraft>({
    name: !isText(draft.name, MAX_NAME_CHARS) && `1 to ${MAX_NAME_CHARS} characters.`,
    tier: !isText(draft.tier, MAX_TIER_CHARS) && `1 to ${MAX_TIER_CHARS} characters.`,
    amount: amountProblem(draft.amount, max),
    leverage: leverageOf(draft.leverage) === undefined && `A whole number from 1 to ${MAX_LEVERAGE}.`,
    recipients:
      (length === 0 && "Give at least one wallet.") ||
      (length > MAX_RECIPIENTS &&
        `${counted(length, "wallet")}: at most ${MAX_RECIPIENTS} in one batch. Split the list.`),
    notes: [...draft.notes].length > MAX_NOTES_CHARS && `At most ${MAX_NOTES_CHARS} characters.`,
  });
}

export type GrantInput = Omit<GrantBatchRequest, "request_id"> & { readonly per_address_amount: string };

/** What is sent; undefined while something is wrong. */
export function inputOfGrant(draft: GrantDraft, operator_addr: string, max: string | null): GrantInput | undefined {
  const list = parseAddresses(draft.recipients);
  const typed = readTyped(draft.amount);
  if (typed.kind !== "amount" || hasProblems(problemsOfGrant(draft, list, max))) return undefined;
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
  if (forecast.grants_stopped) return "Grants are stopped until the reconciliation agrees.";
  if (!forecast.within_cap) return "The pool cannot cover it: the whole batch would be refused.";
  return forecast.would_create === 0 ? "No wallet of the list would get a bonus." : undefined;
}

export const grantLabel = ({ per_address_amount }: GrantInput, { would_create }: GrantForecast): string =>
  `Grant ${sayShort(timesOf(per_address_amount, would_create))} to ${counted(would_create, "wallet")}`;

export function grantLines(input: GrantInput, forecast: GrantForecast): Change[] {
  const { would_create, would_fail, headroom_before, headroom_after } = forecast;
  return [
    { what: "Batch", after: `${input.batch_name} (${input.grant_tier})` },
    { what: "Wallets that get it", after: String(would_create) },
    { what: "Wallets that fail", after: String(would_fail.length) },
    { what: "Each", after: sayUsdt(input.per_address_amount) },
    { what: "Together", after: sayUsdt(timesOf(input.per_address_amount, would_create)) },
    { what: "Leverage at most", after: `${input.max_leverage} ×` },
    { what: "Left in the pool", before: sayUsdt(headroom_before), after: sayUsdt(headroom_after) },
  ];
}

/** Failed recipients with their line. */
export const withLines = (failed: readonly FailedRecipient[], lineOf: ReadonlyMap<string, number>) =>
  failed.map((each) => ({ ...each, line: lineOf.get(each.address.toLowerCase()) }));
