import { ByteReader, type Command, decodeCommand, Engine } from "@bourse/engine";
import { type Applied, appliedOf, Wallets } from "../../exchange/index.ts";
import { type RebuildLog, seen } from "../log.ts";

function* replay(records: readonly Uint8Array[], engine: Engine): Iterable<Command> {
  for (const record of records) {
    const command = decodeCommand(new ByteReader(record));
    engine.apply(command);
    yield command;
  }
}

/** The records of a log in memory, as a log to rebuild from. */
export function memoryLogOf(records: readonly Uint8Array[]): RebuildLog {
  return {
    walkFrom() {
      const engine = new Engine();
      const wallets = new Wallets();
      return { engine, wallets, commands: () => seen(replay(records, engine), engine, wallets) };
    },
    async *reread(from, to) {
      yield* appliedIn(records, new Engine()).slice(from - 1, to);
    },
  };
}

/** Applies the records to a new engine. */
export function appliedIn(records: readonly Uint8Array[], engine: Engine): Applied[] {
  return Array.from(replay(records, engine), (command) => appliedOf(engine, command));
}
