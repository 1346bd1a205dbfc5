import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";
import type { Scoring } from "../scoring/scoring.ts";
import { pointsDb } from "../tables.ts";
import { boardJobs } from "./jobs.ts";
import { OwnLedger } from "./ledger.ts";
import { LineRetention } from "./line-retention.ts";
import { PointsLists } from "./lists.ts";
import { OwnPointsReader } from "./own-points.ts";
import { PastBoards } from "./past-boards.ts";
import { registerBoardRoutes } from "./routes.ts";
import { Standings } from "./standings.ts";
import { createWalletWait } from "./written.ts";

export interface Boards {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** PTS-4, PTS-6: the public leaderboards, and each wallet's own points. */
export function createBoards(options: PointsOptions & Pick<Scoring, "levels">): Boards {
  const parts = { ...options, db: pointsDb(options.database), written: createWalletWait(options) };
  const standings = new Standings(parts);
  const past = new PastBoards(parts);
  const lists = new PointsLists({ ...parts, standings, past });
  const own = new OwnPointsReader({ ...parts, standings });
  const { secretsKey: secret, historyDays: days, backupDir: archive } = options.settings;
  const retention = new LineRetention({ ...parts, days, archive });
  const ledger = new OwnLedger({ ...parts, secret, keptFrom: () => retention.keptFrom(options.clock.now()) });
  return {
    jobs: [...boardJobs(standings), retention.job],
    register: (app) => {
      registerBoardRoutes(app, { lists, own, ledger });
      app.addHook("onReady", async () => standings.start());
      app.addHook("onClose", () => standings.stop());
    },
  };
}
