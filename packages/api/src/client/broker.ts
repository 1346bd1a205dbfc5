import type {
  BindReply,
  InviteCode,
  InviteCodeChangeRequest,
  InviteCodeDraft,
  InviteCodeQuery,
  ReferralInfo,
} from "../broker-partners.ts";
import type { MyPayout, MyPayoutsQuery } from "../broker-payouts.ts";
import type {
  AffiliateRecord,
  BrokerLeaderboard,
  BrokerLeaderboardQuery,
  BrokerOverview,
  BrokerPerformance,
  DayRangeQuery,
  Downline,
  DownlineQuery,
  PeriodQuery,
  RebateRecord,
  RebateTrend,
  ShareIncome,
  WhatIf,
  WhatIfQuery,
} from "../broker-reports.ts";
import type {
  ExplainedRecord,
  RebateProof,
  SettlementRoot,
  SkippedFills,
  SkippedFillsQuery,
} from "../broker-settlement.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/broker";

/** The broker program for wallets: KOLs, sub-KOLs, affiliates, and customers where it says so. */
export const brokerClient = (call: Call) => ({ ...codes(call), ...standing(call), ...records(call) });

const codes = ({ get, send }: Call) => ({
  /** Open to every wallet: joins by an invite code. */
  bind: (code: string) => send<BindReply>("POST", `${BASE}/bind`, { code }),
  createInviteCode: (request: InviteCodeDraft) => send<InviteCode>("POST", `${BASE}/invite-code`, request),
  inviteCodes: (query: Given<InviteCodeQuery> = {}, options?: ReadOptions) =>
    get<InviteCode[]>(`${BASE}/invite-codes`, query, options),
  changeInviteCode: (id: number, request: InviteCodeChangeRequest) =>
    send<InviteCode>("PUT", `${BASE}/invite-code/${segment(id)}`, request),
  referralInfo: (options?: ReadOptions) => get<ReferralInfo>(`${BASE}/referral-info`, {}, options),
});

const standing = ({ get }: Call) => ({
  overview: (options?: ReadOptions) => get<BrokerOverview>(`${BASE}/overview`, {}, options),
  leaderboard: (query: Given<BrokerLeaderboardQuery> = {}, options?: ReadOptions) =>
    get<BrokerLeaderboard>(`${BASE}/leaderboard`, query, options),
  rebateTrend: (options?: ReadOptions) => get<RebateTrend>(`${BASE}/rebate-trend`, {}, options),
  downlines: (query: Given<DownlineQuery> = {}, options?: ReadOptions) =>
    get<Downline[]>(`${BASE}/downlines`, query, options),
  performance: (query: Given<DayRangeQuery> = {}, options?: ReadOptions) =>
    get<BrokerPerformance>(`${BASE}/performance`, query, options),
  whatIf: (query: Given<WhatIfQuery>, options?: ReadOptions) => get<WhatIf>(`${BASE}/what-if`, query, options),
});

const records = ({ get, csv }: Call) => ({
  rebateRecords: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    get<RebateRecord[]>(`${BASE}/rebate-records`, query, options),
  /** CSV with a header row. */
  exportRebateRecords: (query: Given<DayRangeQuery> = {}, options?: ReadOptions) =>
    csv(`${BASE}/rebate-records/export`, query, options),
  shareIncome: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    get<ShareIncome[]>(`${BASE}/share-income`, query, options),
  /** Open to every wallet: records of its own trades. */
  myRebate: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    get<RebateRecord[]>(`${BASE}/my-rebate`, query, options),
  /** Open to every wallet: what its on-chain code has earned. */
  affiliateRecords: (query: Given<PeriodQuery> = {}, options?: ReadOptions) =>
    get<AffiliateRecord[]>(`${BASE}/affiliate-records`, query, options),
  /** Open to every wallet: what it gets, by payout batch. */
  myPayouts: (query: Given<MyPayoutsQuery> = {}, options?: ReadOptions) =>
    get<MyPayout[]>(`${BASE}/my-payouts`, query, options),
  settlementRoot: (period: string, options?: ReadOptions) =>
    get<SettlementRoot>(`${BASE}/settlements/${segment(period)}/root`, {}, options),
  rebateProof: (id: string, options?: ReadOptions) =>
    get<RebateProof>(`${BASE}/rebate-records/${segment(id)}/proof`, {}, options),
  explainRebate: (id: string, options?: ReadOptions) =>
    get<ExplainedRecord>(`${BASE}/rebate-records/${segment(id)}/explain`, {}, options),
  skippedFills: (query: Given<SkippedFillsQuery> = {}, options?: ReadOptions) =>
    get<SkippedFills>(`${BASE}/skipped-fills`, query, options),
});
