import { OrderFlow } from "../../packages/engine/src/codec/testing/order-flow.ts";
import { ByteWriter, Engine, encodeCommand, stateHash } from "../../packages/engine/src/index.ts";

/** Commands of a seeded flow as records of the log, and the hash of the resulting state. */
export function makeRecords(count: number): { readonly records: readonly Uint8Array[]; readonly hash: string } {
  const engine = new Engine();
  const flow = new OrderFlow(1, engine.state);
  const writer = new ByteWriter();
  const records = Array.from({ length: count }, () => {
    const command = flow.next();
    writer.clear();
    encodeCommand(command, writer);
    engine.apply(command);
    return writer.bytes.slice();
  });
  return { records, hash: stateHash(engine.state) };
}
