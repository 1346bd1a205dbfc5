import type { Engine } from "@bourse/engine";
import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_ms, MINUTE_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { RowInserter } from "../projector/columns.ts";
import { sampleMarkets } from "./samples.ts";
import { SAMPLE_COLUMNS } from "./tables.ts";

/** A day longer than clients can ask for. */
const KEPT_ms = 31 * DAY_ms;
/** A run that comes later would write down the state of another moment. */
const LATEST_ms = MINUTE_ms;

/** A repeated run keeps the rows of the first. */
const samples = new RowInserter("exchange_market_sample", SAMPLE_COLUMNS, "on conflict (market, time_ms) do nothing");

export interface MarketSampleOptions {
  readonly database: Pick<Database, "db">;
  readonly engine: Engine;
  readonly clock: Clock;
}

/**
 * FUT-20: writes a sample of every market each five minutes, and removes old ones. What was missed stays missing: the past state of
 * the engine is not known any more.
 */
export function marketSampleJob({ database, engine, clock }: MarketSampleOptions): JobDefinition {
  return {
    name: "market-samples",
    schedule: "*/5 * * * *",
    missed: "latest",
    async run(window) {
      const { due_ms } = window;
      const isLate = clock.now() - due_ms > LATEST_ms;
      const rows = isLate ? [] : await sampleMarkets(engine, due_ms);
      return await database.db.transaction().execute(async (tx) => {
        await samples.insert(tx, rows);
        const { numAffectedRows = 0n } = await sql`
          delete from exchange_market_sample where time_ms < ${due_ms - KEPT_ms}`.execute(tx);
        await window.moveWatermark(tx);
        return { markets: rows.length, removed: Number(numAffectedRows) };
      });
    },
  };
}
