import { RequestRefused } from "@bourse/api/client";
import { useServerNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { useAdmin } from "../frame/write.ts";
import { type EpochCalendar, epochCalendar } from "./epochs.ts";

/** Seasons move at their moments and every five minutes. */
const REFRESH_MS = 30_000;
const NOT_FOUND = 404;
const CALENDAR_STEP_MS = 60_000;

export const useSeasons = () =>
  useAdmin(["points", "seasons"], (call) => staffApi.pointsAdmin.seasons(call), { refetchInterval: REFRESH_MS });

/** Which epoch runs, for a platform that has no season yet. */
const useRunningEpoch = (isNeeded: boolean) =>
  useAdmin(["points", "epoch"], async (call) => (await staffApi.points.epochBoard({ limit: 1 }, call)).epoch_number, {
    enabled: isNeeded,
  });

export function useEpochs(): EpochCalendar | undefined {
  const seasons = useSeasons().data;
  const running = useRunningEpoch(seasons?.length === 0).data;
  return epochCalendar(seasons ?? [], running, useServerNow(CALENDAR_STEP_MS));
}

export const useLevels = () => useAdmin(["points", "levels"], (call) => staffApi.pointsAdmin.levels(call));

/** The rule with every market that it may boost. */
export const useRules = () =>
  useAdmin(["points", "rules"], async (call) => {
    const [rules, { items: markets }] = await Promise.all([
      staffApi.pointsAdmin.rules(call),
      staffApi.market.markets(call),
    ]);
    return { rules, markets: markets.map(({ symbol }) => symbol) };
  });

export const useMakers = () => useAdmin(["points", "makers"], (call) => staffApi.pointsAdmin.makers(call));

/** Null for a wallet without a share of the season: that is an answer, not an error. */
export const useAllocation = (seasonId: string, wallet: string | undefined) =>
  useAdmin(
    ["points", "allocation", seasonId, wallet],
    async (call) => {
      try {
        return await staffApi.points.allocation(seasonId, wallet ?? "", call);
      } catch (error) {
        if (error instanceof RequestRefused && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
    { enabled: wallet !== undefined },
  );
