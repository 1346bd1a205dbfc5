import { ByteWriter } from "../codec/byte-writer.ts";
import type { State } from "../state/state.ts";
import { ContentHash } from "./content-hash.ts";
import { StateWriter } from "./state-writer.ts";

/** Bytes are hashed and dropped whenever about this many have been written. */
const PIECE_bytes = 32_768;

/** INV-6: 128 bits of the canonical content of a snapshot, in hex. The same state has the same hash. */
export function stateHash(state: State): string {
  const hash = new ContentHash();
  const writer = new ByteWriter();
  const passOn = (): void => {
    hash.update(writer.bytes);
    writer.clear();
  };
  new StateWriter(state, writer, () => {
    if (writer.length >= PIECE_bytes) passOn();
  }).writeAll();
  passOn();
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
