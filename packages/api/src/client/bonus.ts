import type {
  BonusAccountDetail,
  BonusAccountList,
  BonusAccountsQuery,
  BonusControlReply,
  BonusControlRequest,
  BonusLedger,
  BonusLedgerQuery,
  BonusReconcileReport,
  MyBonus,
} from "../bonus-accounts.ts";
import type {
  BonusBatch,
  BonusBatchList,
  BonusCampaign,
  BonusListQuery,
  CampaignRequest,
  EndCodesRequest,
  ExpireCodesReply,
  GenerateCodesReply,
  GenerateCodesRequest,
  GrantBatchReply,
  GrantBatchRequest,
  GrantForecast,
  PoolLedger,
  RedeemReply,
  VoidCodesReply,
} from "../bonus-grants.ts";
import type { LinkedFreezeReply, LinkedFreezeRequest, RiskQuery, RiskReport } from "../bonus-risk.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/bonus";

export const bonusClient = ({ get, send }: Call) => ({
  mine: (options?: ReadOptions) => get<MyBonus>(`${BASE}/me`, {}, options),
  ledger: (query: Given<BonusLedgerQuery> = {}, options?: ReadOptions) =>
    get<BonusLedger>(`${BASE}/me/ledger`, query, options),
  redeem: (code: string) => send<RedeemReply>("POST", `${BASE}/redeem`, { code }),
});

const ADMIN = `${BASE}/admin`;

/** The bonus program for admins. A repeated `request_id` answers what it did and does nothing more. */
export const bonusAdminClient = (call: Call) => ({ ...grants(call), ...control(call) });

const grants = ({ get, send }: Call) => ({
  /** Needs a `request_id`. */
  grant: (request: Given<GrantBatchRequest>) => send<GrantBatchReply>("POST", `${ADMIN}/grant-batch`, request),
  /** What `grant` would do. Nothing changes, and no `request_id` is needed. */
  forecastGrant: (request: Given<GrantBatchRequest>, options?: ReadOptions) =>
    send<GrantForecast>("POST", `${ADMIN}/grant-batch?dry_run=true`, request, options),
  generateCodes: (request: Given<GenerateCodesRequest>) =>
    send<GenerateCodesReply>("POST", `${ADMIN}/generate-codes`, request),
  expireCodes: (request: Given<EndCodesRequest>) => send<ExpireCodesReply>("POST", `${ADMIN}/expire-codes`, request),
  voidCodes: (request: Given<EndCodesRequest>) => send<VoidCodesReply>("POST", `${ADMIN}/void-codes`, request),
  batches: (query: Given<BonusListQuery> = {}, options?: ReadOptions) =>
    get<BonusBatchList>(`${ADMIN}/batches`, query, options),
  batch: (id: string, options?: ReadOptions) => get<BonusBatch>(`${ADMIN}/batches/${segment(id)}`, {}, options),
  poolLedger: (query: Given<BonusListQuery> = {}, options?: ReadOptions) =>
    get<PoolLedger>(`${ADMIN}/pool-ledger`, query, options),
  campaign: (options?: ReadOptions) => get<BonusCampaign>(`${ADMIN}/campaign`, {}, options),
  changeCampaign: (request: Given<CampaignRequest>) => send<BonusCampaign>("PUT", `${ADMIN}/campaign`, request),
});

const control = ({ get, send }: Call) => ({
  freeze: (request: BonusControlRequest) => send<BonusControlReply>("POST", `${ADMIN}/freeze`, request),
  unfreeze: (request: BonusControlRequest) => send<BonusControlReply>("POST", `${ADMIN}/unfreeze`, request),
  recall: (request: BonusControlRequest) => send<BonusControlReply>("POST", `${ADMIN}/recall`, request),
  accounts: (query: Given<BonusAccountsQuery> = {}, options?: ReadOptions) =>
    get<BonusAccountList>(`${ADMIN}/accounts`, query, options),
  account: (address: string, options?: ReadOptions) =>
    get<BonusAccountDetail>(`${ADMIN}/accounts/${segment(address)}`, {}, options),
  reconcileReport: (options?: ReadOptions) => get<BonusReconcileReport>(`${ADMIN}/reconcile-report`, {}, options),
  risk: (query: Given<RiskQuery> = {}, options?: ReadOptions) => get<RiskReport>(`${ADMIN}/risk`, query, options),
  freezeLinked: (request: Given<LinkedFreezeRequest>) =>
    send<LinkedFreezeReply>("POST", `${ADMIN}/freeze-linked`, request),
});
