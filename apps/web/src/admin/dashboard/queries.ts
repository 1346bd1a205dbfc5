import { useQuery } from "@tanstack/react-query";
import { staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";

const REFRESH_MS = 30_000;

export const useRebateDashboard = () =>
  useQuery({
    queryKey: [ADMIN, "rebate-dashboard"],
    queryFn: ({ signal }) => staffApi.brokerAdmin.dashboard({ signal }),
    refetchInterval: REFRESH_MS,
  });

export const useReconcileReport = () =>
  useQuery({
    queryKey: [ADMIN, "reconcile-report"],
    queryFn: ({ signal }) => staffApi.bonusAdmin.reconcileReport({ signal }),
    refetchInterval: REFRESH_MS,
  });
