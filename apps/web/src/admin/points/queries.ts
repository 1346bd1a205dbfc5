import { RequestRefused } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { useServerNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";
import { type EpochCalendar, epochCalendar } from "./epochs.ts";

/** Seasons move at their moments and every five minutes. */
const REFRESH_MS = 30_000;
const NOT_FOUND = 404;
const CALENDAR_STEP_MS = 60_000;

export const useSeasons = () =>
  useQuery({
    queryKey: [ADMIN, "points", "seasons"],
    queryFn: ({ signal }) => staffApi.pointsAdmin.seasons({ signal }),
    refetchInterval: REFRESH_MS,
  });

/** Which epoch runs, for a platform that has no season yet. */
const useRunningEpoch = (isNeeded: boolean) =>
  useQuery({
    queryKey: [ADMIN, "points", "epoch"],
    queryFn: async ({ signal }) => (await staffApi.points.epochBoard({ limit: 1 }, { signal })).epoch_number,
    enabled: isNeeded,
  });

export function useEpochs(): EpochCalendar | undefined {
  const seasons = useSeasons().data;
  const running = useRunningEpoch(seasons?.length === 0).data;
  return epochCalendar(seasons ?? [], running, useServerNow(CALENDAR_STEP_MS));
}

export const useLevels = () =>
  useQuery({
    queryKey: [ADMIN, "points", "levels"],
    queryFn: ({ signal }) => staffApi.pointsAdmin.levels({ signal }),
  });

/** The rule with every market that it may boost. */
export const useRules = () =>
  useQuery({
    queryKey: [ADMIN, "points", "rules"],
    queryFn: async ({ signal }) => {
      const [rules, { markets }] = await Promise.all([
        staffApi.pointsAdmin.rules({ signal }),
        staffApi.market.markets({ signal }),
      ]);
      return { rules, markets: markets.map(({ symbol }) => symbol) };
    },
  });

export const useMakers = () =>
  useQuery({
    queryKey: [ADMIN, "points", "makers"],
    queryFn: ({ signal }) => staffApi.pointsAdmin.makers({ signal }),
  });

/** Null: the wallet has no part in the season, which is an answer and no fault. */
export const useAllocation = (seasonId: string, wallet: string | undefined) =>
  useQuery({
    queryKey: [ADMIN, "points", "allocation", seasonId, wallet],
    queryFn: async ({ signal }) => {
      try {
        return await staffApi.points.allocation(seasonId, wallet ?? "", { signal });
      } catch (error) {
        if (error instanceof RequestRefused && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
    enabled: wallet !== undefined,
  });
