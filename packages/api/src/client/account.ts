import type { AccountOpenOrders, AccountOrderPage } from "../account-orders.ts";
import type {
  AccountEventsQuery,
  CursorQuery,
  DepositListQuery,
  IncomeQuery,
  OpenOrdersQuery,
  OrderListQuery,
  TradeListQuery,
  WithdrawalListQuery,
} from "../account-queries.ts";
import type {
  AccountTradePage,
  ActivePositions,
  EquityHistory,
  FeeInfo,
  IncomePage,
  MarginModeReply,
  MarginModes,
  UnifiedAccount,
} from "../account-views.ts";
import type {
  DepositList,
  RemovedWithdrawAddress,
  WithdrawAddress,
  WithdrawAddressList,
  WithdrawAddressRequest,
  WithdrawalList,
  WithdrawReply,
  WithdrawRequest,
} from "../account-wallet.ts";
import type { ApiKey, ApiKeyRequest, NewApiKey, RevokedApiKey } from "../auth.ts";
import type {
  FapiAdlQuantile,
  FapiCommissionRate,
  FapiForcedOrdersQuery,
  FapiLeverage,
  FapiMarginMove,
  FapiMarginMoveRequest,
  FapiMarginMovesQuery,
  FapiPositionMargin,
  FapiPositionRisk,
  FapiSymbolConfig,
} from "../fapi-account.ts";
import type { FapiRateLimit } from "../fapi-market.ts";
import type { FapiOrder } from "../fapi-orders.ts";
import type { AccountEventPage } from "../streams.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1";

/** What a wallet has, has done and has set. */
export const accountClient = (call: Call) => ({
  ...states(call),
  ...history(call),
  ...settings(call),
  ...apiKeys(call),
  ...withdrawing(call),
});

const states = ({ get }: Call) => ({
  unified: (options?: ReadOptions) => get<UnifiedAccount>(`${BASE}/unified/account`, {}, options),
  positions: (options?: ReadOptions) => get<ActivePositions>(`${BASE}/positions/active`, {}, options),
  openOrders: (query: Given<OpenOrdersQuery> = {}, options?: ReadOptions) =>
    get<AccountOpenOrders>(`${BASE}/orders/open`, query, options),
  /** Resumes private channels without a gap: see `AccountEvent` of the streams. */
  events: (query: Given<AccountEventsQuery> = {}, options?: ReadOptions) =>
    get<AccountEventPage>(`${BASE}/account/events`, query, options),
  /** The schedule; signed in also the wallet's own terms. */
  feeInfo: (options?: ReadOptions) => get<FeeInfo>(`${BASE}/account/fee-info`, {}, options),
  /** Positions with break-even price and place in the line of deleveraging. */
  positionRisk: (symbol?: string, options?: ReadOptions) =>
    get<FapiPositionRisk[]>("/fapi/v3/positionRisk", { symbol }, options),
  adlQuantile: (symbol?: string, options?: ReadOptions) =>
    get<FapiAdlQuantile[]>("/fapi/v1/adlQuantile", { symbol }, options),
  commissionRate: (symbol: string, options?: ReadOptions) =>
    get<FapiCommissionRate>("/fapi/v1/commissionRate", { symbol }, options),
  orderRateLimits: (options?: ReadOptions) => get<FapiRateLimit[]>("/fapi/v1/rateLimit/order", {}, options),
});

const history = ({ get }: Call) => ({
  orders: (query: Given<OrderListQuery> = {}, options?: ReadOptions) =>
    get<AccountOrderPage>(`${BASE}/account/orders`, query, options),
  trades: (query: Given<TradeListQuery> = {}, options?: ReadOptions) =>
    get<AccountTradePage>(`${BASE}/account/trades`, query, options),
  income: (query: Given<IncomeQuery> = {}, options?: ReadOptions) =>
    get<IncomePage>(`${BASE}/account/income`, query, options),
  equityHistory: (query: Given<CursorQuery> = {}, options?: ReadOptions) =>
    get<EquityHistory>(`${BASE}/account/equity-history`, query, options),
  forcedOrders: (query: Given<FapiForcedOrdersQuery> = {}, options?: ReadOptions) =>
    get<FapiOrder[]>("/fapi/v1/forceOrders", query, options),
  marginMoves: (query: Given<FapiMarginMovesQuery>, options?: ReadOptions) =>
    get<FapiMarginMove[]>("/fapi/v1/positionMargin/history", query, options),
});

const settings = ({ get, send, sendForm }: Call) => ({
  /** Of one symbol, or of all. */
  marginModes: (symbol?: string, options?: ReadOptions) =>
    get<MarginModes>(`${BASE}/account/margin-mode`, { symbol }, options),
  setMarginMode: (symbol: string, margin_mode: MarginModeReply["margin_mode"]) =>
    send<MarginModeReply>("POST", `${BASE}/account/margin-mode`, { symbol, margin_mode }),
  /** Leverage, margin type and the largest notional, of one symbol or of all. */
  symbolConfigs: (symbol?: string, options?: ReadOptions) =>
    get<FapiSymbolConfig[]>("/fapi/v1/symbolConfig", { symbol }, options),
  setLeverage: (symbol: string, leverage: number) =>
    sendForm<FapiLeverage>("POST", "/fapi/v1/leverage", { symbol, leverage }),
  /** Into (`type` 1) or out of (2) an isolated position. */
  moveMargin: (request: Given<FapiMarginMoveRequest>) =>
    sendForm<FapiPositionMargin>("POST", "/fapi/v1/positionMargin", request),
});

const apiKeys = ({ get, send }: Call) => ({
  apiKeys: (options?: ReadOptions) => get<ApiKey[]>(`${BASE}/account/api-keys`, {}, options),
  /** The secret is in this reply and never again. */
  createApiKey: (request: Given<ApiKeyRequest>) => send<NewApiKey>("POST", `${BASE}/account/api-keys`, request),
  revokeApiKey: (api_key: string) => send<RevokedApiKey>("DELETE", `${BASE}/account/api-keys/${segment(api_key)}`),
});

const withdrawing = ({ get, send }: Call) => ({
  /** With a `request_id` it can be repeated without withdrawing twice. */
  withdraw: (request: Given<WithdrawRequest>) => send<WithdrawReply>("POST", `${BASE}/withdraw/request`, request),
  deposits: (query: Given<DepositListQuery> = {}, options?: ReadOptions) =>
    get<DepositList>(`${BASE}/deposit/list`, query, options),
  withdrawals: (query: Given<WithdrawalListQuery> = {}, options?: ReadOptions) =>
    get<WithdrawalList>(`${BASE}/withdraw/list`, query, options),
  withdrawAddresses: (options?: ReadOptions) => get<WithdrawAddressList>(`${BASE}/withdraw/addresses`, {}, options),
  addWithdrawAddress: (request: Given<WithdrawAddressRequest>) =>
    send<WithdrawAddress>("POST", `${BASE}/withdraw/addresses`, request),
  removeWithdrawAddress: (address: string) =>
    send<RemovedWithdrawAddress>("DELETE", `${BASE}/withdraw/addresses/${segment(address)}`),
});
