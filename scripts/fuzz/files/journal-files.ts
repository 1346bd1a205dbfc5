import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Engine, stateHash } from "@bourse/engine";
import { makeSnapshot } from "../../../apps/server/src/exchange/journal/make-snapshot.ts";
import { recover } from "../../../apps/server/src/exchange/journal/recovery.ts";
import {
  type RecordedFlow,
  recordFlow,
  writeJournal,
} from "../../../apps/server/src/exchange/journal/testing/recorded-flow.ts";
import { HEADER_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";
import { listSegments } from "../../../apps/server/src/kernel/journal/segments.ts";
import { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Failures } from "../failures.ts";
import { damage } from "./damages.ts";
import { firstDifference, hasWholeRecordBehind } from "./log-bytes.ts";
import { type Original, readOriginals } from "./originals.ts";
import { rearrange } from "./rearrange.ts";

const COMMANDS = 400;
const SEGMENT_bytes = 6_000;
const SNAPSHOTS = [150, 300];
const TOO_LONG_ms = 30_000;

/** A data folder's files after the damage; missing ones were deleted. */
type Files = ReadonlyMap<string, Buffer>;

interface Damaged {
  readonly kind: string;
  readonly files: Files;
}

export type Outcome = "whole" | "tail cut" | "end lost" | "refused";

interface Found {
  readonly outcome: Outcome;
  readonly problem: string | undefined;
}

/** A recorded journal with snapshots, damaged in thousands of ways, and the result of recovery for each. */
export class JournalFiles {
  readonly #flow: RecordedFlow;
  readonly #originals: readonly Original[];
  readonly #hashes: readonly string[];
  readonly #failures: Failures;
  readonly outcomes = new Map<string, Map<Outcome, number>>();

  private constructor(
    flow: RecordedFlow,
    originals: readonly Original[],
    hashes: readonly string[],
    failures: Failures,
  ) {
    this.#flow = flow;
    this.#originals = originals;
    this.#hashes = hashes;
    this.#failures = failures;
  }

  static async record(seed: number, failures: Failures): Promise<JournalFiles> {
    const flow = recordFlow(seed, COMMANDS);
    const engine = new Engine();
    const hashes = [stateHash(engine.state)];
    for (const command of flow.commands) {
      engine.apply(command);
      hashes.push(stateHash(engine.state));
    }
    const folder = mkdtempSync(join(tmpdir(), "bourse-fuzz-"));
    try {
      await writeJournal(folder, flow.records, { segment_bytes: SEGMENT_bytes, perAppend: 7 });
      for (const number of SNAPSHOTS) {
        await makeSnapshot({ folder, number, liveHash: hashes[number], projectedNumber: 0 });
      }
      return new JournalFiles(flow, readOriginals(folder), hashes, failures);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  get #segments(): readonly Original[] {
    return this.#originals.filter(({ isSegment }) => isSegment);
  }

  /** Damages once, recovers, and checks the result. */
  async once(seed: number): Promise<string> {
    const prng = new Prng(seed);
    const damaged = this.#damage(prng);
    const projectedNumber = prng.pick([COMMANDS, COMMANDS, COMMANDS - prng.below(20), prng.below(COMMANDS), 0]);
    const folder = mkdtempSync(join(tmpdir(), "bourse-fuzz-"));
    try {
      for (const part of ["journal", "snapshots"]) mkdirSync(join(folder, part));
      for (const [name, bytes] of damaged.files) writeFileSync(join(folder, name), bytes);
      const { outcome, problem } = await this.#recover(folder, damaged.files, projectedNumber, prng.isIn(10));
      const counts = this.outcomes.get(damaged.kind) ?? new Map<Outcome, number>();
      this.outcomes.set(damaged.kind, counts);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (problem !== undefined) {
        const sent = `seed ${seed}, database at ${projectedNumber}, changed: ${this.#changedNames(damaged.files).join(", ")}`;
        this.#failures.add(`journal, ${damaged.kind}: ${problem}`, { how: "recovery", sent, answered: outcome });
      }
      return damaged.kind;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #damage(prng: Prng): Damaged {
    const files = new Map(this.#originals.map(({ name, bytes }) => [name, bytes]));
    if (prng.isIn(20)) return { kind: rearrange(files, this.#originals, COMMANDS, prng), files };
    // The last segment is damaged most often: it alone may be cut.
    const last = this.#segments.at(-1)!;
    const target = prng.isIn(40) ? last : prng.pick(this.#originals);
    const { kind, bytes } = damage(prng, target.bytes, target.records, target.isSegment ? HEADER_bytes : 32);
    files.set(target.name, bytes);
    const where = target === last ? "last segment" : target.isSegment ? "segment" : "snapshot";
    if (!prng.isIn(10)) return { kind: `${where}: ${kind}`, files };
    const other = prng.pick(this.#originals);
    files.set(other.name, damage(prng, other.bytes, other.records, HEADER_bytes).bytes);
    return { kind: "two files damaged", files };
  }

  async #recover(folder: string, files: Files, projectedNumber: number, goesOn: boolean): Promise<Found> {
    const lines: string[] = [];
    const started_ms = performance.now();
    const options = {
      folder,
      projectedNumber,
      segment_bytes: SEGMENT_bytes,
      onProgress: (line: string) => lines.push(line),
    };
    let recovered: Awaited<ReturnType<typeof recover>>;
    try {
      recovered = await recover(options);
    } catch (error) {
      return { outcome: "refused", problem: this.#judgeRefusal(error, folder, files, projectedNumber) };
    }
    const { engine, log, torn_bytes } = recovered;
    await log.close();
    const number = engine.state.commandNumber;
    const problem =
      performance.now() - started_ms > TOO_LONG_ms
        ? "recovery takes too long"
        : stateHash(engine.state) !== this.#hashes[number]
          ? `a state that never was, after ${number} commands`
          : this.#judgeEnd(folder, files, { number, torn_bytes, lines, projectedNumber });
    if (problem === undefined && goesOn) await this.#goOn(options, number);
    const outcome = number === COMMANDS ? "whole" : torn_bytes > 0 ? "tail cut" : "end lost";
    return { outcome, problem };
  }

  /** Checks that only lost data is missing that may be missing, and that the damage was reported. */
  #judgeEnd(
    folder: string,
    files: Files,
    end: { number: number; torn_bytes: number; lines: readonly string[]; projectedNumber: number },
  ): string | undefined {
    const { number, torn_bytes, lines, projectedNumber } = end;
    if (number < projectedNumber) return "the database has seen more";
    const isReported = (name: string) => lines.some((line) => line.includes(join(folder, name)));
    for (const { name, bytes, isSegment, number: seen } of this.#originals) {
      const now = files.get(name);
      // Recovery reads snapshots from the newest on, until one is valid.
      const isWanted =
        !isSegment && seen <= projectedNumber && !this.#isNewerSnapshotGood(files, seen, projectedNumber);
      if (isWanted && now !== undefined && !now.equals(bytes) && !isReported(name))
        return `${name} was passed over in silence`;
    }
    if (torn_bytes > 0) {
      const name = `journal/${basename(listSegments(folder).at(-1)!.path)}`;
      if (!lines.some((line) => line.includes(join(folder, name)) && line.includes(`${torn_bytes} bytes`))) {
        return "what was cut off is not reported";
      }
    }
    return number === COMMANDS ? undefined : this.#judgeLoss(files, number);
  }

  #isNewerSnapshotGood(files: Files, than: number, projectedNumber: number): boolean {
    return this.#originals.some(
      ({ name, bytes, isSegment, number }) =>
        !isSegment && number > than && number <= projectedNumber && files.get(name)?.equals(bytes) === true,
    );
  }

  /** Only what an unfinished write can leave may be lost, or the whole last segment if it was deleted. */
  #judgeLoss(files: Files, number: number): string | undefined {
    const last = this.#segments.at(-1)!;
    const now = files.get(last.name);
    if (now === undefined) return number === last.number - 1 ? undefined : "more is lost than the segment that is gone";
    const from = firstDifference(now, last.bytes);
    if (from === undefined) return "commands are lost, and the last segment is whole";
    const before = last.records.filter(({ end }) => end <= from).length;
    if (number < last.number - 1 + before) return "commands from before the damage are lost";
    const behind = last.records.slice(before);
    const cut = last.records[before]?.start ?? last.bytes.length;
    return hasWholeRecordBehind(now, last.bytes, behind, cut) ? "whole records behind the damage are lost" : undefined;
  }

  /** A refusal has to name the location, and an unfinished write alone must not cause one. */
  #judgeRefusal(error: unknown, folder: string, files: Files, projectedNumber: number): string | undefined {
    const message = error instanceof Error ? error.message : String(error);
    if (!message.includes(folder)) return `refused without a name: ${message.replaceAll(/\d+/g, "N").slice(0, 120)}`;
    const isPlaced = /at byte \d+|command \d+|commands \d+|header|version|is no log|has seen/.test(message);
    if (!isPlaced) return `refused without a place: ${message.replaceAll(folder, "").slice(0, 120)}`;
    const names = this.#changedNames(files);
    const isAboutLast = names.length === 1 && names[0] === this.#segments.at(-1)!.name;
    if (names.length === 0) return "refused, and nothing is damaged";
    if (!isAboutLast) return undefined;
    const last = this.#segments.at(-1)!;
    const now = files.get(last.name);
    if (now === undefined || now.length < HEADER_bytes || !last.bytes.subarray(0, now.length).equals(now))
      return undefined;
    const kept = last.number - 1 + last.records.filter(({ end }) => end <= now.length).length;
    const isCovered = kept >= projectedNumber && kept >= SNAPSHOTS.at(-1)!;
    return isCovered ? `an unfinished write is refused: ${message.replaceAll(folder, "").slice(0, 120)}` : undefined;
  }

  /** The recovered exchange accepts the next commands, and a second recovery finds them. */
  async #goOn(options: Parameters<typeof recover>[0], number: number): Promise<void> {
    const rest = this.#flow.records.slice(number);
    const { log } = await recover(options);
    if (rest.length > 0) await log.append(rest);
    await log.close();
    const again = await recover(options);
    await again.log.close();
    if (stateHash(again.engine.state) !== this.#hashes[COMMANDS]) {
      this.#failures.add("journal: it does not go on where it ended", {
        how: "",
        sent: `after ${number}`,
        answered: "",
      });
    }
  }

  #changedNames(files: Files): string[] {
    const names = new Set([...files.keys(), ...this.#originals.map(({ name }) => name)]);
    const originals = new Map(this.#originals.map(({ name, bytes }) => [name, bytes]));
    return [...names].filter((name) => {
      const [now, was] = [files.get(name), originals.get(name)];
      return now === undefined || was === undefined || !now.equals(was);
    });
  }
}
