import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database, Db } from "../../kernel/database/database.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import { waitingMessages } from "../../kernel/outbox/store.ts";
import { within } from "../../kernel/wait.ts";

/** An unavailable database must not block the other metrics. */
const LIMIT_ms = 1_000;

/**
 * A query that all metrics of a scrape share. If it fails or is late, the answer is `unknown` and the scrape continues;
 * `/readyz` reports the state of the database.
 */
function askedOnce<Answer>(ask: () => Promise<Answer>, unknown: Answer): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined;
  return async () => {
    asking ??= ask()
      .catch(() => unknown)
      .finally(() => {
        asking = undefined;
      });
    return (await within(asking, LIMIT_ms)) ?? unknown;
  };
}

/** Messages from the database to the engine. */
export function watchOutbox(metrics: Metrics, { db }: Pick<Database, "db">, clock: Clock): void {
  const unknown = { waiting: Number.NaN, oldest_s: Number.NaN };
  const state = askedOnce(async () => {
    const { waiting, oldest_at } = await waitingMessages(db);
    return { waiting, oldest_s: oldest_at === null ? 0 : Math.max(0, clock.now() - oldest_at.getTime()) / 1_000 };
  }, unknown);
  const waiting = "Messages to the engine that are not delivered; NaN without database";
  metrics.gauge("bourse_outbox_waiting", waiting, async () => (await state()).waiting);
  const oldest = "Age of the oldest of them; NaN without database";
  metrics.gauge("bourse_outbox_oldest_seconds", oldest, async () => (await state()).oldest_s);
}

interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** From the database's own statistics, so that no table is read; partitions count as the table that they are of. */
async function tableSizes(db: Db): Promise<TableSize[]> {
  const { rows } = await sql<{ table: string; rows: bigint; bytes: bigint }>`
    select coalesce(whole.relname, part.relname) as table, sum(n_live_tup)::bigint as rows,
      sum(pg_total_relation_size(part.relid))::bigint as bytes
    from pg_stat_user_tables as part
    left join pg_inherits on inhrelid = part.relid left join pg_class as whole on whole.oid = inhparent
    where schemaname = current_schema() group by 1 order by 1`.execute(db);
  return rows.map((row) => ({ table: row.table, rows: Number(row.rows), bytes: Number(row.bytes) }));
}

export function watchTables(metrics: Metrics, { db }: Pick<Database, "db">): void {
  const sizes = askedOnce(() => tableSizes(db), []);
  const read = (of: "rows" | "bytes") => async () =>
    (await sizes()).map((size) => ({ labels: { table: size.table }, value: size[of] }));
  metrics.gauges("bourse_table_rows", "Rows of a table, by estimate", ["table"], read("rows"));
  metrics.gauges("bourse_table_bytes", "Size of a table with its indexes", ["table"], read("bytes"));
}
