import type { Command, Engine } from "@bourse/engine";
import { engineFromNewest, openSegmentReader } from "../exchange/index.ts";
import type { LogReader } from "../kernel/journal/log-reader.ts";
import { listSegments, type Segment } from "../kernel/journal/segments.ts";
import { BackupFault } from "./fault.ts";
import { count, Progress, type Say } from "./files.ts";
import type { Marks } from "./marks.ts";
import type { Positions } from "./positions.ts";
import { writesOf } from "./writes.ts";

/** The place at which a log is cut to fit a database, and the engine's state there. */
export interface Cut {
  readonly engine: Engine;
  /** The segment that it lies in, and how much of it belongs to the log. */
  readonly segment: Segment;
  readonly size_bytes: number;
  readonly chain: Buffer | undefined;
  /** The first command behind which the log could end, and the database would still fit. */
  readonly fitsFrom: number;
}

/**
 * LOG-4: where the log has to end so that the database leads exactly to the engine's state. The log is ahead of the database: what is
 * behind in rows that the projector writes is caught up at the start. But a command of the outside world (an account, a deposit) has a
 * row in the database first, so the log ends before the first one whose row the database lacks. It does not end before what the
 * database has seen, or has marked as delivered and would not send again. A command whose row is missing was logged after the
 * database's instant, so everything that was acknowledged before that instant is in front of the cut.
 */
export function findCut(folder: string, positions: Positions, marks: Marks, say: Say): Cut {
  const engine = engineFromNewest(folder, positions.command_number, say);
  const walk = new Walk(engine, positions, say);
  for (const segment of segmentsFrom(folder, engine.state.commandNumber + 1, marks)) {
    if (!walk.through(segment, segment.firstNumber === marks.segment ? marks.size_bytes : Number.POSITIVE_INFINITY))
      break;
  }
  return walk.end(folder);
}

/** Those with the command and later ones, up to the marks. */
function segmentsFrom(folder: string, number: number, marks: Marks): Segment[] {
  const segments = listSegments(folder).filter(({ firstNumber }) => firstNumber <= marks.segment);
  const first = segments.findLastIndex(({ firstNumber }) => firstNumber <= number);
  if (first >= 0) return segments.slice(first);
  throw new BackupFault(
    `the log in ${folder} lacks command ${number}, and no snapshot can stand in for it: restore an older backup`,
  );
}

class Walk {
  readonly #engine: Engine;
  readonly #positions: Positions;
  readonly #progress: Progress;
  #place: Omit<Cut, "engine" | "fitsFrom"> | undefined;
  #fitsFrom: number | undefined;

  constructor(engine: Engine, positions: Positions, say: Say) {
    this.#engine = engine;
    this.#positions = positions;
    this.#progress = new Progress(say, (done) => `replaying the log: ${count(done)} commands`);
    this.#look();
  }

  /** Applies the segment's frames that end before the mark; false where the cut is before its end. */
  through(segment: Segment, mark_bytes: number): boolean {
    const { state } = this.#engine;
    if (segment.firstNumber > state.commandNumber + 1) {
      const missing = `${state.commandNumber + 1} to ${segment.firstNumber - 1}`;
      throw new BackupFault(`the log lacks the commands ${missing} before ${segment.path}: restore an older backup`);
    }
    const reader = openSegmentReader(segment);
    try {
      this.#note(segment, reader);
      for (const { commands } of writesOf(reader, state.commandNumber + 1)) {
        if (reader.offset_bytes > mark_bytes || commands.some((command) => this.#isUnknown(command))) return false;
        for (const command of commands) {
          this.#engine.apply(command);
          this.#look();
        }
        this.#progress.add(commands.length);
        this.#note(segment, reader);
      }
      return true;
    } finally {
      reader.close();
    }
  }

  end(folder: string): Cut {
    const { state } = this.#engine;
    const { command_number, deliveredNumber } = this.#positions;
    if (this.#place === undefined || this.#fitsFrom === undefined) {
      const seen = `the database has seen command ${command_number} and delivered outbox message ${deliveredNumber}`;
      const found = `the log in ${folder} leads to command ${state.commandNumber} and message ${state.externalNumber}`;
      throw new BackupFault(`${seen}, ${found}: they do not belong together. Check DATA_DIR and DATABASE_URL`);
    }
    return { engine: this.#engine, fitsFrom: this.#fitsFrom, ...this.#place };
  }

  #note(segment: Segment, { offset_bytes, chain }: LogReader): void {
    this.#place = { segment, size_bytes: offset_bytes, chain };
  }

  #look(): void {
    const { commandNumber, externalNumber, accounts } = this.#engine.state;
    const { command_number, deliveredNumber, deliveredAccount } = this.#positions;
    if (commandNumber < command_number || externalNumber < deliveredNumber || accounts.count < deliveredAccount) return;
    this.#fitsFrom ??= commandNumber;
  }

  /** Whether it comes from a row that the database lacks. */
  #isUnknown(command: Command): boolean {
    const { outbox_number, accounts } = this.#positions;
    if (command.kind === "open_account" && command.account > accounts) return true;
    return "number" in command && command.number !== undefined && command.number > outbox_number;
  }
}
