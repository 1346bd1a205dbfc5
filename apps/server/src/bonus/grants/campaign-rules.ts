import type { BonusCampaign, CampaignRequest } from "@bourse/api";
import type { Selectable } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import { moneyText } from "../../kernel/units.ts";
import type { Settings } from "../../settings/settings.ts";
import { readText } from "../inputs.ts";
import { refusals } from "../refusals.ts";
import type { BonusCampaignTable } from "../tables.ts";
import { readAmount, readTime } from "./inputs.ts";

export type CampaignRow = Selectable<BonusCampaignTable>;
/** The parameters of a campaign. */
export type CampaignTerms = Pick<
  CampaignRow,
  "name" | "amount_micros" | "max_amount_micros" | "validity_days" | "redemption_opens_at" | "redemption_closes_at"
>;

const MAX_NAME_chars = 100;
const TEN_YEARS_ms = 3_652 * DAY_ms;
const USUAL = { name: "Launch", amount_micros: 500_000_000n, max_amount_micros: null, validity_days: 7 };

/** T13: the first campaign of production has the documented redemption window, that of development an open one. */
export function firstCampaign(environment: Settings["environment"], now: Date): CampaignTerms {
  if (environment === "production") {
    return { ...USUAL, redemption_opens_at: null, redemption_closes_at: new Date("2026-06-10T15:59:59Z") };
  }
  const redemption_closes_at = new Date(now.getTime() + TEN_YEARS_ms);
  return { ...USUAL, redemption_opens_at: now, redemption_closes_at };
}

type Window = Pick<CampaignRow, "redemption_opens_at" | "redemption_closes_at">;

/** Both ends are inclusive. */
export const isRedemptionOpen = ({ redemption_opens_at, redemption_closes_at }: Window, now: Date): boolean =>
  (redemption_opens_at === null || redemption_opens_at <= now) && now <= redemption_closes_at;

export function assertWithinCampaign({ max_amount_micros }: CampaignTerms, amount_micros: bigint): void {
  if (max_amount_micros === null || amount_micros <= max_amount_micros) return;
  throw refusals.invalidAmount(`a wallet may get at most ${moneyText(max_amount_micros)} USDT in this campaign`);
}

const FIELDS = [
  "name",
  "amount",
  "max_amount",
  "validity_days",
  "redemption_opens_at",
  "redemption_closes_at",
] as const satisfies readonly (keyof CampaignRequest)[];

/** The parameters after the change; fields that the request omits stay. */
export function changedTerms(request: CampaignRequest, before: CampaignTerms, cap_micros: bigint): CampaignTerms {
  const { name, amount, max_amount, validity_days, redemption_opens_at, redemption_closes_at } = request;
  if (FIELDS.every((field) => request[field] === undefined)) {
    throw refusals.invalidField("body", `must name one of ${FIELDS.join(", ")}`);
  }
  assertPresentCap(request.pool_cap_usdt, cap_micros);
  const terms: CampaignTerms = {
    name: name === undefined ? before.name : readText("name", name, MAX_NAME_chars),
    amount_micros: amount === undefined ? before.amount_micros : readAmount("amount", amount),
    max_amount_micros: orBefore(max_amount, before.max_amount_micros, (value) => readAmount("max_amount", value)),
    validity_days: validity_days ?? before.validity_days,
    redemption_opens_at: orBefore(redemption_opens_at, before.redemption_opens_at, (text) =>
      readTime("redemption_opens_at", text),
    ),
    redemption_closes_at:
      redemption_closes_at === undefined
        ? before.redemption_closes_at
        : readTime("redemption_closes_at", redemption_closes_at),
  };
  assertConsistent(terms);
  return terms;
}

function orBefore<In, Out>(sent: In | null | undefined, before: Out | null, read: (sent: In) => Out): Out | null {
  if (sent === undefined) return before;
  return sent === null ? null : read(sent);
}

/** The cap is a setting, not a parameter: a request may repeat the current value, and any other value is refused. */
function assertPresentCap(sent: CampaignRequest["pool_cap_usdt"], cap_micros: bigint): void {
  if (sent === undefined || readAmount("pool_cap_usdt", sent) === cap_micros) return;
  throw refusals.invalidField("pool_cap_usdt", "is the setting BONUS_POOL_CAP_USDT and cannot be changed here");
}

function assertConsistent(terms: CampaignTerms): void {
  const { amount_micros, max_amount_micros, redemption_opens_at, redemption_closes_at } = terms;
  if (max_amount_micros !== null && amount_micros > max_amount_micros) {
    throw refusals.invalidAmount("amount must not be above max_amount");
  }
  if (redemption_opens_at !== null && redemption_opens_at >= redemption_closes_at) {
    throw refusals.invalidField("redemption_closes_at", "must be after redemption_opens_at");
  }
}

/** The parameters as replies and the audit log show them. */
export function termsView(terms: CampaignTerms) {
  return {
    name: terms.name,
    amount: moneyText(terms.amount_micros),
    max_amount: terms.max_amount_micros === null ? null : moneyText(terms.max_amount_micros),
    validity_days: terms.validity_days,
    redemption_opens_at: terms.redemption_opens_at?.toISOString() ?? null,
    redemption_closes_at: terms.redemption_closes_at.toISOString(),
  };
}

export const campaignView = (row: CampaignRow, cap_micros: bigint): BonusCampaign => ({
  id: row.id,
  ...termsView(row),
  pool_cap_usdt: moneyText(cap_micros),
  created_at: row.created_at.toISOString(),
});
