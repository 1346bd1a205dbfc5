import { type Static, Type } from "typebox";
import { AmountInput, orNull, SymbolName } from "./account-shapes.ts";
import { IsoTime } from "./shapes.ts";

export const MarketRequest = Type.Object({
  symbol: Type.String({ description: "2 to 20 capital letters and digits, ending in USDT", examples: ["DOGEUSDT"] }),
  tick_size: AmountInput("", "0.0001"),
  lot_size: AmountInput("", "1"),
  start_price: AmountInput("On the tick; the index starts from it", "0.15"),
  risk_class: Type.Optional(
    Type.Union([Type.Literal("major"), Type.Literal("other")], {
      description: "Source of the parameters and brackets that are not given; `other` by default",
    }),
  ),
  min_order_size_usd: Type.Optional(AmountInput("", "5")),
  max_order_size_usd: Type.Optional(AmountInput("", "10000000")),
  price_band: Type.Optional(AmountInput("Fraction", "0.15")),
  market_order_bound: Type.Optional(AmountInput("Fraction", "0.1")),
  liquidation_fee: Type.Optional(AmountInput("Fraction", "0.01")),
  default_leverage: Type.Optional(Type.Integer()),
  max_open_orders: Type.Optional(Type.Integer()),
  max_conditional_orders: Type.Optional(Type.Integer()),
  brackets: Type.Optional(
    Type.Array(
      Type.Object({
        notional_cap: AmountInput("", "25000"),
        max_leverage: Type.Integer(),
        maintenance_rate: AmountInput("Fraction", "0.025"),
      }),
      {
        minItems: 1,
        maxItems: 50,
        description: "Cumulative amounts follow from caps and rates",
        examples: [[{ notional_cap: "25000", max_leverage: 20, maintenance_rate: "0.025" }]],
      },
    ),
  ),
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
  ),
});
export type MarketRequest = Static<typeof MarketRequest>;

export const MarketStatusRequest = Type.Object({
  status: Type.Union([Type.Literal("trading"), Type.Literal("reduce_only"), Type.Literal("halted")]),
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
  ),
});
export type MarketStatusRequest = Static<typeof MarketStatusRequest>;

export const NamedMarketStatusRequest = Type.Object({ symbol: SymbolName, ...MarketStatusRequest.properties });

/** WIRE-10. */
export const Invariant = Type.Object({
  code: Type.String({ examples: ["INV-1"] }),
  name: Type.String(),
  ok: orNull(Type.Boolean({ description: "Null if it is not computed" })),
  checked_at: orNull(IsoTime),
  detail: Type.String(),
});
export type Invariant = Static<typeof Invariant>;
export const Invariants = Type.Object({ invariants: Type.Array(Invariant) });
export type Invariants = Static<typeof Invariants>;

export const Switches = Type.Object({
  withdrawals_paused: Type.Boolean({ description: "Whether paused, by the switch or by the setting" }),
  withdrawals_paused_by_switch: Type.Boolean(),
  withdrawals_paused_by_setting: Type.Boolean({ description: "WITHDRAWALS_PAUSED wins over the switch" }),
});
export type Switches = Static<typeof Switches>;
export const SwitchesRequest = Type.Object({
  withdrawals_paused: Type.Boolean(),
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
  ),
});
export type SwitchesRequest = Static<typeof SwitchesRequest>;
export const WithdrawalSwitchRequest = Type.Object({
  paused: Type.Boolean(),
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
  ),
});
