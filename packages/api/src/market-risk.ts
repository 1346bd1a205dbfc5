import { type Static, type TSchema, Type } from "typebox";
import { AmountInput, orNull, SymbolName } from "./account-shapes.ts";
import { CursorParameter, LimitParameter, listFields, OrderParameter } from "./lists.ts";
import { IsoTime } from "./shapes.ts";

const Money = (description: string) => Type.String({ description, examples: ["1000.00"] });
const Milliseconds = (description: string) => Type.Integer({ description });

/** FUT-21, FUT-22: the fund in one market at present. */
const fundInMarket = {
  equity: Money("E: the fund's principal and its open positions at the index"),
  outflow: Money("What the fund has lost in this market since the hour began; below zero for a gain"),
  cap: Money("What it may lose in an hour. 0 before rules version 5, which has no cap"),
  inventory: Type.String({ description: "The fund's position, below zero for a short", examples: ["-0.120"] }),
  inventory_limit: Type.String({ description: "The largest position that it may hold" }),
  inventory_since: orNull(Milliseconds("Since when the position is not zero")),
  capped: Type.Boolean({ description: "The cap was reached: reduce-only, and the fund takes nothing over" }),
  capped_until: orNull(Milliseconds("Null where only an admin resumes the market")),
};

/** FUT-24. */
export const RiskEvent = Type.Object({
  id: Type.String({ description: "For `after`", examples: ["1203-4"] }),
  time: Milliseconds(""),
  kind: Type.Union(
    [
      Type.Literal("liquidation"),
      Type.Literal("takeover"),
      Type.Literal("fund"),
      Type.Literal("adl"),
      Type.Literal("fund_capped"),
    ],
    { description: "`fund`: a fill by which the fund unwinds" },
  ),
  account: orNull(Type.Integer({ description: "Whose position was reduced; 0 is the fund" })),
  counterparty: orNull(Type.Integer()),
  side: orNull(Type.Union([Type.Literal("BUY"), Type.Literal("SELL")], { description: "Of `account`" })),
  quantity: orNull(Type.String()),
  price: orNull(Type.String()),
  mark_price: orNull(Type.String()),
  index_price: orNull(Type.String()),
  reason: orNull(Type.String({ description: "Of adl: fund_full, fund_capped, fund_old or bankrupt" })),
  outflow: orNull(Money("With fund_capped, as the fields below")),
  cap: orNull(Money("")),
  equity: orNull(Money("")),
  until: orNull(Milliseconds("0: until an admin resumes the market")),
});
export type RiskEvent = Static<typeof RiskEvent>;

export const RiskEventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,15}-[0-9]{1,9}$",
      description: "The `id` of the last event that is known; later ones follow. Not with `order=desc`",
      examples: ["1203-4"],
    }),
  ),
  order: OrderParameter,
  limit: LimitParameter(),
  cursor: CursorParameter,
});
export type RiskEventsQuery = Static<typeof RiskEventsQuery>;

export const RiskEvents = Type.Object({
  symbol: SymbolName,
  time: Milliseconds(""),
  ...fundInMarket,
  ...listFields(RiskEvent, "Oldest first, unless `order` is `desc`. Kept for ever"),
});
export type RiskEvents = Static<typeof RiskEvents>;

const fractions = {
  mark_clamp: "FUT-13: the largest distance of the mark from the index",
  price_band: "FUT-2: how far from the mark a limit price may be",
  market_order_bound: "FUT-4: how far from the mark a market order fills",
  triggered_bound: "FUT-8: the same for what a trigger produces",
  trigger_clamp: "FUT-8: how far from the mark the last price counts for triggers",
  liquidation_bound: "FUT-12: how far from the index a liquidation sells",
  unwind_bound: "FUT-21: how far from the index the fund unwinds in calm markets",
  stress_bound: "FUT-21: the same at most, while the index runs",
  fund_inventory: "FUT-21: the fund's largest position, as a part of its equity",
  fund_outflow: "FUT-22: what the fund may lose in an hour, as a part of its equity",
  fair_bound: "BON-7, FUT-15: how far from the mark a price is fair",
} as const;

/** The same shape for each of them. */
const eachFraction = <Shape extends TSchema>(shape: (description: string) => Shape) =>
  Object.fromEntries(Object.entries(fractions).map(([name, description]) => [name, shape(description)])) as {
    [Name in keyof typeof fractions]: Shape;
  };

/** FUT-2: the bounds of a market from rules version 5 on, as fractions. */
export const MarketRulesView = Type.Object({
  symbol: SymbolName,
  ...eachFraction((description) => Type.String({ description, examples: ["0.004"] })),
  impact_notional: Money("FUT-13, FUT-14: the value whose average price is an impact price"),
  open_interest_factor: Type.Integer({
    description: "FUT-10: open interest at most, as a multiple of the fund's equity",
  }),
});
export type MarketRulesView = Static<typeof MarketRulesView>;

/** A misspelt name would leave a bound as it was and answer as if it were changed: unknown names are refused. */
export const MarketRulesRequest = Type.Object(
  {
    ...eachFraction((description) => Type.Optional(AmountInput(description, "0.004"))),
    impact_notional: Type.Optional(AmountInput("USDT", "10000")),
    open_interest_factor: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [200] })),
    dry_run: Type.Optional(Type.Boolean({ description: "Only checks, and answers what would hold" })),
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: "For the audit log", examples: ["announced on Monday"] }),
    ),
  },
  { additionalProperties: false },
);
export type MarketRulesRequest = Static<typeof MarketRulesRequest>;

export const MarketRulesReply = Type.Object({ ...MarketRulesView.properties, dry_run: Type.Boolean() });
export type MarketRulesReply = Static<typeof MarketRulesReply>;

export const FundMarket = Type.Object({
  symbol: SymbolName,
  status: Type.Union([Type.Literal("trading"), Type.Literal("reduce_only"), Type.Literal("halted")]),
  outflow: fundInMarket.outflow,
  cap: fundInMarket.cap,
  inventory: fundInMarket.inventory,
  inventory_value: Money("At the index, without sign"),
  inventory_limit: fundInMarket.inventory_limit,
  inventory_since: orNull(IsoTime),
  capped: fundInMarket.capped,
  capped_since: orNull(IsoTime),
  capped_until: orNull(IsoTime),
});
export type FundMarket = Static<typeof FundMarket>;

/** INV-10. */
export const FundReport = Type.Object({
  rules_version: Type.Integer(),
  principal: Money(""),
  equity: fundInMarket.equity,
  highest_24h: Money("The highest equity of 24 hours"),
  outflow: Money("In all markets since the hour began"),
  ...listFields(FundMarket, "By market"),
});
export type FundReport = Static<typeof FundReport>;

/** INV-11. */
export const UnfairTransfer = Type.Object({
  from_account: Type.Integer({ description: "Who gave more of it; 0 is the fund" }),
  from_wallet: orNull(Type.String()),
  to_account: Type.Integer(),
  to_wallet: orNull(Type.String()),
  moved: Money("From `from` to `to` by fills further than 0.2 % from the mark"),
  moved_back: Money("The reverse"),
  volume: Money("Of the pair, near the mark or not"),
  share: Type.String({ description: "`moved` as a part of `volume`, cut to four decimals", examples: ["0.0521"] }),
  alarm: Type.Boolean({ description: "1,000 USDT or more" }),
});
export type UnfairTransfer = Static<typeof UnfairTransfer>;

export const UnfairTransfers = Type.Object({
  since: IsoTime,
  ...listFields(UnfairTransfer, "Pairs with 100 USDT and 1 % of their volume or more, largest first"),
});
export type UnfairTransfers = Static<typeof UnfairTransfers>;
export const UnfairTransfersQuery = Type.Object({ limit: LimitParameter(), cursor: CursorParameter });
export type UnfairTransfersQuery = Static<typeof UnfairTransfersQuery>;
