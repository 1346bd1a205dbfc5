import type { AttachedTrigger, Command, ConditionalTerms, OrderTerms } from "../contract/commands.ts";
import type { MarketRules } from "../rules/market-rules.ts";
import { DEFINITION_FORM } from "./definition-codec.ts";
import { type FieldTable, optionalForm, recordForm, type ValueForm } from "./field-table.ts";

export type CommandKind = Command["kind"];
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>;

type OptionalKeys<Row> = { [Key in keyof Row]-?: undefined extends Row[Key] ? Key : never }[keyof Row];
/** The fields of codec version 1; the stamp of the outside world, which is optional, is written by version 2. */
type Own<Each extends Command> = Omit<Each, "kind" | OptionalKeys<Each>>;

interface CommandTable<Each extends Command> {
  /**
   * The number of the kind in logs. Logs outlive programs: a number never changes its meaning, new kinds get new
   * numbers.
   */
  readonly number: number;
  readonly fields: FieldTable<Own<Each>>;
}

const TRIGGER_FIELDS: FieldTable<AttachedTrigger> = { triggerTicks: "number", ticks: "number", workingType: "number" };
export const TRIGGER_FORM = optionalForm(recordForm(TRIGGER_FIELDS), "an attached trigger");

/** In logs and in snapshots. */
const MARKET_RULES: FieldTable<MarketRules> = {
  markClamp_e8: "number",
  impactNotional_micros: "number",
  priceBand_e8: "number",
  marketBound_e8: "number",
  triggeredBound_e8: "number",
  triggerClamp_e8: "number",
  liquidationBound_e8: "number",
  unwindBound_e8: "number",
  stressBound_e8: "number",
  fundInventory_e8: "number",
  fundOutflow_e8: "number",
  fairBound_e8: "number",
  openInterestFactor: "number",
};
export const MARKET_RULES_FORM = recordForm(MARKET_RULES);

/** In logs and in snapshots. */
export const CONDITIONAL_FIELDS: FieldTable<
  Omit<ConditionalTerms, "account" | "market" | "clientId" | keyof OrderTerms>
> = {
  side: "number",
  type: "number",
  ticks: "number",
  timeInForce: "number",
  lots: "number",
  triggerTicks: "number",
  activateTicks: "number",
  callback_bps: "number",
  workingType: "number",
  isReduceOnly: "flag",
  isClosePosition: "flag",
  isPriceProtected: "flag",
  keepsId: "flag",
  selfTradePrevention: "number",
};

const TIMED = { time_ms: "number" } as const;
const OF_ACCOUNT = { ...TIMED, account: "number" } as const;
const OF_SYMBOL = { ...OF_ACCOUNT, market: "number" } as const;
/** External commands carry a number of their own. */
const NUMBERED = { ...TIMED, number: "number" } as const;
const NUMBERED_ACCOUNT = { ...NUMBERED, account: "number" } as const;

/**
 * The forms of all commands: each kind with its fields in the order in which they are written. Codes and numbers are
 * written unchecked, because a log may hold refused commands.
 */
export const COMMAND_TABLES: { readonly [Kind in CommandKind]: CommandTable<CommandOf<Kind>> } = {
  place_order: {
    number: 1,
    fields: {
      ...OF_SYMBOL,
      side: "number",
      type: "number",
      timeInForce: "number",
      ticks: "number",
      lots: "number",
      quote_micros: "number",
      isReduceOnly: "flag",
      selfTradePrevention: "number",
      clientId: "text",
      maxSlippage_e8: "signed",
      takeProfit: TRIGGER_FORM,
      stopLoss: TRIGGER_FORM,
    },
  },
  cancel_order: { number: 2, fields: { ...OF_ACCOUNT, order: "number", clientId: "text", scope: "number" } },
  modify_order: {
    number: 3,
    fields: { ...OF_ACCOUNT, order: "number", clientId: "text", side: "signed", ticks: "number", lots: "number" },
  },
  cancel_all: { number: 4, fields: { ...OF_ACCOUNT, market: "signed", scope: "number" } },
  place_conditional: { number: 5, fields: { ...OF_SYMBOL, ...CONDITIONAL_FIELDS, clientId: "text" } },
  set_leverage: { number: 6, fields: { ...OF_SYMBOL, leverage: "number" } },
  set_margin_mode: { number: 7, fields: { ...OF_SYMBOL, mode: "number" } },
  move_isolated_margin: { number: 8, fields: { ...OF_SYMBOL, amount_micros: "signed" } },
  set_price: { number: 9, fields: { ...TIMED, market: "number", indexTicks: "number", markTicks: "number" } },
  apply_funding: { number: 10, fields: { ...TIMED, market: "number", rate_e8: "signed", hour: "number" } },
  advance_time: { number: 11, fields: TIMED },
  open_account: { number: 12, fields: OF_ACCOUNT },
  add_market: { number: 13, fields: { ...TIMED, definition: DEFINITION_FORM } },
  set_market_status: { number: 14, fields: { ...TIMED, market: "number", status: "number" } },
  expire_bonus: { number: 15, fields: OF_ACCOUNT },
  close_expired_bonus: { number: 16, fields: OF_ACCOUNT },
  deposit: { number: 17, fields: { ...NUMBERED_ACCOUNT, amount_micros: "number" } },
  hold_withdrawal: { number: 18, fields: { ...NUMBERED_ACCOUNT, amount_micros: "number" } },
  settle_withdrawal: { number: 19, fields: { ...NUMBERED_ACCOUNT, amount_micros: "number", isDone: "flag" } },
  grant_bonus: {
    number: 20,
    fields: { ...NUMBERED_ACCOUNT, amount_micros: "number", maxLeverage: "number", expires_ms: "number" },
  },
  freeze_bonus: { number: 21, fields: NUMBERED_ACCOUNT },
  unfreeze_bonus: { number: 22, fields: NUMBERED_ACCOUNT },
  recall_bonus: { number: 23, fields: NUMBERED_ACCOUNT },
  set_terms: { number: 24, fields: { ...NUMBERED_ACCOUNT, version: "number" } },
  set_discount: { number: 25, fields: { ...NUMBERED_ACCOUNT, discount_bps: "number" } },
  seed_fund: { number: 26, fields: { ...NUMBERED, amount_micros: "number" } },
  pay_out: { number: 27, fields: { ...NUMBERED, amount_micros: "number" } },
  return_payout: { number: 28, fields: { ...NUMBERED, amount_micros: "number" } },
  follow_terms: { number: 29, fields: { ...NUMBERED_ACCOUNT, leader: "number" } },
  set_rules_version: { number: 30, fields: { ...NUMBERED, version: "number" } },
  commit_wallet: { number: 31, fields: NUMBERED_ACCOUNT },
  note: { number: 32, fields: NUMBERED },
  set_market_rules: { number: 33, fields: { ...TIMED, market: "number", rules: MARKET_RULES_FORM } },
};

/** A number that may be absent, which is 0. */
const NUMBER_OR_NONE: ValueForm<number | undefined> = {
  write: (writer, value) => writer.number(value === undefined ? 0 : value),
  read: (reader) => reader.number(),
};

/** −0 is no valid value, and stays what it is. */
const isNone = (value: number | undefined): boolean => value === undefined || Object.is(value, 0);

const hasTerms = ({ goodTill_ms, priceMatch }: OrderTerms): boolean => !isNone(goodTill_ms) || !isNone(priceMatch);

/** The forms of commands that have one of the fields that came with rules version 6; the others keep their bytes. */
export const COMMANDS_WITH_TERMS = {
  place_order: {
    number: 34,
    isMeant: hasTerms,
    fields: { ...COMMAND_TABLES.place_order.fields, goodTill_ms: NUMBER_OR_NONE, priceMatch: NUMBER_OR_NONE },
  },
  modify_order: {
    number: 35,
    isMeant: ({ priceMatch }: OrderTerms) => !isNone(priceMatch),
    fields: { ...COMMAND_TABLES.modify_order.fields, priceMatch: NUMBER_OR_NONE },
  },
  place_conditional: {
    number: 36,
    isMeant: hasTerms,
    fields: { ...COMMAND_TABLES.place_conditional.fields, goodTill_ms: NUMBER_OR_NONE, priceMatch: NUMBER_OR_NONE },
  },
} as const;

export const COMMAND_KINDS = Object.keys(COMMAND_TABLES) as readonly CommandKind[];
