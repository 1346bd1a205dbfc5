import type { AdminKol, BdDashboard, InviteCode, NewBdCodeRequest } from "../broker-partners.ts";
import type { Downline } from "../broker-reports.ts";
import type { Call, Given, ReadOptions } from "./call.ts";

const BASE = "/api/v1/broker/bd";

/** The broker program for BDs: their own KOLs and codes. */
export const bdClient = ({ get, send }: Call) => ({
  dashboard: (options?: ReadOptions) => get<BdDashboard>(`${BASE}/dashboard`, {}, options),
  kols: (options?: ReadOptions) => get<AdminKol[]>(`${BASE}/kols`, {}, options),
  downlines: (options?: ReadOptions) => get<Downline[]>(`${BASE}/downlines`, {}, options),
  inviteCodes: (options?: ReadOptions) => get<InviteCode[]>(`${BASE}/invite-codes`, {}, options),
  createInviteCode: (request: Given<NewBdCodeRequest>) => send<InviteCode>("POST", `${BASE}/invite-code`, request),
});
