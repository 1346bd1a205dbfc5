import type {
  AdminDashboard,
  AdminKol,
  AdminKolQuery,
  BdAccount,
  BdChangeReply,
  BdChangeRequest,
  BulkReassignReply,
  BulkReassignRequest,
  KolChangeReply,
  KolChangeRequest,
  KolTierReply,
  KolTierRequest,
  NewBdRequest,
  NewKolRequest,
  ReassignReply,
  ReassignRequest,
  TierThresholds,
  TierThresholdsRequest,
} from "../broker-partners.ts";
import type {
  PayoutBatch,
  PayoutBatchDetail,
  PayoutBatchList,
  PayoutBatchListQuery,
  PayoutBatchQuery,
  PayoutBatchRequest,
  PayoutList,
  PayoutListQuery,
} from "../broker-payouts.ts";
import type { CalculatedRebates } from "../broker-settlement.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/broker/admin";

/** The broker program for admins. `__company__` as a BD's id stands for no BD. */
export const brokerAdminClient = (call: Call) => ({ ...partners(call), ...tiers(call), ...payouts(call) });

const partners = ({ get, send }: Call) => ({
  dashboard: (options?: ReadOptions) => get<AdminDashboard>(`${BASE}/dashboard`, {}, options),
  bds: (options?: ReadOptions) => get<BdAccount[]>(`${BASE}/bds`, {}, options),
  createBd: (request: Given<NewBdRequest>) => send<BdAccount>("POST", `${BASE}/bd`, request),
  changeBd: (id: string, request: Given<BdChangeRequest>) =>
    send<BdChangeReply>("PUT", `${BASE}/bd/${segment(id)}`, request),
  reassignKols: (bdId: string, request: Given<BulkReassignRequest>) =>
    send<BulkReassignReply>("POST", `${BASE}/bd/${segment(bdId)}/bulk-reassign`, request),
  kols: (query: Given<AdminKolQuery> = {}, options?: ReadOptions) => get<AdminKol[]>(`${BASE}/kols`, query, options),
  createKol: (request: Given<NewKolRequest>) => send<AdminKol>("POST", `${BASE}/kol`, request),
  changeKol: (id: string, request: Given<KolChangeRequest>) =>
    send<KolChangeReply>("PUT", `${BASE}/kol/${segment(id)}`, request),
  setKolTier: (id: string, request: Given<KolTierRequest>) =>
    send<KolTierReply>("PUT", `${BASE}/kol/${segment(id)}/tier`, request),
  reassignKol: (id: string, request: Given<ReassignRequest>) =>
    send<ReassignReply>("PUT", `${BASE}/kol/${segment(id)}/reassign`, request),
});

const THRESHOLDS = `${BASE}/config/tier-thresholds`;

const tiers = ({ get, send }: Call) => ({
  tierThresholds: (options?: ReadOptions) => get<TierThresholds>(THRESHOLDS, {}, options),
  setTierThresholds: (request: Given<TierThresholdsRequest>) => send<TierThresholds>("PUT", THRESHOLDS, request),
  unsetTierThresholds: () => send<TierThresholds>("DELETE", THRESHOLDS),
});

const BATCHES = `${BASE}/rebate/payout-batches`;

const payouts = ({ get, csv, send }: Call) => ({
  calculateRebates: (period: string) => send<CalculatedRebates>("POST", `${BASE}/rebate/calculate`, { period }),
  payoutList: (query: Given<PayoutListQuery> = {}, options?: ReadOptions) =>
    get<PayoutList>(`${BASE}/rebate/payout-list`, query, options),
  payoutBatches: (query: Given<PayoutBatchListQuery> = {}, options?: ReadOptions) =>
    get<PayoutBatchList>(BATCHES, query, options),
  payoutBatch: (id: string, query: Given<PayoutBatchQuery> = {}, options?: ReadOptions) =>
    get<PayoutBatchDetail>(`${BATCHES}/${segment(id)}`, query, options),
  /** CSV: payee, amount, lines. `sha256` of the batch is the digest of its bytes. */
  payoutBatchCsv: (id: string, options?: ReadOptions) => csv(`${BATCHES}/${segment(id)}/csv`, {}, options),
  createPayoutBatch: (request: Given<PayoutBatchRequest> = {}) => send<PayoutBatch>("POST", BATCHES, request),
  payPayoutBatch: (id: string) => send<PayoutBatch>("POST", `${BATCHES}/${segment(id)}/pay`),
  confirmPayoutBatch: (id: string, payment_tx_hash: string) =>
    send<PayoutBatch>("POST", `${BATCHES}/${segment(id)}/confirm`, { payment_tx_hash }),
  cancelPayoutBatch: (id: string) => send<PayoutBatch>("POST", `${BATCHES}/${segment(id)}/cancel`),
});
