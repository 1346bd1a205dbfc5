import { staffApi } from "../../session/session.ts";
import { useAdmin } from "../frame/write.ts";

const REFRESH_MS = 30_000;

export const useRebateDashboard = () =>
  useAdmin(["rebate-dashboard"], (call) => staffApi.brokerAdmin.dashboard(call), { refetchInterval: REFRESH_MS });

export const useReconcileReport = () =>
  useAdmin(["reconcile-report"], (call) => staffApi.bonusAdmin.reconcileReport(call), {
    refetchInterval: REFRESH_MS,
  });
