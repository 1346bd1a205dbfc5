import { type Static, Type } from "typebox";
import { Amount, orNull, SymbolName, TimeMs } from "./account-shapes.ts";
import { itemFields, listFields, NextCursor } from "./lists.ts";

export const AccountPosition = Type.Object({
  symbol: SymbolName,
  side: Type.Union([Type.Literal("LONG"), Type.Literal("SHORT")]),
  quantity: Amount("Signed: below zero for a short", "0.500"),
  entry_price: Amount("Average entry price", "60000.0"),
  mark_price: Amount("Mark price", "60000.0"),
  liquidation_price: orNull(Amount("Null if no price liquidates it", "58585.8585859")),
  notional: Amount("Value at the mark, without sign", "30000.00"),
  unrealized_pnl: Amount("At the mark", "0.00"),
  initial_margin: Amount("Of the position and its open orders", "3000.00"),
  maintenance_margin: Amount("Of the position", "300.00"),
  leverage: Type.Integer({ examples: [10] }),
  margin_mode: Type.Union([Type.Literal("cross"), Type.Literal("isolated")]),
  isolated_margin: Amount("Margin of an isolated position", "0.00"),
});
export type AccountPosition = Static<typeof AccountPosition>;

export const ActivePositions = Type.Object(listFields(AccountPosition, "By market", "positions"));
export type ActivePositions = Static<typeof ActivePositions>;

/** WIRE-6. */
export const UnifiedAccount = Type.Object({
  address: Type.String(),
  principal: Amount("Own money, without isolated margin"),
  bonus: Amount("Bonus money", "0.00"),
  bonus_locked: Amount("The part of the bonus that covers margin", "0.00"),
  bonus_status: Type.String({ examples: ["none"] }),
  isolated_margin: Amount("In isolated positions", "0.00"),
  in_flight: Amount("Held for running withdrawals", "0.00"),
  margin_balance: Amount("Principal, bonus and unrealised PnL of cross positions"),
  available: Amount("Margin balance less initial margin"),
  initial_margin: Amount("Of positions and open orders", "0.00"),
  maintenance_margin: Amount("Of cross positions", "0.00"),
  margin_ratio: Amount("Maintenance margin / margin balance; liquidation at 1", "0.3"),
  unrealized_pnl: Amount("Of cross positions", "0.00"),
  withdrawable: Amount("What can be withdrawn now"),
  held_gains: Amount("Gained from bonus accounts against the mark: margin, but not withdrawable for 72 hours", "0.00"),
  bonus_owed: Amount("What a bonus paid of unfair losses: not withdrawable, returned when the bonus ends", "0.00"),
  tier: Type.Integer({ description: "VIP tier, 0 to 5" }),
  positions: Type.Array(AccountPosition),
});
export type UnifiedAccount = Static<typeof UnifiedAccount>;

export const AccountTrade = Type.Object({
  id: Type.Integer({ description: "Trade id within the market" }),
  order_id: Type.Integer(),
  symbol: SymbolName,
  side: Type.Union([Type.Literal("BUY"), Type.Literal("SELL")]),
  price: Amount("Price", "60000.0"),
  quantity: Amount("In the base asset", "0.500"),
  value: Amount("In USDT", "30000.00"),
  fee: Amount("Paid", "15.00"),
  fee_from_bonus: Amount("Bonus part of the fee", "0.00"),
  realized_pnl: Amount("Realised by this trade", "0.00"),
  is_maker: Type.Boolean(),
  cause: Type.String({ description: "trade, liquidation, adl …", examples: ["trade"] }),
  mark_price: orNull(Amount("The mark at that moment; null before rules version 5", "60010.0")),
  is_off_market: Type.Boolean({
    description: "Further from the mark than is fair: it counts for no volume, rebate or point",
  }),
  time: TimeMs,
});
export type AccountTrade = Static<typeof AccountTrade>;
export const AccountTradePage = Type.Object(listFields(AccountTrade, "By time", "trades"));
export type AccountTradePage = Static<typeof AccountTradePage>;

export const AccountIncome = Type.Object({
  id: Type.String({ description: "Unique among all income" }),
  type: Type.String({ examples: ["COMMISSION"] }),
  amount: Amount("Signed", "-15.00"),
  symbol: orNull(SymbolName),
  trade_id: orNull(Type.Integer()),
  time: TimeMs,
});
export type AccountIncome = Static<typeof AccountIncome>;
export const IncomePage = Type.Object(listFields(AccountIncome, "By time", "income"));
export type IncomePage = Static<typeof IncomePage>;

export const EquityPoint = Type.Object({
  time: TimeMs,
  equity: Amount("Margin balance and isolated positions"),
  principal: Amount("Own money"),
  bonus: Amount("Bonus money", "0.00"),
  unrealized_pnl: Amount("Of all positions", "0.00"),
});
export type EquityPoint = Static<typeof EquityPoint>;
export const EquityHistory = Type.Object(listFields(EquityPoint, "By time", "history"));
export type EquityHistory = Static<typeof EquityHistory>;

const FeeTierRow = Type.Object({
  tier: Type.Integer(),
  name: Type.String({ examples: ["VIP 0"] }),
  min_volume_14d: Amount("From this 14-day volume on", "0.00"),
  maker_rate: Amount("Fraction", "0.0002"),
  taker_rate: Amount("Fraction", "0.0005"),
});

/** WIRE-10: the public fee schedule; a signed-in wallet also gets its own rates. */
export const FeeInfo = Type.Object({
  tiers: Type.Array(FeeTierRow),
  baseline: FeeTierRow,
  tier: Type.Optional(Type.Integer()),
  volume_14d: Type.Optional(Amount("Traded in the last 14 UTC days")),
  volume_30d: Type.Optional(Amount("Traded in the last 30 UTC days")),
  pending_downgrade: Type.Optional(
    orNull(
      Type.Object({
        tier: Type.Integer({ description: "By the current volume" }),
        effective_time: TimeMs,
      }),
    ),
  ),
  discounts: Type.Optional(
    Type.Array(Type.Object({ kind: Type.String({ examples: ["referral"] }), discount: Amount("Fraction", "0.1") })),
  ),
  effective: Type.Optional(
    Type.Object({ maker_rate: Amount("Fraction", "0.0002"), taker_rate: Amount("Fraction", "0.0005") }),
  ),
});
export type FeeInfo = Static<typeof FeeInfo>;

const SettledFunding = Type.Object({
  time: TimeMs,
  rate: Amount("Settled rate", "0.0000125"),
  mark_price: Amount("Mark then"),
});
export const FundingRates = Type.Object({
  symbol: SymbolName,
  estimated_rate: Amount("Estimate for the running hour", "0.0000125"),
  next_funding_time: TimeMs,
  interval_hours: Type.Literal(1),
  mark_price: Amount("Mark price; 0 before the first", "60000.0"),
  index_price: Amount("Index price; 0 before the first", "60000.0"),
  ...listFields(SettledFunding, "Settled rates by time", "history"),
});
export type FundingRates = Static<typeof FundingRates>;

export const ExternalTicker = Type.Object({
  symbol: SymbolName,
  last_price: Amount("Last trade; the mark before the first", "60000.0"),
  mark_price: Amount("Mark price", "60000.0"),
  index_price: Amount("Index price", "60000.0"),
  best_bid: orNull(Amount("Best bid", "59999.9")),
  best_ask: orNull(Amount("Best ask", "60000.1")),
  open_price: Amount("24 hours ago", "59000.0"),
  high_price: Amount("Of 24 hours", "61000.0"),
  low_price: Amount("Of 24 hours", "58000.0"),
  price_change: Amount("Over 24 hours", "1000.0"),
  price_change_percent: Amount("Over 24 hours", "1.69"),
  volume: Amount("Of 24 hours in the base asset", "12.000"),
  quote_volume: Amount("Of 24 hours in USDT", "720000.00"),
  trades: Type.Integer(),
  open_interest: Amount("Lots of all longs in the base asset", "3.000"),
  next_funding_time: TimeMs,
  time: TimeMs,
});
export type ExternalTicker = Static<typeof ExternalTicker>;

export const MarketInfo = Type.Object({
  symbol: SymbolName,
  base_asset: Type.String({ examples: ["BTC"] }),
  quote_asset: Type.Literal("USDT"),
  status: Type.Union([Type.Literal("trading"), Type.Literal("reduce_only"), Type.Literal("halted")]),
  tick_size: Amount("Prices are multiples of it", "0.1"),
  lot_size: Amount("Quantities are multiples of it", "0.001"),
  min_order_size_usd: Amount("Smallest order in USDT", "5.00"),
  max_order_size_usd: Amount("Largest order in USDT", "10000000.00"),
  max_leverage: Type.Integer({ examples: [50] }),
  default_leverage: Type.Integer({ examples: [10] }),
  price_band: Amount("How far a limit price may be from the mark, as a fraction", "0.05"),
  market_order_bound: Amount("How far a market order may trade from the mark, as a fraction", "0.05"),
  liquidation_fee: Amount("Fraction", "0.005"),
  max_open_orders: Type.Integer({ examples: [200] }),
  max_conditional_orders: Type.Integer({ examples: [100] }),
  mark_price: orNull(Amount("Mark price", "60000.0")),
  index_price: orNull(Amount("Index price", "60000.0")),
  last_price: orNull(Amount("Last trade", "60000.0")),
  brackets: Type.Array(
    Type.Object({
      notional_cap: Amount("Up to this notional", "100000.00"),
      max_leverage: Type.Integer(),
      maintenance_rate: Amount("Fraction", "0.01"),
      cumulative: Amount("Subtracted from the maintenance margin", "0.00"),
    }),
  ),
});
export type MarketInfo = Static<typeof MarketInfo>;
export const MarketList = Type.Object(listFields(MarketInfo, "All markets", "markets"));
export type MarketList = Static<typeof MarketList>;

export const MarginModeRequest = Type.Object({
  symbol: SymbolName,
  margin_mode: Type.Optional(
    Type.String({ description: "cross (or crossed) or isolated, in any case", examples: ["isolated"] }),
  ),
  mode: Type.Optional(Type.String({ description: "The same under its other name", examples: ["cross"] })),
});
export type MarginModeRequest = Static<typeof MarginModeRequest>;
const MarginMode = Type.Union([Type.Literal("cross"), Type.Literal("isolated")]);
export const MarginModeReply = Type.Object({ symbol: SymbolName, margin_mode: MarginMode, leverage: Type.Integer() });
export type MarginModeReply = Static<typeof MarginModeReply>;
export const MarginModes = Type.Object({
  symbol: Type.Optional(SymbolName),
  margin_mode: Type.Optional(MarginMode),
  leverage: Type.Optional(Type.Integer()),
  ...listFields(MarginModeReply, "By market", "margin_modes"),
});
export type MarginModes = Static<typeof MarginModes>;

const AccountEvent = Type.Object({
  seq: Type.Integer({ description: "Rises with every event of the account, also across a restart" }),
  channel: Type.String({ examples: ["orders"] }),
  time: TimeMs,
  data: Type.Unknown({ description: "As the channel of the stream pushes it" }),
});
export const AccountEvents = Type.Object({
  ...itemFields(AccountEvent, "Oldest first", "events"),
  next_cursor: NextCursor,
  next_after: Type.Integer({
    description: "Pass as `after` for the next events, also for those that are still to come",
  }),
  last_seq: Type.Integer({ description: "Of the account's last event" }),
  has_more: Type.Boolean(),
  is_complete: Type.Boolean({
    description: "False if events after `after` are no longer kept: read the state again",
  }),
});
export type AccountEvents = Static<typeof AccountEvents>;
