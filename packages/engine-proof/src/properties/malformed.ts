import { type Command, defaultRules, FIRST_MARKETS } from "@bourse/engine";
import fc from "fast-check";

const AT = { time_ms: 1_780_300_000_000, account: 2 } as const;
const NUMBERED = { ...AT, number: 1_000_000 } as const;

/** One valid command of each kind. */
const SENSIBLE: { readonly [Kind in Command["kind"]]: Extract<Command, { kind: Kind }> } = {
  place_order: {
    kind: "place_order",
    ...AT,
    market: 0,
    side: 0,
    type: 0,
    timeInForce: 0,
    ticks: 600_000,
    lots: 1,
    quote_micros: 0,
    isReduceOnly: false,
    selfTradePrevention: 0,
    clientId: "a",
    maxSlippage_e8: -1,
    takeProfit: { triggerTicks: 620_000, ticks: 0, workingType: 0 },
    stopLoss: null,
  },
  place_conditional: {
    kind: "place_conditional",
    ...AT,
    market: 0,
    side: 0,
    type: 0,
    ticks: 0,
    timeInForce: 0,
    lots: 1,
    triggerTicks: 900_000,
    activateTicks: 0,
    callback_bps: 0,
    workingType: 1,
    isReduceOnly: false,
    isClosePosition: false,
    isPriceProtected: false,
    keepsId: false,
    selfTradePrevention: 0,
    clientId: "",
  },
  cancel_order: { kind: "cancel_order", ...AT, order: 40, clientId: "", scope: 3 },
  cancel_all: { kind: "cancel_all", ...AT, market: -1, scope: 3 },
  modify_order: { kind: "modify_order", ...AT, order: 40, clientId: "", side: -1, ticks: 600_000, lots: 2 },
  set_leverage: { kind: "set_leverage", ...AT, market: 0, leverage: 5 },
  set_margin_mode: { kind: "set_margin_mode", ...AT, market: 0, mode: 1 },
  move_isolated_margin: { kind: "move_isolated_margin", ...AT, market: 0, amount_micros: 1_000 },
  set_price: { kind: "set_price", time_ms: AT.time_ms, market: 0, indexTicks: 600_000, markTicks: 600_000 },
  apply_funding: { kind: "apply_funding", time_ms: AT.time_ms, market: 0, rate_e8: 1_250, hour: 1_000_000 },
  advance_time: { kind: "advance_time", time_ms: AT.time_ms },
  open_account: { kind: "open_account", ...AT, account: 10, number: 1_000_000, reference: "open-account:10" },
  add_market: { kind: "add_market", time_ms: AT.time_ms, definition: { ...FIRST_MARKETS[3]!, symbol: "NEWUSDT" } },
  set_market_rules: {
    kind: "set_market_rules",
    time_ms: AT.time_ms,
    market: 0,
    rules: defaultRules(FIRST_MARKETS[0]!.brackets),
  },
  set_market_status: { kind: "set_market_status", time_ms: AT.time_ms, market: 1, status: 1 },
  expire_bonus: { kind: "expire_bonus", ...AT },
  close_expired_bonus: { kind: "close_expired_bonus", ...AT },
  deposit: { kind: "deposit", ...NUMBERED, amount_micros: 1_000 },
  hold_withdrawal: { kind: "hold_withdrawal", ...NUMBERED, amount_micros: 1_000 },
  settle_withdrawal: { kind: "settle_withdrawal", ...NUMBERED, amount_micros: 1_000, isDone: true },
  grant_bonus: { kind: "grant_bonus", ...NUMBERED, amount_micros: 1_000, maxLeverage: 5, expires_ms: 1 },
  freeze_bonus: { kind: "freeze_bonus", ...NUMBERED },
  unfreeze_bonus: { kind: "unfreeze_bonus", ...NUMBERED },
  recall_bonus: { kind: "recall_bonus", ...NUMBERED },
  set_terms: { kind: "set_terms", ...NUMBERED, version: 3 },
  follow_terms: { kind: "follow_terms", ...NUMBERED, leader: 3 },
  set_discount: { kind: "set_discount", ...NUMBERED, discount_bps: 100 },
  seed_fund: { kind: "seed_fund", time_ms: AT.time_ms, number: 1_000_000, amount_micros: 1_000 },
  pay_out: { kind: "pay_out", time_ms: AT.time_ms, number: 1_000_000, amount_micros: 1 },
  return_payout: { kind: "return_payout", time_ms: AT.time_ms, number: 1_000_000, amount_micros: 1 },
  set_rules_version: { kind: "set_rules_version", time_ms: AT.time_ms, number: 1_000_000, version: 4 },
  commit_wallet: { kind: "commit_wallet", ...NUMBERED, reference: "wallet:2", commitment: "ab".repeat(32) },
  note: { kind: "note", time_ms: AT.time_ms, number: 1_000_000, reference: "boost:1", details: "{}" },
};

/** Invalid values, and values at the limits of the valid ones. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(NaN, Infinity, -Infinity, -0, 0, 1, -1, 2, 3, 10, 0.5, 1e300, 5e-324),
  fc.constantFrom<unknown[]>(2 ** 24 - 1, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 43, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)),
  fc.constantFrom<unknown[]>(1e15, 1e15 + 1, 4e15, 8.64e15, 8.64e15 + 1, 1_780_300_000_000),
  fc.constantFrom<unknown[]>("", "0", "1", "x".repeat(36), "x".repeat(37), "__proto__", "toString", null, undefined),
  fc.constantFrom<unknown[]>(true, false, 0n, 1n, 2n ** 70n, Symbol("s"), [], [1], new Array(3), {}, () => 1),
  fc.constantFrom<unknown[]>(new Date(0), new Map(), Object.create(null), Object(1), new Float64Array(2)),
  fc.integer({ min: -3, max: 300 }),
  fc.double(),
  fc.string(),
  fc.jsonValue(),
);

interface Change {
  /** Selects a field, as a fraction of their number; the next fraction selects within a field that is an object. */
  readonly path: readonly number[];
  readonly value: unknown;
  readonly isRemoved: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.array(fc.nat(1_000), { minLength: 3, maxLength: 3 }),
  value: anyValue,
  isRemoved: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

/** A copy with one field changed or removed, at any depth. */
function changed(object: unknown, { path, value, isRemoved }: Change): unknown {
  if (typeof object !== "object" || object === null || path.length === 0) return value;
  const keys = Object.keys(object);
  const key = keys[path[0]! % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const copy: Record<string, unknown> = Array.isArray(object)
    ? (Object.assign([], object) as unknown as Record<string, unknown>)
    : { ...object };
  const inner = copy[key];
  const isEntered = typeof inner === "object" && inner !== null && path[0]! % 7 > 0;
  if (isEntered) copy[key] = changed(inner, { path: path.slice(1), value, isRemoved });
  else if (isRemoved) delete copy[key];
  else copy[key] = value;
  return copy;
}

/** A valid command with up to three fields spoiled, or a value that is no command. */
export const malformedCommand: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.values(SENSIBLE)), fc.array(change, { maxLength: 3 }))
      .map(([command, changes]) => changes.reduce<unknown>(changed, command)),
  },
  { weight: 1, arbitrary: anyValue },
  { weight: 1, arbitrary: fc.record({ kind: anyValue, time_ms: fc.constant(AT.time_ms), account: anyValue }) },
);
