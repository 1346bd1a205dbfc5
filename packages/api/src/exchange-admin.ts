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

export const RulesVersion = Type.Object({
  version: Type.Integer({ description: "The rules that hold", examples: [4] }),
  newest: Type.Integer({ description: "The newest rules that this release knows" }),
  possible: Type.Integer({ description: "The newest rules that all processes of the exchange can apply" }),
});
export type RulesVersion = Static<typeof RulesVersion>;
export const RulesVersionRequest = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [4] }),
  dry_run: Type.Optional(
    Type.Boolean({ description: "Only replays the last day by these rules and shows what differs" }),
  ),
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: "For the audit log", examples: ["the drill went well"] }),
  ),
});
export type RulesVersionRequest = Static<typeof RulesVersionRequest>;
const RehearsedAmount = { now: Type.String(), rehearsed: Type.String(), difference: Type.String() };
export const RulesVersionReply = Type.Object({
  ...RulesVersion.properties,
  dry_run: Type.Boolean(),
  rehearsal: orNull(
    Type.Object({
      from_number: Type.Integer({ description: "The first command that was applied by the other rules" }),
      commands: Type.Integer(),
      since: IsoTime,
      accounts_changed: Type.Integer(),
      accounts: Type.Array(Type.Object({ account: Type.Integer(), ...RehearsedAmount }), {
        description: "Those with the largest differences; account 0 is the insurance fund",
      }),
      fee_account: Type.Object(RehearsedAmount),
    }),
  ),
});
export type RulesVersionReply = Static<typeof RulesVersionReply>;

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
