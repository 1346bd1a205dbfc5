import { appliedOf, batchesFor, checkDatabase, type ProjectionListener, Projector } from "../exchange/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { count, Progress, type Say } from "../kernel/progress.ts";
import type { RebuildLog } from "./log.ts";
import { restoreOutbox } from "./outbox.ts";
import type { RebuildPart } from "./part.ts";
import { requestsOf } from "./requests.ts";
import type { Survey } from "./survey.ts";
import { settleTail } from "./tail.ts";

export interface RebuildOptions {
  /** Open and migrated; nobody else uses it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: RebuildLog;
  /** What modules had written before the engine got a command, in the order in which they are restored. */
  readonly parts: readonly RebuildPart[];
  /** As for the running exchange. */
  readonly projections: readonly ProjectionListener[];
  readonly say: Say;
}

/** How many rows were written, by part. */
export type Written = ReadonlyMap<string, number>;

/** Commands that are replayed ahead of what is written. */
const AHEAD_commands = 4_000;

/** Whether the database lacks nothing but what a start writes by itself, or not even that. */
export const isFitting = ({ requests, tail }: Survey): boolean =>
  requests === 0 && tail.openings.length === 0 && tail.moves.length === 0;

/**
 * LOG-3: writes what the log has and the database lacks. First accounts and waiting messages are brought in line with the log, in one
 * transaction; then the projector writes the rest from its cursor on, and before each batch the parts write what the projections
 * expect to find. Every transaction leaves the database as it once was, or as it would have been: after a crash the command goes on.
 */
export async function rebuild(options: RebuildOptions, found: Survey): Promise<Written> {
  const { database, clock, parts } = options;
  const written = new Map<string, number>();
  if (!isFitting(found)) {
    const now = new Date(clock.now());
    await database.db.transaction().execute((tx) => settleTail(tx, found.tail, parts, now));
    written.set("accounts", found.tail.openings.length);
  }
  if (found.cursor < found.last) await project(options, found, written);
  await checkDatabase({ database, state: found.state, wallets: found.wallets });
  return written;
}

/** As a projection: it runs in the transaction that writes the batch, before those of the modules. */
function restoring({ parts }: RebuildOptions, { wallets }: Survey, written: Map<string, number>): ProjectionListener {
  const note = (name: string, rows: number) => written.set(name, (written.get(name) ?? 0) + rows);
  const walletOf = (account: number): string => {
    const wallet = wallets.of(account);
    if (wallet === undefined) throw new Error(`the log does not say whose account ${account} is`);
    return wallet;
  };
  return async (tx, { applied }) => {
    const requests = requestsOf(applied);
    if (requests.length === 0) return;
    note("messages", await restoreOutbox(tx, requests));
    for (const part of parts) note(part.name, await part.restore(tx, { requests, walletOf }));
  };
}

async function project(options: RebuildOptions, found: Survey, written: Map<string, number>): Promise<void> {
  const { database, clock, log, parts, projections, say } = options;
  // Nothing is tried again: whoever started the command sees why it failed, and starts it anew.
  let failure: Error | undefined;
  let moved = Promise.withResolvers<void>();
  const wake = () => {
    moved.resolve();
    moved = Promise.withResolvers<void>();
  };
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  const projector = new Projector({
    database,
    clock,
    ...batchesFor(database),
    reread: log.reread,
    projections: [restoring(options, found, written), ...projections],
    onError: fail,
    onFault: fail,
    onMoved: wake,
  });
  const reached = async (number: number) => {
    while (projector.cursor < number) {
      if (failure !== undefined) throw failure;
      await moved.promise;
    }
  };
  await projector.load();
  projector.start();
  const { engine, commands } = log.walkFrom(found.cursor);
  const progress = new Progress(
    say,
    (done) => `writing: ${count(done)} of ${count(found.last - found.cursor)} commands`,
  );
  try {
    for (const command of commands()) {
      const { commandNumber } = engine.state;
      if (commandNumber <= found.cursor) continue;
      if (parts.some((part) => part.startsBatch?.(command))) await reached(commandNumber - 1);
      projector.hear(appliedOf(engine, command));
      if (commandNumber % AHEAD_commands !== 0) continue;
      await reached(commandNumber - AHEAD_commands);
      progress.add(AHEAD_commands);
    }
    await reached(found.last);
  } finally {
    await projector.stop(0);
  }
}
