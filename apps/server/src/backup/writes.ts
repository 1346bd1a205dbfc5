import type { Command } from "@bourse/engine";
import type { LogReader } from "../kernel/journal/log-reader.ts";

/** Commands that became durable together. */
export interface Write {
  /** Undefined where the log is not chained. */
  readonly chainBefore: Buffer | undefined;
  readonly commands: readonly Command[];
}

/** The writes of a segment; commands before `fromNumber` are left out. After each, the reader stands at its end. */
export function* writesOf(reader: LogReader, fromNumber = 0): Generator<Write> {
  if (reader.chain === undefined) {
    for (const command of reader.commands(fromNumber)) yield { chainBefore: undefined, commands: [command] };
  } else {
    for (const { chainBefore, commands } of reader.frames(fromNumber)) yield { chainBefore, commands: [...commands] };
  }
}
