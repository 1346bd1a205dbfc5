export * from "./book/index.ts";
export { type Audit, assertAudit, auditEngine } from "./checks/audit.ts";
export * from "./codec/index.ts";
export * from "./contract/codes.ts";
export * from "./contract/commands.ts";
export * from "./contract/events.ts";
export * from "./contract/reasons.ts";
export * from "./digest.ts";
export { Engine, type Refusal } from "./engine.ts";
export { decodeEvents, EVENT_KINDS, EventBuffer } from "./events/event-buffer.ts";
export * from "./integers.ts";
export { type Preview, type PreviewFigures, previewOrder } from "./preview/preview.ts";
export type { OrderDraft } from "./preview/rehearsal.ts";
export * from "./rules/index.ts";
export { RUNTIME_FLAGS } from "./runtime-flags.ts";
export * from "./snapshot/index.ts";
export { FLAG_DOWNGRADE } from "./state/accounts.ts";
export type { Conditional } from "./state/conditionals.ts";
export type { MarketState } from "./state/market-state.ts";
export {
  ORDER_HAS_NAME,
  ORDER_IS_MARKET,
  ORDER_REDUCE_ONLY,
  selfTradePreventionOf,
  timeInForceOf,
} from "./state/order-details.ts";
export { NO_POSITION } from "./state/positions.ts";
export { State } from "./state/state.ts";
export {
  type AccountFigures,
  breakEven,
  feeRates_e8,
  NO_ACCOUNT_YET,
  type PositionFigures,
  readAccount,
  readPositions,
} from "./views/account-figures.ts";
export { type FundFigures, type FundMarketFigures, readFund, readFundIn } from "./views/fund-figures.ts";
export {
  conditionalsOf,
  findConditional,
  findOpenOrder,
  type OpenOrder,
  openOrdersOf,
  readOpenOrder,
  type WaitingConditional,
} from "./views/open-orders.ts";
