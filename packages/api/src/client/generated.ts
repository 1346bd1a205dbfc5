// Written by `npm run docs` from the routes of the server: change those.
import { type Call, type Given, type ReadOptions, segment, withQuery } from "./call.ts";
import type {
  AccountEvents,
  AccountEventsQuery,
  AccountOpenOrders,
  AccountOrderPage,
  AccountOrderRequest,
  AccountTradePage,
  ActivePositions,
  AdminDashboard,
  AdminKol,
  AdminKolList,
  AdminKolQuery,
  AdminPointsSeason,
  AffiliateRecordList,
  ApiKey,
  ApiKeyRequest,
  AuditLogQuery,
  AuditPage,
  BdAccount,
  BdAccountList,
  BdChangeReply,
  BdChangeRequest,
  BdDashboard,
  BindReply,
  BonusAccountDetail,
  BonusAccountList,
  BonusAccountsQuery,
  BonusBatch,
  BonusBatchList,
  BonusCampaign,
  BonusControlReply,
  BonusControlRequest,
  BonusLedger,
  BonusLedgerQuery,
  BonusListQuery,
  BonusReconcileReport,
  BrokerLeaderboard,
  BrokerLeaderboardQuery,
  BrokerOverview,
  BrokerPerformance,
  BulkReassignReply,
  BulkReassignRequest,
  CalculateRebatesRequest,
  CalculatedRebates,
  CampaignRequest,
  CanceledOrder,
  CapitalCoin,
  CapitalDeposit,
  CapitalDepositAddress,
  CapitalWithdrawal,
  ClaimedRebate,
  ClockReply,
  ClockRequest,
  CursorQuery,
  DailyBoard,
  DayRangeQuery,
  DepositList,
  DownlineList,
  DownlineQuery,
  EarnDomainReply,
  EarnLevelConfig,
  EarnSubscription,
  EarnSubscriptionList,
  EarnSubscriptionListQuery,
  EndCodesRequest,
  EpochBoard,
  EquityHistory,
  ExpireCodesReply,
  ExplainedRecord,
  ExternalTicker,
  FapiAdlQuantile,
  FapiAdlRisk,
  FapiAggTrade,
  FapiAlgoCanceled,
  FapiAlgoOrder,
  FapiAmendment,
  FapiBasis,
  FapiBatchReply,
  FapiBookTicker,
  FapiCommissionRate,
  FapiConstituents,
  FapiCountdown,
  FapiDepth,
  FapiDone,
  FapiDownloadId,
  FapiDownloadLink,
  FapiExchangeInfo,
  FapiForcedClose,
  FapiFundingInfo,
  FapiFundingRate,
  FapiInsuranceBalance,
  FapiKline,
  FapiLeverage,
  FapiLeverageBrackets,
  FapiLongShortRatio,
  FapiMarginMove,
  FapiOpenInterest,
  FapiOpenInterestPoint,
  FapiOrder,
  FapiPositionMargin,
  FapiPositionRisk,
  FapiPremiumIndex,
  FapiPriceTicker,
  FapiRateLimit,
  FapiSide,
  FapiSymbolConfig,
  FapiTakerVolume,
  FapiTicker,
  FapiTrade,
  FaucetReply,
  FaucetRequest,
  FeeInfo,
  FundReport,
  FundingRates,
  GenerateCodesReply,
  GenerateCodesRequest,
  GrantBatchQuery,
  GrantBatchReply,
  GrantBatchRequest,
  GrantForecast,
  HeldAmountList,
  IncomePage,
  IncomeQuery,
  Invariants,
  InviteCode,
  InviteCodeChangeRequest,
  InviteCodeList,
  InviteCodeQuery,
  JobList,
  JobRun,
  KolChangeReply,
  KolChangeRequest,
  KolTierReply,
  KolTierRequest,
  LinkedFreezeReply,
  LinkedFreezeRequest,
  Liveness,
  LogoutReply,
  MarginModeReply,
  MarginModeRequest,
  MarginModes,
  MarketInfo,
  MarketList,
  MarketRequest,
  MarketRulesReply,
  MarketRulesRequest,
  MarketRulesView,
  MarketStatusRequest,
  MyBonus,
  MyPayout,
  MyPayoutsQuery,
  NewApiKey,
  NewBdCodeRequest,
  NewBdRequest,
  NewInviteCodeRequest,
  NewKolRequest,
  NonceReply,
  OpenOrdersQuery,
  OrderListQuery,
  OrderPreview,
  OwnPoints,
  PayoutBatch,
  PayoutBatchDetail,
  PayoutBatchList,
  PayoutBatchListQuery,
  PayoutBatchQuery,
  PayoutBatchRequest,
  PayoutList,
  PayoutListQuery,
  PeriodQuery,
  Personas,
  PinnedPrice,
  PlacedOrder,
  PointsBoardQuery,
  PointsLedger,
  PointsLedgerQuery,
  PointsLevels,
  PointsLevelsRequest,
  PointsMakers,
  PointsMakersRequest,
  PointsRule,
  PointsRules,
  PointsRulesRequest,
  PointsSeason,
  PoolLedger,
  PreparedSubscription,
  PriceInput,
  PriceReport,
  PriceReports,
  ProductCancelRequest,
  ProductChangeRequest,
  ProductDetail,
  ProductFundRequest,
  ProductList,
  ProductListQuery,
  ProductRequest,
  ProductSolvency,
  PublicConfig,
  PushedPriceRequest,
  Readiness,
  ReassignReply,
  ReassignRequest,
  RebateProof,
  RebateRecordList,
  RebateTrend,
  RedeemReply,
  ReferralInfo,
  ReferralOperatorStatus,
  ReferralTierReply,
  ReferralTierRequest,
  RemovedWithdrawAddress,
  ReviewedWithdrawal,
  RevokedApiKey,
  RiskEvents,
  RiskEventsQuery,
  RiskQuery,
  RiskReport,
  RulesVersion,
  RulesVersionReply,
  RulesVersionRequest,
  SeasonAllocation,
  SeasonChangeRequest,
  SeasonRequest,
  ServerTime,
  SettlementRoot,
  ShareIncomeList,
  SkippedFills,
  SkippedFillsQuery,
  Switches,
  SwitchesRequest,
  SystemStatus,
  TierThresholds,
  TierThresholdsRequest,
  TokenReply,
  TradeListQuery,
  TraderReferralInfo,
  UnfairTransfers,
  UnfairTransfersQuery,
  UnifiedAccount,
  UserRebateInfo,
  VoidCodesReply,
  WhatIf,
  WhatIfQuery,
  WithdrawAddress,
  WithdrawAddressList,
  WithdrawAddressRequest,
  WithdrawReply,
  WithdrawRequest,
  WithdrawalList,
  WithdrawalListQuery,
  WithdrawalReviewList,
  WithdrawalReviewQuery,
  WithdrawalReviewRequest,
} from "../schemas.ts";

const operations = (call: Call) => ({
  /** The process answers. */
  liveness: (options?: ReadOptions) =>
    call.get<Liveness>("/healthz", {}, options),
  /** Whether each part can serve. */
  readiness: (options?: ReadOptions) =>
    call.get<Readiness>("/readyz", {}, options),
  /** Public configuration for clients. */
  config: (options?: ReadOptions) =>
    call.get<PublicConfig>("/api/v1/config", {}, options),
  /** The audit log, newest first. */
  auditLog: (query: Given<AuditLogQuery> = {}, options?: ReadOptions) =>
    call.get<AuditPage>("/api/v1/admin/audit-log", query, options),
  /** Background jobs with their last run and errors. */
  jobs: (options?: ReadOptions) =>
    call.get<JobList>("/api/v1/admin/jobs", {}, options),
});

const auth = (call: Call) => ({
  /** Ask for a nonce to sign in with a wallet. */
  nonce: (address: string, options?: ReadOptions) =>
    call.send<NonceReply>("POST", "/api/v1/auth/nonce", { address }, options),
  /** Sign in with a wallet (EIP-4361). */
  login: (message: string, signature: string, options?: ReadOptions) =>
    call.send<TokenReply>("POST", "/api/v1/auth/login", { message, signature }, options),
  /** Sign in as admin or BD. */
  staffLogin: (username: string, password: string, options?: ReadOptions) =>
    call.send<TokenReply>("POST", "/api/v1/broker/auth/login", { username, password }, options),
  /** Exchange a refresh token for new tokens. */
  refresh: (refresh_token: string, options?: ReadOptions) =>
    call.send<TokenReply>("POST", "/api/v1/auth/refresh", { refresh_token }, options),
  /** End the session at once. */
  logout: (options?: ReadOptions) =>
    call.send<LogoutReply>("POST", "/api/v1/auth/logout", undefined, options),
});

const account = (call: Call) => ({
  /** Create an API key. */
  createApiKey: (request: Given<ApiKeyRequest>, options?: ReadOptions) =>
    call.send<NewApiKey>("POST", "/api/v1/account/api-keys", request, options),
  /** List own API keys. */
  apiKeys: (options?: ReadOptions) =>
    call.get<ApiKey[]>("/api/v1/account/api-keys", {}, options),
  /** Revoke an API key at once. */
  revokeApiKey: (api_key: string | number, options?: ReadOptions) =>
    call.send<RevokedApiKey>("DELETE", `/api/v1/account/api-keys/${segment(api_key)}`, undefined, options),
  /** Open orders, conditional ones included, by time. */
  openOrders: (query: Given<OpenOrdersQuery> = {}, options?: ReadOptions) =>
    call.get<AccountOpenOrders>("/api/v1/orders/open", query, options),
  /** Orders, open and closed, by time. */
  orders: (query: Given<OrderListQuery> = {}, options?: ReadOptions) =>
    call.get<AccountOrderPage>("/api/v1/account/orders", query, options),
  /** Balances, margin and positions. */
  unified: (options?: ReadOptions) =>
    call.get<UnifiedAccount>("/api/v1/unified/account", {}, options),
  /** Positions that are not flat. */
  positions: (options?: ReadOptions) =>
    call.get<ActivePositions>("/api/v1/positions/active", {}, options),
  /** Private events, resumable. */
  events: (query: Given<AccountEventsQuery> = {}, options?: ReadOptions) =>
    call.get<AccountEvents>("/api/v1/account/events", query, options),
  /** Own trades, by time. */
  trades: (query: Given<TradeListQuery> = {}, options?: ReadOptions) =>
    call.get<AccountTradePage>("/api/v1/account/trades", query, options),
  /** Income by time. */
  income: (query: Given<IncomeQuery> = {}, options?: ReadOptions) =>
    call.get<IncomePage>("/api/v1/account/income", query, options),
  /** Hourly equity of the account. */
  equityHistory: (query: Given<CursorQuery> = {}, options?: ReadOptions) =>
    call.get<EquityHistory>("/api/v1/account/equity-history", query, options),
  /** Margin mode of one symbol, or of all. */
  marginModes: (symbol?: string, options?: ReadOptions) =>
    call.get<MarginModes>("/api/v1/account/margin-mode", { symbol }, options),
  /** Set cross or isolated margin for a symbol. */
  setMarginMode: (symbol: string, margin_mode: string, request: Given<Omit<MarginModeRequest, "symbol" | "margin_mode">> = {}, options?: ReadOptions) =>
    call.send<MarginModeReply>("POST", "/api/v1/account/margin-mode", { symbol, margin_mode, ...request }, options),
  /** The fee schedule; with a wallet's token also its own rates. */
  feeInfo: (options?: ReadOptions) =>
    call.get<FeeInfo>("/api/v1/account/fee-info", {}, options),
  /** Own deposits, by time. */
  deposits: (query: Given<WithdrawalListQuery> = {}, options?: ReadOptions) =>
    call.get<DepositList>("/api/v1/deposit/list", query, options),
  /** Withdraw to a wallet. */
  withdraw: (request: Given<WithdrawRequest>, options?: ReadOptions) =>
    call.send<WithdrawReply>("POST", "/api/v1/withdraw/request", request, options),
  /** Own withdrawals, by time. */
  withdrawals: (query: Given<WithdrawalListQuery> = {}, options?: ReadOptions) =>
    call.get<WithdrawalList>("/api/v1/withdraw/list", query, options),
  /** What of the wallet's money is held, why and until when. */
  holds: (options?: ReadOptions) =>
    call.get<HeldAmountList>("/api/v1/withdraw/holds", {}, options),
  /** Addresses that API keys may withdraw to, besides the wallet itself. */
  withdrawAddresses: (options?: ReadOptions) =>
    call.get<WithdrawAddressList>("/api/v1/withdraw/addresses", {}, options),
  /** Allow API keys to withdraw to an address. */
  addWithdrawAddress: (request: Given<WithdrawAddressRequest>, options?: ReadOptions) =>
    call.send<WithdrawAddress>("POST", "/api/v1/withdraw/addresses", request, options),
  /** Remove an address from the list. */
  removeWithdrawAddress: (address: string | number, options?: ReadOptions) =>
    call.send<RemovedWithdrawAddress>("DELETE", `/api/v1/withdraw/addresses/${segment(address)}`, undefined, options),
  /** Positions and their risk. */
  positionRisk: (symbol?: string, options?: ReadOptions) =>
    call.get<FapiPositionRisk[]>("/fapi/v3/positionRisk", { symbol }, options),
  /** Settings by symbol. */
  symbolConfigs: (symbol?: string, options?: ReadOptions) =>
    call.get<FapiSymbolConfig[]>("/fapi/v1/symbolConfig", { symbol }, options),
  /** Effective fee rates. */
  commissionRate: (symbol: string, options?: ReadOptions) =>
    call.get<FapiCommissionRate>("/fapi/v1/commissionRate", { symbol }, options),
  /** Order limits. */
  orderRateLimits: (options?: ReadOptions) =>
    call.get<FapiRateLimit[]>("/fapi/v1/rateLimit/order", {}, options),
  /** Orders of liquidations. */
  forcedOrders: (query: Given<{ symbol?: string; autoCloseType?: string; startTime?: number; endTime?: number; limit?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiOrder[]>("/fapi/v1/forceOrders", query, options),
  /** Deleveraging rank. */
  adlQuantile: (symbol?: string, options?: ReadOptions) =>
    call.get<FapiAdlQuantile[]>("/fapi/v1/adlQuantile", { symbol }, options),
  /** Set the leverage of a symbol. */
  setLeverage: (symbol: string, leverage: number, options?: ReadOptions) =>
    call.sendForm<FapiLeverage>("POST", "/fapi/v1/leverage", { symbol, leverage }, options),
  /** Move margin into or out of an isolated position. */
  moveMargin: (request: Given<{ symbol: string; amount: string; type: number; positionSide?: string }>, options?: ReadOptions) =>
    call.sendForm<FapiPositionMargin>("POST", "/fapi/v1/positionMargin", request, options),
  /** Margin moved into and out of isolated positions. */
  marginMoves: (query: Given<{ symbol: string; type?: number; startTime?: number; endTime?: number; limit?: number }>, options?: ReadOptions) =>
    call.get<FapiMarginMove[]>("/fapi/v1/positionMargin/history", query, options),
  /** Ask for a file of income. */
  requestDownloadOfIncome: (startTime: number, endTime: number, options?: ReadOptions) =>
    call.get<FapiDownloadId>("/fapi/v1/income/asyn", { startTime, endTime }, options),
  /** Where a file of income is. */
  downloadOfIncome: (downloadId: string, options?: ReadOptions) =>
    call.get<FapiDownloadLink>("/fapi/v1/income/asyn/id", { downloadId }, options),
  /** Ask for a file of orders. */
  requestDownloadOfOrder: (startTime: number, endTime: number, options?: ReadOptions) =>
    call.get<FapiDownloadId>("/fapi/v1/order/asyn", { startTime, endTime }, options),
  /** Where a file of orders is. */
  downloadOfOrder: (downloadId: string, options?: ReadOptions) =>
    call.get<FapiDownloadLink>("/fapi/v1/order/asyn/id", { downloadId }, options),
  /** Ask for a file of own trades. */
  requestDownloadOfTrade: (startTime: number, endTime: number, options?: ReadOptions) =>
    call.get<FapiDownloadId>("/fapi/v1/trade/asyn", { startTime, endTime }, options),
  /** Where a file of own trades is. */
  downloadOfTrade: (downloadId: string, options?: ReadOptions) =>
    call.get<FapiDownloadLink>("/fapi/v1/trade/asyn/id", { downloadId }, options),
});

const market = (call: Call) => ({
  /** All markets with their parameters. */
  markets: (options?: ReadOptions) =>
    call.get<MarketList>("/api/v1/markets", {}, options),
  /** Liquidations, take-overs, auto-deleveraging and the fund's fills. */
  riskEvents: (symbol: string | number, query: Given<RiskEventsQuery> = {}, options?: ReadOptions) =>
    call.get<RiskEvents>(`/api/v1/markets/${segment(symbol)}/risk-events`, query, options),
  /** Funding: estimated and settled rates. */
  fundingRates: (symbol: string | number, query: Given<CursorQuery> = {}, options?: ReadOptions) =>
    call.get<FundingRates>(`/api/v1/funding-rates/${segment(symbol)}`, query, options),
  /** Prices and the last 24 hours of a market. */
  ticker: (symbol: string | number, options?: ReadOptions) =>
    call.get<ExternalTicker>(`/api/v1/external/markets/${segment(symbol)}/ticker`, {}, options),
  /** Server time. */
  serverTime: (options?: ReadOptions) =>
    call.get<ServerTime>("/fapi/v1/time", {}, options),
  /** Markets, filters and limits. */
  exchangeInfo: (options?: ReadOptions) =>
    call.get<FapiExchangeInfo>("/fapi/v1/exchangeInfo", {}, options),
  /** Brackets of leverage and maintenance margin. */
  leverageBrackets: (symbol?: string, options?: ReadOptions) =>
    call.get<FapiLeverageBrackets>("/fapi/v1/leverageBracket", { symbol }, options),
  /** Order book. */
  depth: (symbol: string, query: Given<{ limit?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiDepth>("/fapi/v1/depth", { symbol, ...query }, options),
  /** Recent trades. */
  trades: (symbol: string, query: Given<{ limit?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiTrade[]>("/fapi/v1/trades", { symbol, ...query }, options),
  /** Older trades. */
  historicalTrades: (symbol: string, query: Given<{ limit?: number; fromId?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiTrade[]>("/fapi/v1/historicalTrades", { symbol, ...query }, options),
  /** Trades by taking order. */
  aggTrades: (symbol: string, query: Given<{ limit?: number; fromId?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiAggTrade[]>("/fapi/v1/aggTrades", { symbol, ...query }, options),
  /** The last 24 hours. */
  ticker24h: (symbol: string, options?: ReadOptions) =>
    call.get<FapiTicker>("/fapi/v1/ticker/24hr", { symbol }, options),
  /** The last 24 hours. */
  tickers24h: (options?: ReadOptions) =>
    call.get<FapiTicker[]>("/fapi/v1/ticker/24hr", {}, options),
  /** Last price. */
  lastPrice: (symbol: string, options?: ReadOptions) =>
    call.get<FapiPriceTicker>("/fapi/v2/ticker/price", { symbol }, options),
  /** Last price. */
  lastPrices: (options?: ReadOptions) =>
    call.get<FapiPriceTicker[]>("/fapi/v2/ticker/price", {}, options),
  /** Best bid and ask. */
  bookTicker: (symbol: string, options?: ReadOptions) =>
    call.get<FapiBookTicker>("/fapi/v1/ticker/bookTicker", { symbol }, options),
  /** Best bid and ask. */
  bookTickers: (options?: ReadOptions) =>
    call.get<FapiBookTicker[]>("/fapi/v1/ticker/bookTicker", {}, options),
  /** Mark price and funding. */
  premiumIndex: (symbol: string, options?: ReadOptions) =>
    call.get<FapiPremiumIndex>("/fapi/v1/premiumIndex", { symbol }, options),
  /** Mark price and funding. */
  premiumIndexes: (options?: ReadOptions) =>
    call.get<FapiPremiumIndex[]>("/fapi/v1/premiumIndex", {}, options),
  /** Settled funding rates. */
  fundingRate: (query: Given<{ symbol?: string; limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiFundingRate[]>("/fapi/v1/fundingRate", query, options),
  /** Caps and interval of funding. */
  fundingInfo: (options?: ReadOptions) =>
    call.get<FapiFundingInfo[]>("/fapi/v1/fundingInfo", {}, options),
  /** Open interest. */
  openInterest: (symbol: string, options?: ReadOptions) =>
    call.get<FapiOpenInterest>("/fapi/v1/openInterest", { symbol }, options),
  /** The insurance fund. */
  insuranceBalances: (options?: ReadOptions) =>
    call.get<FapiInsuranceBalance[]>("/fapi/v1/insuranceBalance", {}, options),
  /** Sources of the index price. */
  constituents: (symbol: string, options?: ReadOptions) =>
    call.get<FapiConstituents>("/fapi/v1/constituents", { symbol }, options),
  /** How near deleveraging is. */
  adlRisk: (symbol: string, options?: ReadOptions) =>
    call.get<FapiAdlRisk>("/fapi/v1/symbolAdlRisk", { symbol }, options),
  /** How near deleveraging is. */
  adlRisks: (options?: ReadOptions) =>
    call.get<FapiAdlRisk[]>("/fapi/v1/symbolAdlRisk", {}, options),
  /** Liquidations of all accounts. */
  forcedCloses: (query: Given<{ symbol?: string; limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiForcedClose[]>("/fapi/v1/allForceOrders", query, options),
  /** Klines of trades. */
  klines: (symbol: string, interval: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiKline[]>("/fapi/v1/klines", { symbol, interval, ...query }, options),
  /** Klines of the mark price. */
  markPriceKlines: (symbol: string, interval: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiKline[]>("/fapi/v1/markPriceKlines", { symbol, interval, ...query }, options),
  /** Klines of the mark's premium over the index. */
  premiumIndexKlines: (symbol: string, interval: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiKline[]>("/fapi/v1/premiumIndexKlines", { symbol, interval, ...query }, options),
  /** Klines of the index price. */
  indexPriceKlines: (pair: string, interval: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiKline[]>("/fapi/v1/indexPriceKlines", { pair, interval, ...query }, options),
  /** Open interest of the past. */
  openInterestHistory: (symbol: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiOpenInterestPoint[]>("/futures/data/openInterestHist", { symbol, period, ...query }, options),
  /** Accounts that are long and short. */
  globalLongShortAccountRatio: (symbol: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiLongShortRatio[]>("/futures/data/globalLongShortAccountRatio", { symbol, period, ...query }, options),
  /** The same of the fifth of traders with the highest margin balance. */
  topLongShortAccountRatio: (symbol: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiLongShortRatio[]>("/futures/data/topLongShortAccountRatio", { symbol, period, ...query }, options),
  /** The positions of the fifth of traders with the highest margin balance. */
  topLongShortPositionRatio: (symbol: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiLongShortRatio[]>("/futures/data/topLongShortPositionRatio", { symbol, period, ...query }, options),
  /** What takers bought and sold. */
  takerVolumes: (symbol: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiTakerVolume[]>("/futures/data/takerlongshortRatio", { symbol, period, ...query }, options),
  /** Last price over the index. */
  basis: (pair: string, period: string, query: Given<{ limit?: number; startTime?: number; endTime?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiBasis[]>("/futures/data/basis", { contractType: "PERPETUAL", pair, period, ...query }, options),
});

const orders = (call: Call) => ({
  /** Place an order. */
  place: (request: Given<AccountOrderRequest>, options?: ReadOptions) =>
    call.send<PlacedOrder>("POST", "/api/v1/orders", request, options),
  /** Cancel an open order. */
  cancel: (id: string | number, options?: ReadOptions) =>
    call.send<CanceledOrder>("DELETE", `/api/v1/orders/${segment(id)}`, undefined, options),
  /** Preview an order. */
  preview: (request: Given<AccountOrderRequest>, options?: ReadOptions) =>
    call.send<OrderPreview>("POST", "/api/v1/orders/preview", request, options),
  /** New order. */
  placeFapi: (request: Given<{ symbol: string; side: FapiSide; type: string; timeInForce?: string; goodTillDate?: string; priceMatch?: string; quantity?: string; quoteOrderQty?: string; price?: string; stopPrice?: string; workingType?: string; reduceOnly?: boolean; closePosition?: boolean; priceProtect?: boolean; newClientOrderId?: string; newOrderRespType?: string; selfTradePreventionMode?: string; positionSide?: string }>, options?: ReadOptions) =>
    call.sendForm<FapiOrder>("POST", "/fapi/v1/order", request, options),
  /** Modify an order. */
  modify: (request: Given<{ symbol: string; orderId?: number; origClientOrderId?: string; side?: "BUY" | "SELL"; quantity: string; price: string }>, options?: ReadOptions) =>
    call.sendForm<FapiOrder>("PUT", "/fapi/v1/order", request, options),
  /** Cancel an order. */
  cancelFapi: (request: Given<{ symbol: string; orderId?: number; origClientOrderId?: string }>, options?: ReadOptions) =>
    call.sendForm<FapiOrder>("DELETE", "/fapi/v1/order", request, options),
  /** One order. */
  find: (query: Given<{ symbol: string; orderId?: number; origClientOrderId?: string }>, options?: ReadOptions) =>
    call.get<FapiOrder>("/fapi/v1/order", query, options),
  /** Check an order without placing it. */
  testFapi: (request: Given<{ symbol: string; side: FapiSide; type: string; timeInForce?: string; goodTillDate?: string; priceMatch?: string; quantity?: string; quoteOrderQty?: string; price?: string; stopPrice?: string; workingType?: string; reduceOnly?: boolean; closePosition?: boolean; priceProtect?: boolean; newClientOrderId?: string; newOrderRespType?: string; selfTradePreventionMode?: string; positionSide?: string }>, options?: ReadOptions) =>
    call.sendForm<Record<string, never>>("POST", "/fapi/v1/order/test", request, options),
  /** Modifications of an order. */
  amendments: (query: Given<{ symbol: string; orderId?: number; origClientOrderId?: string; startTime?: number; endTime?: number; limit?: number }>, options?: ReadOptions) =>
    call.get<FapiAmendment[]>("/fapi/v1/orderAmendment", query, options),
  /** Cancel all open orders of a symbol. */
  cancelAll: (symbol: string, options?: ReadOptions) =>
    call.sendForm<FapiDone>("DELETE", "/fapi/v1/allOpenOrders", { symbol }, options),
  /** Cancel all open orders of a symbol unless called again in time. */
  cancelAllAfter: (symbol: string, countdownTime: number, options?: ReadOptions) =>
    call.sendForm<FapiCountdown>("POST", "/fapi/v1/countdownCancelAll", { symbol, countdownTime }, options),
  /** Up to five new orders. */
  placeBatch: (batchOrders: string, options?: ReadOptions) =>
    call.sendForm<FapiBatchReply>("POST", "/fapi/v1/batchOrders", { batchOrders }, options),
  /** Modify up to five orders. */
  modifyBatch: (batchOrders: string, options?: ReadOptions) =>
    call.sendForm<FapiBatchReply>("PUT", "/fapi/v1/batchOrders", { batchOrders }, options),
  /** Cancel up to ten orders. */
  cancelBatch: (request: Given<{ symbol: string; orderIdList?: string; origClientOrderIdList?: string }>, options?: ReadOptions) =>
    call.sendForm<FapiBatchReply>("DELETE", "/fapi/v1/batchOrders", request, options),
  /** New conditional order. */
  placeAlgo: (request: Given<{ symbol: string; side: FapiSide; type: string; timeInForce?: string; goodTillDate?: string; priceMatch?: string; quantity?: string; price?: string; triggerPrice?: string; activatePrice?: string; callbackRate?: string; workingType?: string; closePosition?: boolean; priceProtect?: boolean; reduceOnly?: boolean; clientAlgoId?: string; selfTradePreventionMode?: string; positionSide?: string }>, options?: ReadOptions) =>
    call.sendForm<FapiAlgoOrder>("POST", "/fapi/v1/algoOrder", { algoType: "CONDITIONAL", ...request }, options),
  /** Cancel a conditional order. */
  cancelAlgo: (request: Given<{ algoId?: number; clientAlgoId?: string }> = {}, options?: ReadOptions) =>
    call.sendForm<FapiAlgoCanceled>("DELETE", "/fapi/v1/algoOrder", request, options),
  /** One conditional order. */
  findAlgo: (query: Given<{ algoId?: number; clientAlgoId?: string }> = {}, options?: ReadOptions) =>
    call.get<FapiAlgoOrder>("/fapi/v1/algoOrder", query, options),
  /** Waiting conditional orders. */
  openAlgos: (query: Given<{ symbol?: string; algoType?: string; algoId?: number }> = {}, options?: ReadOptions) =>
    call.get<FapiAlgoOrder[]>("/fapi/v1/openAlgoOrders", query, options),
  /** Conditional orders, waiting and ended. */
  allAlgos: (query: Given<{ symbol: string; algoId?: number; startTime?: number; endTime?: number; page?: number; limit?: number }>, options?: ReadOptions) =>
    call.get<FapiAlgoOrder[]>("/fapi/v1/allAlgoOrders", query, options),
  /** Cancel all conditional orders of a symbol. */
  cancelAllAlgos: (symbol: string, options?: ReadOptions) =>
    call.sendForm<FapiDone>("DELETE", "/fapi/v1/algoOpenOrders", { symbol }, options),
});

const exchangeAdmin = (call: Call) => ({
  /** Withdrawals that wait for review, the oldest first. */
  withdrawalReviews: (query: Given<WithdrawalReviewQuery> = {}, options?: ReadOptions) =>
    call.get<WithdrawalReviewList>("/api/v1/admin/withdrawals/reviews", query, options),
  /** Let a withdrawal go that waits for review. */
  releaseWithdrawal: (id: string | number, request: Given<WithdrawalReviewRequest>, options?: ReadOptions) =>
    call.send<ReviewedWithdrawal>("POST", `/api/v1/admin/withdrawals/${segment(id)}/release`, request, options),
  /** Refuse a withdrawal that waits for review. */
  refuseWithdrawal: (id: string | number, request: Given<WithdrawalReviewRequest>, options?: ReadOptions) =>
    call.send<ReviewedWithdrawal>("POST", `/api/v1/admin/withdrawals/${segment(id)}/refuse`, request, options),
  /** Sources of each market's index price. */
  prices: (options?: ReadOptions) =>
    call.get<PriceReports>("/api/v1/admin/prices", {}, options),
  /** Push a price. */
  pushPrice: (request: Given<PushedPriceRequest>, options?: ReadOptions) =>
    call.send<PriceReport>("POST", "/api/v1/admin/prices", request, options),
  /** All markets, halted ones included. */
  markets: (options?: ReadOptions) =>
    call.get<MarketList>("/api/v1/admin/markets", {}, options),
  /** Add a market. */
  addMarket: (request: Given<MarketRequest>, options?: ReadOptions) =>
    call.send<MarketInfo>("POST", "/api/v1/admin/markets", request, options),
  /** Set a market to trading, reduce-only or halted. */
  setMarketStatus: (symbol: string | number, request: Given<MarketStatusRequest>, options?: ReadOptions) =>
    call.send<MarketInfo>("PUT", `/api/v1/admin/markets/${segment(symbol)}`, request, options),
  /** The bounds of a market. */
  marketRules: (symbol: string | number, options?: ReadOptions) =>
    call.get<MarketRulesView>(`/api/v1/admin/markets/${segment(symbol)}/rules`, {}, options),
  /** Change bounds of a market. */
  setMarketRules: (symbol: string | number, request: Given<MarketRulesRequest> = {}, options?: ReadOptions) =>
    call.send<MarketRulesReply>("PUT", `/api/v1/admin/markets/${segment(symbol)}/rules`, request, options),
  /** INV-10: the insurance fund in every market. */
  fund: (options?: ReadOptions) =>
    call.get<FundReport>("/api/v1/admin/risk/fund", {}, options),
  /** INV-11: money that pairs of accounts moved by fills far from the mark. */
  transfers: (query: Given<UnfairTransfersQuery> = {}, options?: ReadOptions) =>
    call.get<UnfairTransfers>("/api/v1/admin/risk/transfers", query, options),
  /** Invariants, checked now. */
  invariants: (options?: ReadOptions) =>
    call.get<Invariants>("/api/v1/admin/invariants", {}, options),
  /** The rules version that holds, and the newest possible one. */
  rulesVersion: (options?: ReadOptions) =>
    call.get<RulesVersion>("/api/v1/admin/rules-version", {}, options),
  /** Change to later rules, for good. */
  setRulesVersion: (request: Given<RulesVersionRequest>, options?: ReadOptions) =>
    call.send<RulesVersionReply>("POST", "/api/v1/admin/rules-version", request, options),
  /** The kill switches. */
  switches: (options?: ReadOptions) =>
    call.get<Switches>("/api/v1/admin/switches", {}, options),
  /** Set the kill switches. */
  setSwitches: (request: Given<SwitchesRequest>, options?: ReadOptions) =>
    call.send<Switches>("PUT", "/api/v1/admin/switches", request, options),
});

const dev = (call: Call) => ({
  /** Gas, test USDT and a deposit for a wallet. */
  faucet: (request: Given<FaucetRequest>, options?: ReadOptions) =>
    call.send<FaucetReply>("POST", "/api/v1/dev/faucet", request, options),
  /** Pin a symbol's index price. */
  pinPrice: (symbol: string, price: PriceInput | null, options?: ReadOptions) =>
    call.send<PinnedPrice>("POST", "/api/v1/dev/price", { symbol, price }, options),
  /** The demo's personas with their keys. */
  personas: (options?: ReadOptions) =>
    call.get<Personas>("/api/v1/dev/personas", {}, options),
  /** Move the platform's clock forward. */
  moveClock: (request: Given<ClockRequest> = {}, options?: ReadOptions) =>
    call.send<ClockReply>("POST", "/api/v1/dev/clock", request, options),
  /** Run a background job now. */
  runJob: (name: string | number, options?: ReadOptions) =>
    call.send<JobRun>("POST", `/api/v1/dev/jobs/${segment(name)}/run`, undefined, options),
});

const referral = (call: Call) => ({
  /** A user's rebates, code and tier. */
  userRebate: (address: string | number, options?: ReadOptions) =>
    call.get<UserRebateInfo>(`/referral/on-chain/user-rebate/${segment(address)}`, {}, options),
  /** A trader's referral code with discount and reward. */
  info: (address: string | number, options?: ReadOptions) =>
    call.get<TraderReferralInfo>(`/referral/on-chain/referral-info/${segment(address)}`, {}, options),
  /** A user's claimed rebates. */
  claimed: (address: string | number, options?: ReadOptions) =>
    call.get<ClaimedRebate>(`/referral/on-chain/claimed/${segment(address)}`, {}, options),
  /** Whether the platform is an operator of the referral contract. */
  operatorStatus: (options?: ReadOptions) =>
    call.get<ReferralOperatorStatus>("/referral/on-chain/operator-status", {}, options),
});

const referralAdmin = (call: Call) => ({
  /** Set an affiliate's tier on the chain. */
  setTier: (request: Given<ReferralTierRequest>, options?: ReadOptions) =>
    call.send<ReferralTierReply>("PUT", "/api/v1/referral/admin/tier", request, options),
});

const earn = (call: Call) => ({
  /** The EIP-712 domain and types of vouchers. */
  domain: (options?: ReadOptions) =>
    call.get<EarnDomainReply>("/earn/domain", {}, options),
  /** Products, newest first. */
  products: (query: Given<ProductListQuery> = {}, options?: ReadOptions) =>
    call.get<ProductList>("/earn/products", query, options),
  /** One product. */
  product: (id: string | number, options?: ReadOptions) =>
    call.get<ProductDetail>(`/earn/products/${segment(id)}`, {}, options),
  /** The contract's balance and liabilities. */
  solvency: (id: string | number, options?: ReadOptions) =>
    call.get<ProductSolvency>(`/earn/products/${segment(id)}/solvency`, {}, options),
  /** Get a voucher for a subscription. */
  prepare: (product_id: string, amount: unknown, options?: ReadOptions) =>
    call.send<PreparedSubscription>("POST", "/earn/subscribe/prepare", { product_id, amount }, options),
  /** Own subscriptions, newest first. */
  subscriptions: (query: Given<EarnSubscriptionListQuery> = {}, options?: ReadOptions) =>
    call.get<EarnSubscriptionList>("/earn/subscriptions", query, options),
  /** One own subscription. */
  subscription: (id: string | number, options?: ReadOptions) =>
    call.get<EarnSubscription>(`/earn/subscriptions/${segment(id)}`, {}, options),
});

const earnAdmin = (call: Call) => ({
  /** Create a product. */
  createProduct: (request: Given<ProductRequest>, options?: ReadOptions) =>
    call.send<ProductDetail>("POST", "/api/v1/earn/admin/products", request, options),
  /** Change a product. */
  changeProduct: (id: string | number, request: Given<ProductChangeRequest> = {}, options?: ReadOptions) =>
    call.send<ProductDetail>("PUT", `/api/v1/earn/admin/products/${segment(id)}`, request, options),
  /** Cancel a product that is not settled. */
  cancelProduct: (id: string | number, request: Given<ProductCancelRequest> = {}, options?: ReadOptions) =>
    call.send<ProductDetail>("POST", `/api/v1/earn/admin/products/${segment(id)}/cancel`, request, options),
  /** Fund a product's interest. */
  fundProduct: (id: string | number, request: Given<ProductFundRequest>, options?: ReadOptions) =>
    call.send<ProductDetail>("POST", `/api/v1/earn/admin/products/${segment(id)}/fund`, request, options),
});

const brokerAdmin = (call: Call) => ({
  /** Create a BD. */
  createBd: (request: Given<NewBdRequest>, options?: ReadOptions) =>
    call.send<BdAccount>("POST", "/api/v1/broker/admin/bd", request, options),
  /** All BDs, newest first. */
  bds: (options?: ReadOptions) =>
    call.get<BdAccountList>("/api/v1/broker/admin/bds", {}, options),
  /** Rename, disable or enable a BD. */
  changeBd: (id: string | number, request: Given<BdChangeRequest> = {}, options?: ReadOptions) =>
    call.send<BdChangeReply>("PUT", `/api/v1/broker/admin/bd/${segment(id)}`, request, options),
  /** Move all KOLs of a BD to another, or to the company. */
  reassignKols: (id: string | number, request: Given<BulkReassignRequest>, options?: ReadOptions) =>
    call.send<BulkReassignReply>("POST", `/api/v1/broker/admin/bd/${segment(id)}/bulk-reassign`, request, options),
  /** KOLs and sub-KOLs, newest first. */
  kols: (query: Given<AdminKolQuery> = {}, options?: ReadOptions) =>
    call.get<AdminKolList>("/api/v1/broker/admin/kols", query, options),
  /** Make a wallet a KOL. */
  createKol: (request: Given<NewKolRequest>, options?: ReadOptions) =>
    call.send<AdminKol>("POST", "/api/v1/broker/admin/kol", request, options),
  /** Adjust a KOL. */
  changeKol: (id: string | number, request: Given<KolChangeRequest> = {}, options?: ReadOptions) =>
    call.send<KolChangeReply>("PUT", `/api/v1/broker/admin/kol/${segment(id)}`, request, options),
  /** Set a KOL's tier and give it the tier's rate. */
  setKolTier: (id: string | number, request: Given<KolTierRequest>, options?: ReadOptions) =>
    call.send<KolTierReply>("PUT", `/api/v1/broker/admin/kol/${segment(id)}/tier`, request, options),
  /** Reassign a KOL to another BD or to the company. */
  reassignKol: (id: string | number, request: Given<ReassignRequest>, options?: ReadOptions) =>
    call.send<ReassignReply>("PUT", `/api/v1/broker/admin/kol/${segment(id)}/reassign`, request, options),
  /** The tier thresholds. */
  tierThresholds: (options?: ReadOptions) =>
    call.get<TierThresholds>("/api/v1/broker/admin/config/tier-thresholds", {}, options),
  /** Set the tier thresholds. */
  setTierThresholds: (request: Given<TierThresholdsRequest>, options?: ReadOptions) =>
    call.send<TierThresholds>("PUT", "/api/v1/broker/admin/config/tier-thresholds", request, options),
  /** Unset the tier thresholds. */
  unsetTierThresholds: (options?: ReadOptions) =>
    call.send<TierThresholds>("DELETE", "/api/v1/broker/admin/config/tier-thresholds", undefined, options),
  /** Totals of the broker program. */
  dashboard: (options?: ReadOptions) =>
    call.get<AdminDashboard>("/api/v1/broker/admin/dashboard", {}, options),
  /** Settle a day. */
  calculateRebates: (period: unknown, request: Given<Omit<CalculateRebatesRequest, "period">> = {}, options?: ReadOptions) =>
    call.send<CalculatedRebates>("POST", "/api/v1/broker/admin/rebate/calculate", { period, ...request }, options),
  /** Payout batches, newest first. */
  payoutBatches: (query: Given<PayoutBatchListQuery> = {}, options?: ReadOptions) =>
    call.get<PayoutBatchList>("/api/v1/broker/admin/rebate/payout-batches", query, options),
  /** One payout batch and a page of its payees. */
  payoutBatch: (id: string | number, query: Given<PayoutBatchQuery> = {}, options?: ReadOptions) =>
    call.get<PayoutBatchDetail>(`/api/v1/broker/admin/rebate/payout-batches/${segment(id)}`, query, options),
  /** Payees of a batch as CSV. */
  payoutBatchCsv: (id: string | number, options?: ReadOptions) =>
    call.csv(`/api/v1/broker/admin/rebate/payout-batches/${segment(id)}/csv`, {}, options),
  /** Create a payout batch from pending lines. */
  createPayoutBatch: (request: Given<PayoutBatchRequest> = {}, options?: ReadOptions) =>
    call.send<PayoutBatch>("POST", "/api/v1/broker/admin/rebate/payout-batches", request, options),
  /** Pay a batch from the fee account through the chain. */
  payPayoutBatch: (id: string | number, options?: ReadOptions) =>
    call.send<PayoutBatch>("POST", `/api/v1/broker/admin/rebate/payout-batches/${segment(id)}/pay`, undefined, options),
  /** Mark a batch as paid by an outside transaction. */
  confirmPayoutBatch: (id: string | number, payment_tx_hash: string, options?: ReadOptions) =>
    call.send<PayoutBatch>("POST", `/api/v1/broker/admin/rebate/payout-batches/${segment(id)}/confirm`, { payment_tx_hash }, options),
  /** Cancel an open batch. */
  cancelPayoutBatch: (id: string | number, options?: ReadOptions) =>
    call.send<PayoutBatch>("POST", `/api/v1/broker/admin/rebate/payout-batches/${segment(id)}/cancel`, undefined, options),
  /** Rebate records by payment status. */
  payoutList: (query: Given<PayoutListQuery> = {}, options?: ReadOptions) =>
    call.get<PayoutList>("/api/v1/broker/admin/rebate/payout-list", query, options),
});

const broker = (call: Call) => ({
  /** Bind to an invite code. */
  bind: (code: string, options?: ReadOptions) =>
    call.send<BindReply>("POST", "/api/v1/broker/bind", { code }, options),
  /** Create an invite code. */
  createInviteCode: (request: Given<NewInviteCodeRequest> = {}, options?: ReadOptions) =>
    call.send<InviteCode>("POST", "/api/v1/broker/invite-code", request, options),
  /** Own invite codes, newest first. */
  inviteCodes: (query: Given<InviteCodeQuery> = {}, options?: ReadOptions) =>
    call.get<InviteCodeList>("/api/v1/broker/invite-codes", query, options),
  /** Disable or enable an own invite code. */
  changeInviteCode: (id: string | number, request: Given<InviteCodeChangeRequest>, options?: ReadOptions) =>
    call.send<InviteCode>("PUT", `/api/v1/broker/invite-code/${segment(id)}`, request, options),
  /** The newest active code and all own codes. */
  referralInfo: (options?: ReadOptions) =>
    call.get<ReferralInfo>("/api/v1/broker/referral-info", {}, options),
  /** The Merkle root of a settled day. */
  settlementRoot: (period: string | number, options?: ReadOptions) =>
    call.get<SettlementRoot>(`/api/v1/broker/settlements/${segment(period)}/root`, {}, options),
  /** The proof that a record is under its day's root. */
  rebateProof: (id: string | number, options?: ReadOptions) =>
    call.get<RebateProof>(`/api/v1/broker/rebate-records/${segment(id)}/proof`, {}, options),
  /** Explain how a record was computed. */
  explainRebate: (id: string | number, options?: ReadOptions) =>
    call.get<ExplainedRecord>(`/api/v1/broker/rebate-records/${segment(id)}/explain`, {}, options),
  /** Fills whose fees do not count, or not all of them. */
  skippedFills: (query: Given<SkippedFillsQuery> = {}, options?: ReadOptions) =>
    call.get<SkippedFills>("/api/v1/broker/skipped-fills", query, options),
  /** Payouts to the wallet by batch, newest first. */
  myPayouts: (query: Given<MyPayoutsQuery> = {}, options?: ReadOptions) =>
    call.get<MyPayout[]>("/api/v1/broker/my-payouts", query, options),
  /** Overview of a broker. */
  overview: (options?: ReadOptions) =>
    call.get<BrokerOverview>("/api/v1/broker/overview", {}, options),
  /** Brokers by net rebate. */
  leaderboard: (query: Given<BrokerLeaderboardQuery> = {}, options?: ReadOptions) =>
    call.get<BrokerLeaderboard>("/api/v1/broker/leaderboard", query, options),
  /** A broker's last 30 days. */
  rebateTrend: (options?: ReadOptions) =>
    call.get<RebateTrend>("/api/v1/broker/rebate-trend", {}, options),
  /** Downlines of a broker. */
  downlines: (query: Given<DownlineQuery> = {}, options?: ReadOptions) =>
    call.get<DownlineList>("/api/v1/broker/downlines", query, options),
  /** Rebate records of a broker. */
  rebateRecords: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    call.get<RebateRecordList>("/api/v1/broker/rebate-records", query, options),
  /** A parent's shares of its sub-KOLs' records. */
  shareIncome: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    call.get<ShareIncomeList>("/api/v1/broker/share-income", query, options),
  /** A broker's records as CSV. */
  exportRebateRecords: (query: Given<DayRangeQuery> = {}, options?: ReadOptions) =>
    call.csv("/api/v1/broker/rebate-records/export", query, options),
  /** Rebate records of own trades. */
  myRebate: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    call.get<RebateRecordList>("/api/v1/broker/my-rebate", query, options),
  /** Records of an affiliate. */
  affiliateRecords: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    call.get<AffiliateRecordList>("/api/v1/broker/affiliate-records", query, options),
  /** Sign-ups, traders and earnings by day. */
  performance: (query: Given<DayRangeQuery> = {}, options?: ReadOptions) =>
    call.get<BrokerPerformance>("/api/v1/broker/performance", query, options),
  /** Recompute past fees with another customer ratio. */
  whatIf: (query: Given<WhatIfQuery> = {}, options?: ReadOptions) =>
    call.get<WhatIf>("/api/v1/broker/what-if", query, options),
});

const bd = (call: Call) => ({
  /** Create a code for a new KOL. */
  createInviteCode: (request: Given<NewBdCodeRequest>, options?: ReadOptions) =>
    call.send<InviteCode>("POST", "/api/v1/broker/bd/invite-code", request, options),
  /** Own codes, newest first. */
  inviteCodes: (options?: ReadOptions) =>
    call.get<InviteCodeList>("/api/v1/broker/bd/invite-codes", {}, options),
  /** Own KOLs and their sub-KOLs, newest first. */
  kols: (options?: ReadOptions) =>
    call.get<AdminKolList>("/api/v1/broker/bd/kols", {}, options),
  /** Totals of own KOLs. */
  dashboard: (options?: ReadOptions) =>
    call.get<BdDashboard>("/api/v1/broker/bd/dashboard", {}, options),
  /** KOLs that were bound by a BD's codes. */
  downlines: (options?: ReadOptions) =>
    call.get<DownlineList>("/api/v1/broker/bd/downlines", {}, options),
});

const points = (call: Call) => ({
  /** The levels and their weights. */
  levels: (options?: ReadOptions) =>
    call.get<EarnLevelConfig>("/api/v1/points/earn-level-config", {}, options),
  /** All seasons, by their numbers. */
  seasons: (options?: ReadOptions) =>
    call.get<PointsSeason[]>("/api/v1/points/seasons", {}, options),
  /** A wallet's allocation of a season with its proof. */
  allocation: (id: string | number, address: string | number, options?: ReadOptions) =>
    call.get<SeasonAllocation>(`/api/v1/points/seasons/${segment(id)}/allocation/${segment(address)}`, {}, options),
  /** Leaderboard of the day since 00:00 UTC. */
  dailyBoard: (query: Given<PointsBoardQuery> = {}, options?: ReadOptions) =>
    call.get<DailyBoard>("/api/v1/points/leaderboard/daily", query, options),
  /** Leaderboard of an epoch. */
  epochBoard: (query: Given<PointsBoardQuery> = {}, options?: ReadOptions) =>
    call.get<EpochBoard>("/api/v1/points/leaderboard/epoch", query, options),
  /** The wallet's points, ranks and projected tokens. */
  mine: (options?: ReadOptions) =>
    call.get<OwnPoints>("/api/v1/points/me", {}, options),
  /** Every line of the wallet's points. */
  ledger: (query: Given<PointsLedgerQuery> = {}, options?: ReadOptions) =>
    call.get<PointsLedger>("/api/v1/points/me/ledger", query, options),
});

const pointsAdmin = (call: Call) => ({
  /** The levels. */
  levels: (options?: ReadOptions) =>
    call.get<PointsLevels>("/api/v1/points/admin/levels", {}, options),
  /** Set the levels. */
  setLevels: (request: Given<PointsLevelsRequest>, options?: ReadOptions) =>
    call.send<PointsLevels>("PUT", "/api/v1/points/admin/levels", request, options),
  /** The current points rule and earlier versions. */
  rules: (options?: ReadOptions) =>
    call.get<PointsRules>("/api/v1/points/admin/rules", {}, options),
  /** Add a version of the points rule. */
  setRules: (request: Given<PointsRulesRequest>, options?: ReadOptions) =>
    call.send<PointsRule>("PUT", "/api/v1/points/admin/rules", request, options),
  /** The listed market makers. */
  makers: (options?: ReadOptions) =>
    call.get<PointsMakers>("/api/v1/points/admin/makers", {}, options),
  /** Replace the list of market makers. */
  setMakers: (request: Given<PointsMakersRequest>, options?: ReadOptions) =>
    call.send<PointsMakers>("PUT", "/api/v1/points/admin/makers", request, options),
  /** All seasons with the fields for admins. */
  seasons: (options?: ReadOptions) =>
    call.get<AdminPointsSeason[]>("/api/v1/points/admin/seasons", {}, options),
  /** Create a season. */
  createSeason: (request: Given<SeasonRequest>, options?: ReadOptions) =>
    call.send<AdminPointsSeason>("POST", "/api/v1/points/admin/seasons", request, options),
  /** Change a season. */
  changeSeason: (id: string | number, request: Given<SeasonChangeRequest> = {}, options?: ReadOptions) =>
    call.send<AdminPointsSeason>("PUT", `/api/v1/points/admin/seasons/${segment(id)}`, request, options),
  /** Complete a season. */
  completeSeason: (id: string | number, options?: ReadOptions) =>
    call.send<AdminPointsSeason>("POST", `/api/v1/points/admin/seasons/${segment(id)}/complete`, undefined, options),
});

const bonusAdmin = (call: Call) => ({
  /** Grant a bonus to up to 500 wallets. */
  grant: (request: Given<GrantBatchRequest>, query: Given<GrantBatchQuery> = {}, options?: ReadOptions) =>
    call.send<GrantBatchReply | GrantForecast>("POST", withQuery("/api/v1/bonus/admin/grant-batch", query), request, options),
  /** Generate up to 5000 codes of a batch. */
  generateCodes: (request: Given<GenerateCodesRequest>, options?: ReadOptions) =>
    call.send<GenerateCodesReply>("POST", "/api/v1/bonus/admin/generate-codes", request, options),
  /** Expire a batch's unused codes now. */
  expireCodes: (request: Given<EndCodesRequest>, options?: ReadOptions) =>
    call.send<ExpireCodesReply>("POST", "/api/v1/bonus/admin/expire-codes", request, options),
  /** Void a batch's unused codes. */
  voidCodes: (request: Given<EndCodesRequest>, options?: ReadOptions) =>
    call.send<VoidCodesReply>("POST", "/api/v1/bonus/admin/void-codes", request, options),
  /** Grant batches, newest first. */
  batches: (query: Given<BonusListQuery> = {}, options?: ReadOptions) =>
    call.get<BonusBatchList>("/api/v1/bonus/admin/batches", query, options),
  /** One grant batch. */
  batch: (id: string | number, options?: ReadOptions) =>
    call.get<BonusBatch>(`/api/v1/bonus/admin/batches/${segment(id)}`, {}, options),
  /** Ledger of the bonus pool, newest first. */
  poolLedger: (query: Given<BonusListQuery> = {}, options?: ReadOptions) =>
    call.get<PoolLedger>("/api/v1/bonus/admin/pool-ledger", query, options),
  /** The running campaign. */
  campaign: (options?: ReadOptions) =>
    call.get<BonusCampaign>("/api/v1/bonus/admin/campaign", {}, options),
  /** Change the running campaign, or begin another one. */
  changeCampaign: (request: Given<CampaignRequest> = {}, options?: ReadOptions) =>
    call.send<BonusCampaign>("PUT", "/api/v1/bonus/admin/campaign", request, options),
  /** Freeze a wallet's bonus. */
  freeze: (request: Given<BonusControlRequest>, options?: ReadOptions) =>
    call.send<BonusControlReply>("POST", "/api/v1/bonus/admin/freeze", request, options),
  /** Unfreeze a wallet's bonus. */
  unfreeze: (request: Given<BonusControlRequest>, options?: ReadOptions) =>
    call.send<BonusControlReply>("POST", "/api/v1/bonus/admin/unfreeze", request, options),
  /** Recall a wallet's bonus into the pool. */
  recall: (request: Given<BonusControlRequest>, options?: ReadOptions) =>
    call.send<BonusControlReply>("POST", "/api/v1/bonus/admin/recall", request, options),
  /** Bonuses of all wallets, newest first. */
  accounts: (query: Given<BonusAccountsQuery> = {}, options?: ReadOptions) =>
    call.get<BonusAccountList>("/api/v1/bonus/admin/accounts", query, options),
  /** All bonuses that a wallet has had. */
  account: (address: string | number, options?: ReadOptions) =>
    call.get<BonusAccountDetail>(`/api/v1/bonus/admin/accounts/${segment(address)}`, {}, options),
  /** Reconciliation of the pool's ledger with the accounts. */
  reconcileReport: (options?: ReadOptions) =>
    call.get<BonusReconcileReport>("/api/v1/bonus/admin/reconcile-report", {}, options),
  /** Pairs of linked bonus wallets. */
  risk: (query: Given<RiskQuery> = {}, options?: ReadOptions) =>
    call.get<RiskReport>("/api/v1/bonus/admin/risk", query, options),
  /** Freeze and recall the bonuses of a wallet and its linked wallets. */
  freezeLinked: (request: Given<LinkedFreezeRequest>, options?: ReadOptions) =>
    call.send<LinkedFreezeReply>("POST", "/api/v1/bonus/admin/freeze-linked", request, options),
});

const bonus = (call: Call) => ({
  /** Redeem a bonus code. */
  redeem: (code: string, options?: ReadOptions) =>
    call.send<RedeemReply>("POST", "/api/v1/bonus/redeem", { code }, options),
  /** The wallet's bonus. */
  mine: (options?: ReadOptions) =>
    call.get<MyBonus>("/api/v1/bonus/me", {}, options),
  /** Ledger of the wallet's bonuses. */
  ledger: (query: Given<BonusLedgerQuery> = {}, options?: ReadOptions) =>
    call.get<BonusLedger>("/api/v1/bonus/me/ledger", query, options),
});

const related = (call: Call) => ({
  /** Whether it runs. */
  systemStatus: (options?: ReadOptions) =>
    call.get<SystemStatus>("/sapi/v1/system/status", {}, options),
  /** The coin, its network and limits. */
  coins: (options?: ReadOptions) =>
    call.get<CapitalCoin[]>("/sapi/v1/capital/config/getall", {}, options),
  /** Own deposits, newest first. */
  deposits: (query: Given<{ coin?: string; status?: number; startTime?: number; endTime?: number; offset?: number; limit?: number; txId?: string }> = {}, options?: ReadOptions) =>
    call.get<CapitalDeposit[]>("/sapi/v1/capital/deposit/hisrec", query, options),
  /** Own withdrawals, newest first. */
  withdrawals: (query: Given<{ coin?: string; status?: number; startTime?: number; endTime?: number; offset?: number; limit?: number; withdrawOrderId?: string; idList?: string }> = {}, options?: ReadOptions) =>
    call.get<CapitalWithdrawal[]>("/sapi/v1/capital/withdraw/history", query, options),
  /** The Vault, and what to call. */
  depositAddress: (query: Given<{ coin: string; network?: string }>, options?: ReadOptions) =>
    call.get<CapitalDepositAddress>("/sapi/v1/capital/deposit/address", query, options),
});

/** Every area of the interface, as the routes say it. */
export const createAreas = (call: Call) => ({
  operations: operations(call),
  auth: auth(call),
  account: account(call),
  market: market(call),
  orders: orders(call),
  exchangeAdmin: exchangeAdmin(call),
  dev: dev(call),
  referral: referral(call),
  referralAdmin: referralAdmin(call),
  earn: earn(call),
  earnAdmin: earnAdmin(call),
  brokerAdmin: brokerAdmin(call),
  broker: broker(call),
  bd: bd(call),
  points: points(call),
  pointsAdmin: pointsAdmin(call),
  bonusAdmin: bonusAdmin(call),
  bonus: bonus(call),
  related: related(call),
});
