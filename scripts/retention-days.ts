/**
 * LOG-8, by hand: `node scripts/retention-days.ts [days] [trades a day]`. Prints how large the parts of the data folder are after each
 * simulated day with retention on, and how long a start takes at the end. docs/operations.md has a run of it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { migrations } from "../apps/server/src/compose/migrations.ts";
import { ManualClock, MovableClock } from "../apps/server/src/kernel/clock.ts";
import { openEmbedded } from "../apps/server/src/kernel/database/embedded/open.ts";
import { runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { RetainedDays, sizeOf } from "../apps/server/src/testing/retained-days.ts";
import { TEST_EPOCH_MS } from "../apps/server/src/testing/test-platform.ts";

const [days = 30, trades = 200] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "bourse-retention-"));
const [path, backupDir] = [join(folder, "data"), join(folder, "backup")];
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(2).padStart(8);

const database = await openEmbedded({ folder: join(path, "database") });
await runMigrations(database.db, migrations);
const clock = new MovableClock(0, new ManualClock(TEST_EPOCH_MS));
const environment = { RATE_LIMIT_ORDERS_10S: "1000000", RATE_LIMIT_ORDERS_1M: "1000000" };
const run = new RetainedDays({ path, backupDir, database, clock, environment });
await run.start();
await run.open();
console.log("day  journal  snapshots  database  chain  archive   (MB)");
for (let day = 1; day <= days; day += 1) {
  await run.day(trades);
  // What the embedded database does by itself within half an hour.
  await sql`vacuum (analyze)`.execute(database.db);
  await sql`checkpoint`.execute(database.db);
  const { journal = 0, snapshots = 0, database: tables = 0, chain = 0 } = run.bytes();
  console.log(String(day).padStart(3), ...[journal, snapshots, tables, chain, sizeOf(backupDir)].map(megabytes));
}
const { rows } = await sql<{ name: string; bytes: bigint }>`
  select coalesce(whole.relname, part.relname) as name, sum(pg_total_relation_size(part.relid))::bigint as bytes
  from pg_stat_user_tables as part
  left join pg_inherits on inhrelid = part.relid left join pg_class as whole on whole.oid = inhparent
  group by 1 order by 2 desc limit 10`.execute(database.db);
for (const { name, bytes } of rows) console.log(megabytes(Number(bytes)), name);
await run.stop();
const begun = performance.now();
await run.start();
console.log(`start: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
await run.stop();
await database.close();
rmSync(folder, { recursive: true });
