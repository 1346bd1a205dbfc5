import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Command, Engine } from "@bourse/engine";
import {
  engineFromNewest,
  openSegmentReader,
  type Reread,
  replaySegments,
  reread,
  snapshotFolder,
  Wallets,
} from "../exchange/index.ts";
import { journalFolder, listSegments } from "../kernel/journal/segments.ts";
import type { Say } from "../kernel/progress.ts";
import { RebuildFault } from "./fault.ts";

/** An engine that has applied the log up to some command, and the commands behind it. */
export interface LogWalk {
  readonly engine: Engine;
  /** LOG-1: as far as the log tells them up to the engine's state. */
  readonly wallets: Wallets;
  /** Applies the rest of the log, and yields after each command. */
  commands(): Iterable<Command>;
}

/** The log that a database is rebuilt from. Nothing is appended to it meanwhile. */
export interface RebuildLog {
  /** Begins at the command or before it: where the newest snapshot allows it. */
  walkFrom(number: number): LogWalk;
  readonly reread: Reread;
}

/** The log of a data folder. It is only read: what a crash left unfinished at its end stays for the next start to cut off. */
export function logOf(folder: string, say: Say): RebuildLog {
  const last = lastCommandOf(folder);
  return {
    walkFrom(number) {
      const wallets = new Wallets();
      const engine = engineFromNewest(folder, number, say, wallets);
      assertReaches(folder, engine.state.commandNumber);
      return { engine, wallets, commands: () => seen(replaySegments(folder, engine, last), engine, wallets) };
    },
    reread: (from, to) => reread(folder, from, to, say),
  };
}

/** Tells the wallets of every command. */
export function* seen(commands: Iterable<Command>, { state }: Engine, wallets: Wallets): Iterable<Command> {
  for (const command of commands) {
    wallets.see(command, state);
    yield command;
  }
}

function lastCommandOf(folder: string): number {
  const last = listSegments(folder).at(-1);
  if (last === undefined) return 0;
  const reader = openSegmentReader(last);
  try {
    reader.skipAll();
    return reader.lastNumber;
  } finally {
    reader.close();
  }
}

function assertReaches(folder: string, number: number): void {
  const [first] = listSegments(folder);
  if (first === undefined || first.firstNumber <= number + 1) return;
  const lacks = `The log begins with command ${first.firstNumber}, and the database has seen command ${number}`;
  throw new RebuildFault(
    `${lacks}: deposits in between would be credited twice. Set BACKUP_DIR to the archive that has the log's older segments, or restore a backup with "npm run restore".`,
  );
}

/**
 * Runs with a folder in which the log is as long as can be: if its first segments were removed, and an archive has them, a folder of
 * links to both.
 */
export async function withWholeLog<Result>(
  folder: string,
  archive: string | undefined,
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const own = listSegments(folder);
  const first = own[0]?.firstNumber ?? 1;
  const archived = archive === undefined || first === 1 ? [] : listSegments(archive);
  const older = archived.filter(({ firstNumber }) => firstNumber < first);
  if (older.length === 0) return await run(folder);
  const whole = mkdtempSync(join(folder, "rebuild-"));
  try {
    mkdirSync(journalFolder(whole));
    for (const { path } of [...older, ...own]) symlinkSync(resolve(path), join(journalFolder(whole), basename(path)));
    symlinkSync(resolve(snapshotFolder(folder)), snapshotFolder(whole));
    return await run(whole);
  } finally {
    rmSync(whole, { recursive: true });
  }
}
