/**
 * The embedded database has one session and no background processes, so this file does their work: checkpoints (without which the
 * write-ahead log and the recovery after a kill grow without bound) and vacuuming.
 */
import type { EmbeddedClient } from "./client.ts";

const INTERVAL_MS = 30_000;
const CHECKPOINT_AFTER_BYTES = 128 * 1024 * 1024;

export interface UpkeepDone {
  readonly checkpoint: boolean;
  readonly vacuumed: string | undefined;
}

async function writtenSinceCheckpoint(client: EmbeddedClient): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) as bytes from pg_control_checkpoint()",
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** The table most in need, by the thresholds of PostgreSQL's autovacuum, doubled because this one is not parallel. */
async function tableToVacuum(client: EmbeddedClient): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where n_dead_tup > 1000 + 0.4 * n_live_tup or n_mod_since_analyze > 1000 + 0.2 * n_live_tup
    order by n_dead_tup + n_mod_since_analyze desc limit 1`);
  return rows[0]?.name;
}

/** One round: a checkpoint if due, and one table that needs vacuuming most, so that statements do not wait long. */
export async function doUpkeep(
  client: EmbeddedClient,
  checkpointAfter_bytes = CHECKPOINT_AFTER_BYTES,
): Promise<UpkeepDone> {
  const checkpoint = (await writtenSinceCheckpoint(client)) > checkpointAfter_bytes;
  if (checkpoint) await client.query("checkpoint");
  const vacuumed = await tableToVacuum(client);
  if (vacuumed !== undefined) await client.query(`vacuum (analyze) ${vacuumed}`);
  return { checkpoint, vacuumed };
}

export function startUpkeep(client: EmbeddedClient, onError: (error: Error) => void): { stop(): void } {
  const timer = setInterval(() => {
    // A closed or stopped database reports that to its callers itself.
    if (client.ready) doUpkeep(client).catch(onError);
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
