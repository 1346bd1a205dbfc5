import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { SeasonMoments } from "./season-moments.ts";
import type { SeasonMoves } from "./season-moves.ts";

/**
 * PTS-2: due at every moment at which a season changes its status; each run reloads the moments, so that it sees changes of other
 * processes.
 */
export const seasonJobs = (moves: SeasonMoves, moments: SeasonMoments): readonly JobDefinition[] => [
  {
    name: "season",
    schedule: "*/5 * * * *",
    missed: "latest",
    dueBesides: (after_ms) => moments.nextAfter(after_ms),
    run: async () => ({ steps: await moves.runDue() }),
  },
];
