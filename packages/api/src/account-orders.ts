import { type Static, Type } from "typebox";
import { Amount, AmountInput, orNull, SymbolName, TimeMs } from "./account-shapes.ts";
import { listFields } from "./lists.ts";

const Side = Type.Union([Type.Literal("BUY"), Type.Literal("SELL")]);
const WorkingType = Type.Union([Type.Literal("CONTRACT_PRICE"), Type.Literal("MARK_PRICE")]);

const AttachedTriggerRequest = Type.Object({
  trigger_price: AmountInput("Trigger price", "66000"),
  price: Type.Optional(AmountInput("Limit price of the order it produces; a market order without it", "66000")),
  working_type: Type.Optional(WorkingType),
});

/** WIRE-7. */
export const AccountOrderRequest = Type.Object({
  symbol: SymbolName,
  side: Type.String({ description: "BUY or SELL", examples: ["BUY"] }),
  type: Type.String({
    description: "LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT or TAKE_PROFIT_MARKET",
    examples: ["LIMIT"],
  }),
  quantity: Type.Optional(AmountInput("In the base asset, floored to the lot", "0.5")),
  quote_quantity: Type.Optional(AmountInput("In USDT, instead of a quantity", "1000")),
  price: Type.Optional(AmountInput("Limit price, on the tick", "60000")),
  time_in_force: Type.Optional(Type.String({ description: "GTC (default), IOC, FOK or GTX", examples: ["GTC"] })),
  reduce_only: Type.Optional(Type.Boolean()),
  close_position: Type.Optional(
    Type.Boolean({ description: "STOP_MARKET and TAKE_PROFIT_MARKET: all of the position, without a quantity" }),
  ),
  stop_price: Type.Optional(AmountInput("Trigger price of the conditional types", "58000")),
  working_type: Type.Optional(WorkingType),
  client_order_id: Type.Optional(Type.String({ maxLength: 64, examples: ["my-order-1"] })),
  max_slippage: Type.Optional(
    AmountInput("MARKET: a fraction; the whole order is refused if its slippage would be higher", "0.005"),
  ),
  take_profit: Type.Optional(orNull(AttachedTriggerRequest)),
  stop_loss: Type.Optional(orNull(AttachedTriggerRequest)),
});
export type AccountOrderRequest = Static<typeof AccountOrderRequest>;

const orderFields = {
  id: Type.Integer({ examples: [42] }),
  client_order_id: Type.String({ examples: ["my-order-1"] }),
  symbol: SymbolName,
  side: Side,
  type: Type.String({ examples: ["LIMIT"] }),
  time_in_force: Type.String({ examples: ["GTC"] }),
  status: Type.String({
    description: "NEW, PARTIALLY_FILLED, FILLED, CANCELED, REJECTED, EXPIRED or EXPIRED_IN_MATCH",
    examples: ["NEW"],
  }),
  reason: orNull(Type.String({ description: "Why it ended, if it was not filled" })),
  price: Amount("Limit price; 0 for a market order", "60000.0"),
  quantity: Amount("As accepted, in the base asset", "0.500"),
  executed_quantity: Amount("Executed so far", "0.000"),
  executed_value: Amount("Executed so far in USDT", "0.00"),
  average_price: Amount("Average price of the executed part; 0 before the first fill", "0"),
  reduce_only: Type.Boolean(),
  close_position: Type.Boolean(),
  stop_price: orNull(Amount("Trigger price of a conditional order", "58000.0")),
  working_type: orNull(Type.String()),
  parent_id: orNull(Type.Integer({ description: "The order that a take-profit or stop-loss is attached to" })),
  created_time: TimeMs,
  updated_time: TimeMs,
};
export const AccountOrder = Type.Object(orderFields);
export type AccountOrder = Static<typeof AccountOrder>;

export const PlacedOrder = Type.Object({
  ...orderFields,
  fee: Amount("Fee of the part executed at once"),
  realized_pnl: Amount("Profit and loss realised by the part executed at once"),
  take_profit_id: orNull(Type.Integer({ description: "The attached take-profit" })),
  stop_loss_id: orNull(Type.Integer({ description: "The attached stop-loss" })),
});
export type PlacedOrder = Static<typeof PlacedOrder>;

export const CanceledOrder = Type.Object({ id: Type.Integer(), symbol: SymbolName, status: Type.Literal("CANCELED") });
export type CanceledOrder = Static<typeof CanceledOrder>;

export const AccountOpenOrders = Type.Object(listFields(AccountOrder, "By time", "orders"));
export type AccountOpenOrders = Static<typeof AccountOpenOrders>;
export const AccountOrderPage = Type.Object(listFields(AccountOrder, "By time", "orders"));
export type AccountOrderPage = Static<typeof AccountOrderPage>;

/** FUT-18: what an order would do, without doing it. */
export const OrderPreview = Type.Object({
  symbol: SymbolName,
  side: Side,
  type: Type.String(),
  quantity: Amount("As it would be accepted: floored to the lot, reduce-only orders cut to the position", "0.500"),
  executed_quantity: Amount("Quantity that would match at once", "0.500"),
  resting_quantity: Amount("Quantity that would rest in the book", "0.000"),
  average_price: Amount("Average price of the part that would match at once; 0 if nothing would", "60000.0"),
  notional: Amount("Value of both parts", "30000.00"),
  fee: Amount("Fee of both parts, the resting one as maker", "15.00"),
  taker_fee: Amount("Fee of the part that would match at once", "15.00"),
  maker_fee: Amount("Fee of the resting part, once it is filled", "0.00"),
  est_slippage: Amount("Average price against the best opposite price, as a fraction", "0.0001"),
  leverage: Type.Integer({ examples: [10] }),
  initial_margin: Amount("Increase of the margin in use", "3000.00"),
  liquidation_price: orNull(
    Amount("Of the position once the whole order is filled; null without one", "54081.6326530"),
  ),
  position_quantity: Amount("The position once the whole order is filled, signed", "0.500"),
  realized_pnl: Amount("Profit and loss that closing would realise", "0.00"),
  available_after: Amount("Available after the order is placed", "1000.00"),
  margin_balance_after: Amount("Margin balance after the order is placed", "4000.00"),
  split: Type.Object(
    {
      fee_from_bonus: Amount("Bonus part of the fee", "0.00"),
      fee_from_principal: Amount("Principal part of the fee", "15.00"),
      margin_from_bonus: Amount("Bonus part of the initial margin", "0.00"),
      margin_from_principal: Amount("Principal part of the initial margin", "3000.00"),
    },
    { description: "How fee and margin would be split" },
  ),
});
export type OrderPreview = Static<typeof OrderPreview>;
