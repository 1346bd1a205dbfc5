import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { dayText } from "../epochs.ts";
import { refreshedAt } from "./lists.ts";
import type { Standings } from "./standings.ts";

/** PTS-4. */
export const boardJobs = (standings: Standings): readonly JobDefinition[] => [
  {
    name: "points-refresh",
    schedule: "*/5 * * * *",
    missed: "latest",
    run: async () => {
      const { daily, whole, day, epoch, made_ms } = await standings.refresh();
      const wallets = { wallets_today: daily.total, wallets_epoch: whole.total };
      return { date: dayText(day), epoch_number: epoch, ...wallets, refreshed_at: refreshedAt(made_ms) };
    },
  },
];
