import { type Engine, RULES_WITH_REFERENCES } from "@bourse/engine";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { Outbox } from "../../kernel/outbox/outbox.ts";

export interface OutboxPruneOptions {
  readonly database: Pick<Database, "db">;
  readonly outbox: Pick<Outbox, "prune">;
  readonly engine: Engine;
  readonly projector: { waitForAll(timeout_ms: number): Promise<void> };
}

const KEPT_ms = DAY_ms;
const PROJECTED_TIMEOUT_ms = 60_000;

/** LOG-8: messages are removed a day after their delivery. By rules 3 they are kept: the log has no references of them. */
export function outboxPruneJob({ database, outbox, engine, projector }: OutboxPruneOptions): JobDefinition {
  return {
    name: "outbox-prune",
    schedule: "40 * * * *",
    missed: "latest",
    async run({ due_ms }) {
      const { rulesVersion, referencesFrom } = engine.state;
      if (rulesVersion < RULES_WITH_REFERENCES) return { removed: 0 };
      // Projections read the message of a command when they write it.
      await projector.waitForAll(PROJECTED_TIMEOUT_ms);
      return { removed: await outbox.prune(database.db, new Date(due_ms - KEPT_ms), referencesFrom) };
    },
  };
}
