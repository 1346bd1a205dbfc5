import { resolve } from "node:path";
import { parseOptions, UsageError } from "../support/command.ts";

export const USAGE = `Usage: npm run replay -- <log> [--from <snapshot>] [--until <number>] [--save <snapshot>]
                            [--every <commands>] [--dump [--rows <count>]]
       npm run replay -- --record <log> --seed <number> --commands <count>

  <log>       a recorded log: its commands are applied to a new engine
  --from      start with the engine of a snapshot instead, behind the commands that it has seen
  --until     stop after the command of this number
  --save      write a snapshot of the last state
  --every     print the state hash after every this many commands
  --dump      print the last state in words; --rows limits each of its tables
  --record    write a log of made-up order flow instead; the same seed gives the same log`;

export interface ReplayRequest {
  readonly log: string;
  readonly from: string | null;
  readonly save: string | null;
  /** The number of the last command to apply. */
  readonly until: number;
  /** 0: not at all. */
  readonly every: number;
  readonly isDump: boolean;
  readonly rows: number;
}

export interface RecordRequest {
  readonly record: string;
  readonly seed: number;
  readonly commands: number;
}

const OPTIONS = {
  from: { type: "string" },
  until: { type: "string" },
  save: { type: "string" },
  every: { type: "string" },
  dump: { type: "boolean" },
  rows: { type: "string" },
  record: { type: "string" },
  seed: { type: "string" },
  commands: { type: "string" },
  help: { type: "boolean" },
} as const;

/** Null if only help is requested. Paths are relative to the folder in which npm was called. */
export function parseArguments(args: readonly string[], folder: string): ReplayRequest | RecordRequest | null {
  const { values, positionals } = parseOptions({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (values.help === true) return null;
  if (values.record !== undefined) {
    if (positionals.length > 0) throw new UsageError("--record goes without a log to read");
    const seed = wholeNumber("--seed", values.seed, 1, 0);
    return {
      record: resolve(folder, values.record),
      seed,
      commands: wholeNumber("--commands", values.commands, 10_000),
    };
  }
  const [log, ...others] = positionals;
  if (log === undefined || others.length > 0) throw new UsageError("one log is needed");
  return {
    log: resolve(folder, log),
    from: values.from === undefined ? null : resolve(folder, values.from),
    save: values.save === undefined ? null : resolve(folder, values.save),
    until: wholeNumber("--until", values.until, Number.MAX_SAFE_INTEGER),
    every: wholeNumber("--every", values.every, 0),
    isDump: values.dump === true,
    rows: wholeNumber("--rows", values.rows, Number.POSITIVE_INFINITY),
  };
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, least = 1): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`${name} needs a whole number from ${least} on, not ${text}`);
  }
  return value;
}
