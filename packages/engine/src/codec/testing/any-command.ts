import fc from "fast-check";
import type { Command } from "../../contract/commands.ts";
import { FIRST_MARKETS } from "../../rules/market.ts";
import type { CommandKind } from "../kind-codec.ts";

/** Sensible values, borders, and whatever else a finite double can be. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 1_000_000 }) },
  { weight: 2, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[0, -0, -1, -5, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 35, 2 ** 52 - 1, 2 ** 52, -(2 ** 52)],
      ...[-(2 ** 52) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, 2 ** 60, 0.5, 5e-324, Number.MAX_VALUE],
    ),
  },
);

/** Also texts that are no valid Unicode, because nothing stops a program from making them. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constant(""),
  fc.string({ maxLength: 36 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes)),
);

const number = anyNumber;
/** Codes are numbers like any other to the codec. */
const code = anyNumber as fc.Arbitrary<never>;
const flag = fc.boolean();
const attached = fc.option(fc.record({ triggerTicks: number, ticks: number, workingType: code }));
const definition = fc.oneof(
  fc.constantFrom(...FIRST_MARKETS),
  fc
    .record({ symbol: anyText, tickSize_e8: fc.integer(), unknown: fc.oneof(anyText, fc.boolean(), fc.constant(null)) })
    .map((changed) => ({ ...FIRST_MARKETS[0]!, ...changed })),
);

const timed = { time_ms: number };
const ofAccount = { ...timed, account: number };
const numbered = { ...timed, number };
const numberedAccount = { ...ofAccount, number };

type Arbitraries = {
  readonly [Kind in CommandKind]: fc.Arbitrary<Omit<Extract<Command, { readonly kind: Kind }>, "kind">>;
};

const ARBITRARIES: Arbitraries = {
  place_order: fc.record({
    ...ofAccount,
    market: number,
    side: code,
    type: code,
    timeInForce: code,
    ticks: number,
    lots: number,
    quote_micros: number,
    isReduceOnly: flag,
    selfTradePrevention: code,
    clientId: anyText,
    maxSlippage_e8: number,
    takeProfit: attached,
    stopLoss: attached,
  }),
  place_conditional: fc.record({
    ...ofAccount,
    market: number,
    side: code,
    type: code,
    ticks: number,
    timeInForce: code,
    lots: number,
    triggerTicks: number,
    activateTicks: number,
    callback_bps: number,
    workingType: code,
    isReduceOnly: flag,
    isClosePosition: flag,
    isPriceProtected: flag,
    keepsId: flag,
    selfTradePrevention: code,
    clientId: anyText,
  }),
  cancel_order: fc.record({ ...ofAccount, order: number, clientId: anyText, scope: code }),
  cancel_all: fc.record({ ...ofAccount, market: number, scope: code }),
  modify_order: fc.record({
    ...ofAccount,
    order: number,
    clientId: anyText,
    side: code,
    ticks: number,
    lots: number,
  }),
  set_leverage: fc.record({ ...ofAccount, market: number, leverage: number }),
  set_margin_mode: fc.record({ ...ofAccount, market: number, mode: code }),
  move_isolated_margin: fc.record({ ...ofAccount, market: number, amount_micros: number }),
  set_price: fc.record({ ...timed, market: number, indexTicks: number, markTicks: number }),
  apply_funding: fc.record({ ...timed, market: number, rate_e8: number, hour: number }),
  advance_time: fc.record(timed),
  open_account: fc.record(ofAccount),
  add_market: fc.record({ ...timed, definition }),
  set_market_status: fc.record({ ...timed, market: number, status: code }),
  expire_bonus: fc.record(ofAccount),
  close_expired_bonus: fc.record(ofAccount),
  deposit: fc.record({ ...numberedAccount, amount_micros: number }),
  hold_withdrawal: fc.record({ ...numberedAccount, amount_micros: number }),
  settle_withdrawal: fc.record({ ...numberedAccount, amount_micros: number, isDone: flag }),
  grant_bonus: fc.record({ ...numberedAccount, amount_micros: number, maxLeverage: number, expires_ms: number }),
  freeze_bonus: fc.record(numberedAccount),
  unfreeze_bonus: fc.record(numberedAccount),
  recall_bonus: fc.record(numberedAccount),
  set_terms: fc.record({ ...numberedAccount, version: number }),
  follow_terms: fc.record({ ...numberedAccount, leader: number }),
  set_discount: fc.record({ ...numberedAccount, discount_bps: number }),
  seed_fund: fc.record({ ...numbered, amount_micros: number }),
  pay_out: fc.record({ ...numbered, amount_micros: number }),
  return_payout: fc.record({ ...numbered, amount_micros: number }),
};

/** Any command of a kind. Objects of `fc.record` have no prototype; commands have the usual one. */
export function anyCommandOf(kind: CommandKind): fc.Arbitrary<Command> {
  return (ARBITRARIES[kind] as fc.Arbitrary<object>).map((fields) => structuredClone({ kind, ...fields }) as Command);
}
