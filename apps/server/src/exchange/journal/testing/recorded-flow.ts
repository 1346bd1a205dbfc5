import { ByteWriter, type Command, Engine, encodeCommand, stateHash } from "@bourse/engine";
import { OrderFlow } from "../../../../../../packages/engine/src/codec/testing/order-flow.ts";
import { recover } from "../recovery.ts";

export interface RecordedFlow {
  readonly commands: readonly Command[];
  readonly records: readonly Uint8Array[];
  /** The hash after the first `number` commands. */
  hashAfter(number: number): string;
}

export function encoded(command: Command): Uint8Array {
  const writer = new ByteWriter();
  encodeCommand(command, writer);
  return writer.bytes.slice();
}

/**
 * The order flow of a seed. With `time_ms`, every command has that time, as an exchange with such a clock stamps it.
 */
export function recordFlow(seed: number, count: number, time_ms?: number): RecordedFlow {
  const engine = new Engine();
  const flow = new OrderFlow(seed, engine.state);
  const commands = Array.from({ length: count }, () => {
    const command = { ...flow.next(), ...(time_ms === undefined ? {} : { time_ms }) };
    engine.apply(command);
    return command;
  });
  return {
    commands,
    records: commands.map(encoded),
    hashAfter: (number) => {
      const replayed = new Engine();
      for (const command of commands.slice(0, number)) replayed.apply(command);
      return stateHash(replayed.state);
    },
  };
}

export interface WriteOptions {
  readonly segment_bytes?: number;
  readonly perAppend?: number;
}

/** Creates a data folder with these records in its journal. */
export async function writeJournal(
  folder: string,
  records: readonly Uint8Array[],
  { segment_bytes, perAppend = 50 }: WriteOptions = {},
): Promise<void> {
  const size = segment_bytes === undefined ? {} : { segment_bytes };
  const { log } = await recover({ folder, projectedNumber: 0, ...size });
  for (let at = 0; at < records.length; at += perAppend) await log.append(records.slice(at, at + perAppend));
  await log.close();
}
