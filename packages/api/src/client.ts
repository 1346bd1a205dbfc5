import type { ApiKey, NewApiKey, NonceReply, Permission, TokenReply } from "./auth.ts";
import type {
  AdminDashboard,
  AdminKol,
  BdAccount,
  BdChangeRequest,
  BdDashboard,
  BindReply,
  BulkReassignReply,
  BulkReassignRequest,
  InviteCode,
  InviteCodeChangeRequest,
  KolChangeRequest,
  KolTierReply,
  KolTierRequest,
  NewBdCodeRequest,
  NewBdRequest,
  NewInviteCodeRequest,
  NewKolRequest,
  ReassignReply,
  ReassignRequest,
  ReferralInfo,
  TierThresholds,
  TierThresholdsRequest,
} from "./broker-partners.ts";
import type {
  MyPayout,
  PayoutBatch,
  PayoutBatchDetail,
  PayoutBatchList,
  PayoutBatchRequest,
  PayoutList,
  PayoutListQuery,
} from "./broker-payouts.ts";
import type {
  AffiliateRecord,
  BrokerLeaderboard,
  BrokerOverview,
  BrokerPerformance,
  Downline,
  RebateRecord,
  RebateTrend,
  ShareIncome,
  WhatIf,
} from "./broker-reports.ts";
import type {
  CalculatedRebates,
  ExplainedRecord,
  RebateProof,
  SettlementRoot,
  SkippedFills,
} from "./broker-settlement.ts";
import type {
  EarnDomainReply,
  EarnSubscription,
  EarnSubscriptionList,
  PreparedSubscription,
  ProductDetail,
  ProductList,
  ProductSolvency,
  ProductStatus,
} from "./earn.ts";
import type { AuditPage, ClockReply, Job, JobRun, PublicConfig, Readiness } from "./operations.ts";

/** A refusal as the client sees it: the status and the area's body. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const text = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "no reason given";
    super(`${status}: ${text}`);
    this.name = "RequestRefused";
    this.status = status;
    this.body = body;
  }
}

/** Parameters that are given, as a query. */
function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

const BROKER = "/api/v1/broker";
const PAYOUTS = "/api/v1/broker/admin/rebate";

export interface ClientOptions {
  readonly baseUrl: string;
  /** The access token of every call; asked for anew each time, so that a refreshed one is used at once. */
  readonly accessToken?: () => string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

/** The typed client of the JSON areas, shared by the web app and the tests. */
export function createClient({ baseUrl, accessToken, fetch = globalThis.fetch }: ClientOptions) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const token = accessToken?.();
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply: unknown = await response.json();
    if (!response.ok) throw new RequestRefused(response.status, reply);
    return reply as T;
  }
  const segment = encodeURIComponent;

  return {
    config: () => call<PublicConfig>("GET", "/api/v1/config"),
    readiness: () => call<Readiness>("GET", "/readyz"),
    nonce: (address: string) => call<NonceReply>("POST", "/api/v1/auth/nonce", { address }),
    login: (message: string, signature: string) =>
      call<TokenReply>("POST", "/api/v1/auth/login", { message, signature }),
    staffLogin: (username: string, password: string) =>
      call<TokenReply>("POST", "/api/v1/broker/auth/login", { username, password }),
    refresh: (refresh_token: string) => call<TokenReply>("POST", "/api/v1/auth/refresh", { refresh_token }),
    logout: () => call<{ logged_out: true }>("POST", "/api/v1/auth/logout"),
    createApiKey: (request: {
      label: string;
      permissions: readonly Permission[];
      ip_whitelist?: readonly string[];
      expires_at?: string;
    }) => call<NewApiKey>("POST", "/api/v1/account/api-keys", request),
    apiKeys: () => call<ApiKey[]>("GET", "/api/v1/account/api-keys"),
    revokeApiKey: (api_key: string) =>
      call<{ api_key: string; revoked: true }>("DELETE", `/api/v1/account/api-keys/${segment(api_key)}`),
    auditLog: (before?: number) =>
      call<AuditPage>("GET", `/api/v1/admin/audit-log${before === undefined ? "" : `?before=${before}`}`),
    earnDomain: () => call<EarnDomainReply>("GET", "/earn/domain"),
    earnProducts: (query: { status?: ProductStatus; page?: number; page_size?: number } = {}) =>
      call<ProductList>("GET", `/earn/products${queryOf(query)}`),
    earnProduct: (id: string | number) => call<ProductDetail>("GET", `/earn/products/${segment(id)}`),
    earnSolvency: (id: string | number) => call<ProductSolvency>("GET", `/earn/products/${segment(id)}/solvency`),
    prepareSubscription: (product_id: string, amount: string) =>
      call<PreparedSubscription>("POST", "/earn/subscribe/prepare", { product_id, amount }),
    earnSubscriptions: (query: { page?: number; page_size?: number } = {}) =>
      call<EarnSubscriptionList>("GET", `/earn/subscriptions${queryOf(query)}`),
    earnSubscription: (id: string) => call<EarnSubscription>("GET", `/earn/subscriptions/${segment(id)}`),
    bindCode: (code: string) => call<BindReply>("POST", `${BROKER}/bind`, { code }),
    createInviteCode: (request: NewInviteCodeRequest) => call<InviteCode>("POST", `${BROKER}/invite-code`, request),
    inviteCodes: (query: { code_type?: "all" | "direct" | "sub_kol" } = {}) =>
      call<InviteCode[]>("GET", `${BROKER}/invite-codes${queryOf(query)}`),
    changeInviteCode: (id: number, request: InviteCodeChangeRequest) =>
      call<InviteCode>("PUT", `${BROKER}/invite-code/${segment(id)}`, request),
    brokerReferralInfo: () => call<ReferralInfo>("GET", `${BROKER}/referral-info`),
    createBdCode: (request: NewBdCodeRequest) => call<InviteCode>("POST", `${BROKER}/bd/invite-code`, request),
    bdCodes: () => call<InviteCode[]>("GET", `${BROKER}/bd/invite-codes`),
    bdKols: () => call<AdminKol[]>("GET", `${BROKER}/bd/kols`),
    bdDashboard: () => call<BdDashboard>("GET", `${BROKER}/bd/dashboard`),
    brokerDashboard: () => call<AdminDashboard>("GET", `${BROKER}/admin/dashboard`),
    bds: () => call<BdAccount[]>("GET", `${BROKER}/admin/bds`),
    createBd: (request: NewBdRequest) => call<BdAccount>("POST", `${BROKER}/admin/bd`, request),
    changeBd: (id: string, request: BdChangeRequest) =>
      call<{ id: string }>("PUT", `${BROKER}/admin/bd/${segment(id)}`, request),
    reassignKols: (bdId: string, request: BulkReassignRequest) =>
      call<BulkReassignReply>("POST", `${BROKER}/admin/bd/${segment(bdId)}/bulk-reassign`, request),
    kols: (query: { bd_id?: string } = {}) => call<AdminKol[]>("GET", `${BROKER}/admin/kols${queryOf(query)}`),
    createKol: (request: NewKolRequest) => call<AdminKol>("POST", `${BROKER}/admin/kol`, request),
    changeKol: (id: string, request: KolChangeRequest) =>
      call<{ broker_id: string; updated: boolean }>("PUT", `${BROKER}/admin/kol/${segment(id)}`, request),
    setKolTier: (id: string, request: KolTierRequest) =>
      call<KolTierReply>("PUT", `${BROKER}/admin/kol/${segment(id)}/tier`, request),
    reassignKol: (id: string, request: ReassignRequest) =>
      call<ReassignReply>("PUT", `${BROKER}/admin/kol/${segment(id)}/reassign`, request),
    tierThresholds: () => call<TierThresholds>("GET", `${BROKER}/admin/config/tier-thresholds`),
    setTierThresholds: (request: TierThresholdsRequest) =>
      call<TierThresholds>("PUT", `${BROKER}/admin/config/tier-thresholds`, request),
    unsetTierThresholds: () => call<TierThresholds>("DELETE", `${BROKER}/admin/config/tier-thresholds`),
    brokerOverview: () => call<BrokerOverview>("GET", "/api/v1/broker/overview"),
    downlines: (query: { type?: "direct" | "sub_kol" } = {}) =>
      call<Downline[]>("GET", `/api/v1/broker/downlines${queryOf(query)}`),
    bdDownlines: () => call<Downline[]>("GET", "/api/v1/broker/bd/downlines"),
    rebateRecords: (query: { period?: string } = {}) =>
      call<RebateRecord[]>("GET", `/api/v1/broker/rebate-records${queryOf(query)}`),
    shareIncome: (query: { period?: string } = {}) =>
      call<ShareIncome[]>("GET", `/api/v1/broker/share-income${queryOf(query)}`),
    myRebate: (query: { period?: string } = {}) =>
      call<RebateRecord[]>("GET", `/api/v1/broker/my-rebate${queryOf(query)}`),
    affiliateRecords: (query: { period?: string } = {}) =>
      call<AffiliateRecord[]>("GET", `/api/v1/broker/affiliate-records${queryOf(query)}`),
    brokerLeaderboard: (query: { limit?: number; offset?: number } = {}) =>
      call<BrokerLeaderboard>("GET", `/api/v1/broker/leaderboard${queryOf(query)}`),
    rebateTrend: () => call<RebateTrend>("GET", "/api/v1/broker/rebate-trend"),
    brokerPerformance: (query: { from?: string; to?: string } = {}) =>
      call<BrokerPerformance>("GET", `/api/v1/broker/performance${queryOf(query)}`),
    whatIf: (query: { customer_rebate_ratio: string; days?: number }) =>
      call<WhatIf>("GET", `/api/v1/broker/what-if${queryOf(query)}`),
    calculateRebates: (period: string) =>
      call<CalculatedRebates>("POST", `${BROKER}/admin/rebate/calculate`, { period }),
    settlementRoot: (period: string) => call<SettlementRoot>("GET", `${BROKER}/settlements/${segment(period)}/root`),
    rebateProof: (id: string) => call<RebateProof>("GET", `${BROKER}/rebate-records/${segment(id)}/proof`),
    explainRebate: (id: string) => call<ExplainedRecord>("GET", `${BROKER}/rebate-records/${segment(id)}/explain`),
    skippedFills: (query: { from?: string; to?: string; limit?: number } = {}) =>
      call<SkippedFills>("GET", `${BROKER}/skipped-fills${queryOf(query)}`),
    payoutBatches: (query: { page?: number; per_page?: number } = {}) =>
      call<PayoutBatchList>("GET", `${PAYOUTS}/payout-batches${queryOf(query)}`),
    payoutBatch: (id: string, query: { page?: number; per_page?: number } = {}) =>
      call<PayoutBatchDetail>("GET", `${PAYOUTS}/payout-batches/${segment(id)}${queryOf(query)}`),
    createPayoutBatch: (request: PayoutBatchRequest = {}) =>
      call<PayoutBatch>("POST", `${PAYOUTS}/payout-batches`, request),
    payPayoutBatch: (id: string) => call<PayoutBatch>("POST", `${PAYOUTS}/payout-batches/${segment(id)}/pay`),
    confirmPayoutBatch: (id: string, payment_tx_hash: string) =>
      call<PayoutBatch>("POST", `${PAYOUTS}/payout-batches/${segment(id)}/confirm`, { payment_tx_hash }),
    cancelPayoutBatch: (id: string) => call<PayoutBatch>("POST", `${PAYOUTS}/payout-batches/${segment(id)}/cancel`),
    payoutList: (query: PayoutListQuery = {}) => call<PayoutList>("GET", `${PAYOUTS}/payout-list${queryOf(query)}`),
    myPayouts: (limit?: number) => call<MyPayout[]>("GET", `/api/v1/broker/my-payouts${queryOf({ limit })}`),
    jobs: () => call<{ jobs: Job[] }>("GET", "/api/v1/admin/jobs"),
    advanceClock: (advance_ms: number) => call<ClockReply>("POST", "/api/v1/dev/clock", { advance_ms }),
    runJob: (name: string) => call<JobRun>("POST", `/api/v1/dev/jobs/${segment(name)}/run`),
  };
}

export type Client = ReturnType<typeof createClient>;
