import { type Static, Type } from "typebox";
import { SymbolName } from "./account-shapes.ts";
import { CursorParameter, cursorParameters, LimitParameter, OrderParameter } from "./lists.ts";

/** Query parameters of the lists of the account area. */

export const OpenOrdersQuery = Type.Object({ symbol: Type.Optional(SymbolName) });
export type OpenOrdersQuery = Static<typeof OpenOrdersQuery>;

const pageParameters = {
  ...cursorParameters,
  symbol: Type.Optional(SymbolName),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Rows to skip; slow beyond 5000, use a cursor" }),
  ),
};

export const OrderListQuery = Type.Object({
  ...pageParameters,
  status: Type.Optional(
    Type.String({
      description: "NEW, PARTIALLY_FILLED, FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH, REJECTED",
      examples: ["FILLED"],
    }),
  ),
});
export type OrderListQuery = Static<typeof OrderListQuery>;

export const TradeListQuery = Type.Object(pageParameters);
export type TradeListQuery = Static<typeof TradeListQuery>;

export const IncomeType = Type.Union([
  Type.Literal("TRANSFER"),
  Type.Literal("WELCOME_BONUS"),
  Type.Literal("REALIZED_PNL"),
  Type.Literal("FUNDING_FEE"),
  Type.Literal("COMMISSION"),
  Type.Literal("INSURANCE_CLEAR"),
]);
export type IncomeType = Static<typeof IncomeType>;

export const IncomeQuery = Type.Object({
  ...cursorParameters,
  symbol: Type.Optional(SymbolName),
  type: Type.Optional(IncomeType),
});
export type IncomeQuery = Static<typeof IncomeQuery>;

/** For lists with pages and no other parameters. */
export const CursorQuery = Type.Object(cursorParameters);
export type CursorQuery = Static<typeof CursorQuery>;

export const AccountEventsQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "A number (`seq`), instead of a cursor" })),
  limit: LimitParameter(),
  cursor: CursorParameter,
});
export type AccountEventsQuery = Static<typeof AccountEventsQuery>;

export const MarginModeQuery = Type.Object({ symbol: Type.Optional(SymbolName) });
export type MarginModeQuery = Static<typeof MarginModeQuery>;

export const WithdrawalListQuery = Type.Object({
  limit: LimitParameter(),
  order: OrderParameter,
  cursor: CursorParameter,
});
export const DepositListQuery = WithdrawalListQuery;
export type DepositListQuery = Static<typeof DepositListQuery>;
export type WithdrawalListQuery = Static<typeof WithdrawalListQuery>;
