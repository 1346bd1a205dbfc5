import type { Command } from "@bourse/engine";

/** What a field may hold. */
type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

interface Shape {
  readonly fields: Readonly<Record<string, Check>>;
  /** The condition on all fields together, checked once each field is valid. */
  readonly together?: (fields: Fields) => boolean;
}

const MAX_TICKS = 2 ** 24 - 1;
const MAX_LOTS = 2 ** 43;
const MAX_AMOUNT_micros = 1e15;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** −0 is not valid: it would differ from 0 in events and hashes. */
const whole =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max && !Object.is(value, -0);
const isBoolean: Check = (value) => typeof value === "boolean";
const isClientId: Check = (value) => typeof value === "string" && value.length <= 36;
const isAnything: Check = () => true;

export const isAccountNumber = whole(1, 2 ** 24);
export const isTime_ms = whole(0, 8.64e15);
export const isCommandNumber = whole(1, MAX_SAFE);

const isMarket = whole(0, 4095);
const isTicks = whole(1, MAX_TICKS);
const isTicksOr0 = whole(0, MAX_TICKS);
const isAmount = whole(1, MAX_AMOUNT_micros);
const isSide = whole(0, 1);
const isTimeInForce = whole(0, 3);
const isPrevention = whole(0, 3);

/** From rules version 6 on; absent is 0. */
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isPriceMatch = orAbsent(whole(0, 8));
const TERMS = { goodTill_ms: orAbsent(whole(0, 8.64e15)), priceMatch: isPriceMatch };

/** Whether a command asks for what the rules know from version 6 on. */
export function hasTerms(fields: Fields): boolean {
  const known = Object.keys(TERMS).filter((name) => hasField(fields["kind"], name));
  return known.some((name) => fields[name] !== undefined && fields[name] !== 0);
}

/** FUT-25: only what would rest for ever has an end. */
function isEndFine({ goodTill_ms = 0, timeInForce }: Fields): boolean {
  return goodTill_ms === 0 || timeInForce === 0;
}

const isAttachedOrNull: Check = (value) => {
  if (value === null) return true;
  if (typeof value !== "object") return false;
  const { triggerTicks, ticks, workingType } = value as Fields;
  return isTicks(triggerTicks) && isTicksOr0(ticks) && whole(0, 1)(workingType);
};

const ACCOUNT = { account: isAccountNumber };
const NUMBERED = { number: isCommandNumber };
const AMOUNT = { amount_micros: isAmount };
const OF_BONUS = { ...NUMBERED, ...ACCOUNT };

/** Section 4, step 1. */
function isOrderWhole(fields: Fields): boolean {
  const { priceMatch = 0 } = fields;
  const isMarketOrder = fields["type"] === 1;
  const isPriceFine = isMarketOrder
    ? fields["ticks"] === 0 && priceMatch === 0 && fields["timeInForce"] === 1
    : (fields["ticks"] !== 0) === (priceMatch === 0) && fields["maxSlippage_e8"] === -1;
  const hasAttached = fields["takeProfit"] !== null || fields["stopLoss"] !== null;
  const isSizeFine = fields["lots"] === 0 || fields["quote_micros"] === 0;
  return isPriceFine && isSizeFine && isEndFine(fields) && !(hasAttached && fields["isReduceOnly"] === true);
}

/** Section 6. */
function isConditionalWhole(fields: Fields): boolean {
  const { lots, ticks, triggerTicks, activateTicks, callback_bps, isClosePosition, isReduceOnly } = fields;
  const { goodTill_ms = 0, priceMatch = 0 } = fields;
  const isMarketOrder = ticks === 0 && priceMatch === 0;
  if (ticks !== 0 && priceMatch !== 0) return false;
  if (!isEndFine(fields) || (isMarketOrder && goodTill_ms !== 0)) return false;
  if (isClosePosition === true ? lots !== 0 || !isMarketOrder || isReduceOnly === true : lots === 0) return false;
  if (fields["type"] === 2) return isMarketOrder && triggerTicks === 0 && whole(10, 1000)(callback_bps);
  return triggerTicks !== 0 && activateTicks === 0 && callback_bps === 0;
}

const SHAPES: Readonly<Record<Command["kind"], Shape>> = {
  place_order: {
    fields: {
      ...ACCOUNT,
      market: isMarket,
      side: isSide,
      type: whole(0, 1),
      timeInForce: isTimeInForce,
      ticks: isTicksOr0,
      lots: whole(0, MAX_LOTS),
      quote_micros: whole(0, MAX_AMOUNT_micros),
      isReduceOnly: isBoolean,
      selfTradePrevention: isPrevention,
      clientId: isClientId,
      maxSlippage_e8: whole(-1, 1e8),
      takeProfit: isAttachedOrNull,
      stopLoss: isAttachedOrNull,
      ...TERMS,
    },
    together: isOrderWhole,
  },
  place_conditional: {
    fields: {
      ...ACCOUNT,
      market: isMarket,
      side: isSide,
      type: whole(0, 2),
      ticks: isTicksOr0,
      timeInForce: isTimeInForce,
      lots: whole(0, MAX_LOTS),
      triggerTicks: isTicksOr0,
      activateTicks: isTicksOr0,
      callback_bps: whole(0, 1000),
      workingType: whole(0, 1),
      isReduceOnly: isBoolean,
      isClosePosition: isBoolean,
      isPriceProtected: isBoolean,
      keepsId: isBoolean,
      selfTradePrevention: isPrevention,
      clientId: isClientId,
      ...TERMS,
    },
    together: isConditionalWhole,
  },
  cancel_order: { fields: { ...ACCOUNT, order: whole(0, MAX_SAFE), clientId: isClientId, scope: whole(1, 3) } },
  cancel_all: { fields: { ...ACCOUNT, market: whole(-1, 4095), scope: whole(1, 3) } },
  modify_order: {
    fields: {
      ...ACCOUNT,
      order: whole(0, MAX_SAFE),
      clientId: isClientId,
      side: whole(-1, 1),
      ticks: isTicksOr0,
      lots: whole(1, MAX_LOTS),
      priceMatch: isPriceMatch,
    },
    together: ({ ticks, priceMatch = 0 }) => (ticks !== 0) === (priceMatch === 0),
  },
  set_leverage: { fields: { ...ACCOUNT, market: isMarket, leverage: whole(-MAX_SAFE, MAX_SAFE) } },
  set_margin_mode: { fields: { ...ACCOUNT, market: isMarket, mode: whole(0, 1) } },
  move_isolated_margin: {
    fields: { ...ACCOUNT, market: isMarket, amount_micros: whole(-MAX_AMOUNT_micros, MAX_AMOUNT_micros) },
    together: (fields) => fields["amount_micros"] !== 0,
  },
  set_price: { fields: { market: isMarket, indexTicks: isTicks, markTicks: isTicks } },
  apply_funding: { fields: { market: isMarket, rate_e8: whole(-MAX_SAFE, MAX_SAFE), hour: whole(0, MAX_SAFE) } },
  advance_time: { fields: {} },
  open_account: { fields: ACCOUNT },
  add_market: { fields: { definition: isAnything } },
  set_market_rules: {
    fields: { market: isMarket, rules: (value) => typeof value === "object" && value !== null },
  },
  set_market_status: { fields: { market: isMarket, status: whole(0, 2) } },
  expire_bonus: { fields: ACCOUNT },
  close_expired_bonus: { fields: ACCOUNT },
  deposit: { fields: { ...OF_BONUS, ...AMOUNT } },
  hold_withdrawal: { fields: { ...OF_BONUS, ...AMOUNT } },
  settle_withdrawal: { fields: { ...OF_BONUS, ...AMOUNT, isDone: isBoolean } },
  grant_bonus: {
    fields: { ...OF_BONUS, ...AMOUNT, maxLeverage: whole(1, 1_000_000), expires_ms: whole(1, 8.64e15) },
  },
  freeze_bonus: { fields: OF_BONUS },
  unfreeze_bonus: { fields: OF_BONUS },
  recall_bonus: { fields: OF_BONUS },
  set_terms: { fields: { ...OF_BONUS, version: whole(0, MAX_SAFE) } },
  follow_terms: { fields: { ...OF_BONUS, leader: isAccountNumber } },
  set_discount: { fields: { ...OF_BONUS, discount_bps: whole(0, 10_000) } },
  seed_fund: { fields: { ...NUMBERED, ...AMOUNT } },
  pay_out: { fields: { ...NUMBERED, ...AMOUNT } },
  return_payout: { fields: { ...NUMBERED, ...AMOUNT } },
  set_rules_version: { fields: { ...NUMBERED, version: whole(1, MAX_SAFE) } },
  commit_wallet: { fields: OF_BONUS },
  note: { fields: NUMBERED },
};

/** LOG-1: from rules version 4 on. */
export function isStampFine({ reference = "", details = "", commitment = "" }: Fields): boolean {
  if (typeof reference !== "string" || typeof details !== "string" || typeof commitment !== "string") return false;
  return reference.length <= 200 && (commitment === "" || /^[0-9a-f]{64}$/.test(commitment));
}

/** Commands that may come from the outside world and then have a number, and need none otherwise. */
export const isNumberOptional = (kind: unknown): boolean =>
  kind === "open_account" || kind === "add_market" || kind === "set_market_status" || kind === "set_market_rules";

/** Whether commands of a kind have this field; what else they carry is not looked at. */
export function hasField(kind: unknown, name: string): boolean {
  return isKind(kind) && SHAPES[kind].fields[name] !== undefined;
}

function isKind(kind: unknown): kind is Command["kind"] {
  return typeof kind === "string" && Object.hasOwn(SHAPES, kind);
}

/** Checks every field of the command, then all together. */
export function areFieldsFine(command: Fields): command is Command & Fields {
  const { kind } = command;
  if (!isKind(kind)) return false;
  const { fields, together } = SHAPES[kind];
  const areEachFine = Object.entries(fields).every(([name, check]) => check(command[name]));
  return areEachFine && (together?.(command) ?? true);
}
