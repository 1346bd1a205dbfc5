import type { OrderPool } from "../book/order-pool.ts";
import { CodecFault } from "../codec/codec-fault.ts";
import { CONDITIONAL_FIELDS } from "../codec/command-fields.ts";
import { columnsForm, type FieldTable, recordForm, type ValueForm } from "../codec/field-table.ts";
import type { Bracket, MarketDefinition } from "../rules/market.ts";
import type { Accounts } from "../state/accounts.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { FairBonus } from "../state/fairness.ts";
import type { FundHours, FundInMarket } from "../state/fund-record.ts";
import type { MarketState } from "../state/market-state.ts";
import type { OrderDetails } from "../state/order-details.ts";
import type { Positions } from "../state/positions.ts";
import type { State, Totals } from "../state/state.ts";

/*
 * Everything that an engine remembers, as tables: the fields of each record in the order in which a snapshot has them.
 * Slots, capacities and derived values (holds, counts, open interest, client ids, queues) are left out.
 */

/** The form of records that are plain objects. −0 is the same amount as 0 and needs the same bytes. */
const stateForm = <Row>(fields: FieldTable<Row>) => recordForm(fields, { hasOneZero: true });

/** As decimal text: a total may exceed every safe integer. */
const TOTAL: ValueForm<bigint> = {
  write: (writer, total) => writer.text(String(total)),
  read(reader) {
    const text = reader.text();
    if (!/^\d+$/.test(text)) throw new CodecFault(`a total is ${JSON.stringify(text)}`);
    return BigInt(text);
  },
};

const BRACKET = stateForm<Bracket>({
  cap_micros: "number",
  maxLeverage: "number",
  maintenanceRate_e8: "number",
  cumulative_micros: "number",
});

const BRACKETS: ValueForm<readonly Bracket[]> = {
  write(writer, brackets) {
    writer.number(brackets.length);
    for (const bracket of brackets) BRACKET.write(writer, bracket);
  },
  read(reader) {
    const brackets: Bracket[] = [];
    for (let left = reader.count(); left > 0; left -= 1) brackets.push(BRACKET.read(reader));
    return brackets;
  },
};

type Counters = Pick<State, "commandNumber" | "time_ms" | "day" | "externalNumber" | "lastOrderId">;

export const COUNTERS = stateForm<Counters>({
  commandNumber: "number",
  time_ms: "number",
  day: "number",
  externalNumber: "number",
  lastOrderId: "number",
});

/** From rules version 4 on. */
export const RULES = stateForm<Pick<State, "rulesVersion" | "externalDigest" | "referencesFrom">>({
  rulesVersion: "number",
  externalDigest: "text",
  referencesFrom: "number",
});

export const TOTALS = stateForm<Omit<Totals, "addFees">>({
  deposits_micros: TOTAL,
  withdrawals_micros: TOTAL,
  payouts_micros: TOTAL,
  seeds_micros: TOTAL,
  granted_micros: TOTAL,
  returned_micros: TOTAL,
  feeAccount_micros: "number",
});

/** From rules version 5 on its rules follow. */
export const MARKET_DEFINITION = stateForm<Omit<MarketDefinition, "rules">>({
  symbol: "text",
  tickSize_e8: "number",
  lotSize_e8: "number",
  minNotional_micros: "number",
  maxNotional_micros: "number",
  percentPrice_e8: "number",
  marketBound_e8: "number",
  liquidationFee_e8: "number",
  defaultLeverage: "number",
  maxOpenOrders: "number",
  maxConditionalOrders: "number",
  brackets: BRACKETS,
});

type MarketFigures = Pick<MarketState, "status" | "markTicks" | "indexTicks" | "lastTicks" | "trades" | "fundingHour">;

export const MARKET_FIGURES = stateForm<MarketFigures>({
  status: "number",
  markTicks: "number",
  indexTicks: "number",
  lastTicks: "number",
  trades: "number",
  fundingHour: "signed",
});

/** From rules version 5 on, after the rules. The seconds of its index follow. */
export const MARKET_FUND = stateForm<Omit<FundInMarket, "isCapped">>({
  realised_micros: "signed",
  worthAtStart_micros: "signed",
  since_ms: "number",
  unwound_s: "signed",
  cappedUntil_ms: "number",
  isStopped: "flag",
});

/** From rules version 5 on. The highest equities follow. */
export const FUND_HOURS = stateForm<Pick<FundHours, "hour" | "start_micros">>({
  hour: "number",
  start_micros: "signed",
});

/** From rules version 5 on, behind the account's number. */
export const FAIR_BONUS = stateForm<FairBonus>({
  grant_micros: "number",
  slip_micros: "number",
  own_micros: "number",
  owed_micros: "number",
});

/** Each account is followed by its daily volumes: see `StateWriter`. */
export const ACCOUNTS = columnsForm<Accounts>()({
  principal: "signed",
  bonus: "number",
  inFlight: "number",
  consumed: "number",
  locked: "number",
  expires_ms: "number",
  termsVersion: "number",
  termsLeader: "number",
  tier: "number",
  discount_bps: "number",
  bonusState: "number",
  bonusLeverage: "number",
  lastingFlags: "number",
});

/** The entries of accounts. */
export const POSITIONS = columnsForm<Positions>()({
  account: "number",
  market: "number",
  lots: "signed",
  cost: "signed",
  isolated: "signed",
  leverage: "number",
  mode: "number",
  isCalled: "flag",
});

/** Account and market are those of the position. */
export const ORDERS = columnsForm<OrderPool>()({
  id: "number",
  position: "number",
  side: "number",
  ticks: "number",
  originalLots: "number",
  remainingLots: "number",
  quote_micros: "number",
  flags: "number",
});

/** Follows each order, before its client id if it has one. */
export const ORDER_DETAILS = columnsForm<OrderDetails>()({
  created_ms: "number",
  age_ms: "number",
  conditional: "number",
});

/** From rules version 6 on, behind the details of an order. */
export const ORDER_TERMS = columnsForm<OrderDetails>()({ goodTill_ms: "number", priceMatch: "number" });

export type OrderDetailsRow = ReturnType<(typeof ORDER_DETAILS)["rowOf"]> & ReturnType<(typeof ORDER_TERMS)["rowOf"]>;

type ConditionalTerms = Pick<Conditional, "goodTill_ms" | "priceMatch">;

/** From rules version 6 on, behind the tries of a conditional order. */
export const CONDITIONAL_TERMS = stateForm<ConditionalTerms>({ goodTill_ms: "number", priceMatch: "number" });

/** Account and market are those of the position. From rules version 5 on its tries follow. */
export const CONDITIONALS = stateForm<Omit<Conditional, "account" | "market" | "tries" | keyof ConditionalTerms>>({
  id: "number",
  position: "number",
  ...CONDITIONAL_FIELDS,
  parent: "number",
  clientId: "text",
  created_ms: "number",
  isAsleep: "flag",
  bestTicks: "number",
});
