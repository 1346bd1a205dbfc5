import { createHash } from "node:crypto";
import { ByteWriter } from "../codec/byte-writer.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import type { State } from "../state/state.ts";
import { ContentHash } from "./content-hash.ts";
import { StateWriter } from "./state-writer.ts";

/** Bytes are hashed and dropped whenever there are about this many. */
const PIECE_bytes = 32_768;

/** The hash of a state's content, which may come in pieces. */
export interface StateHasher {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** PRF-1: SHA-256. States of rules version 3 keep the 128-bit hash that their logs were recorded with (LOG-6). */
export const hasherOf = (rulesVersion: number): StateHasher =>
  rulesVersion >= RULES_WITH_REFERENCES ? createHash("sha256") : new ContentHash();

/** INV-6: the hash of the canonical content of a snapshot, in hex. The same state has the same hash. */
export function stateHash(state: State): string {
  const hasher = hasherOf(state.rulesVersion);
  const writer = new ByteWriter();
  const passOn = (): void => {
    hasher.update(writer.bytes);
    writer.clear();
  };
  new StateWriter(state, writer, () => {
    if (writer.length >= PIECE_bytes) passOn();
  }).writeAll();
  passOn();
  return Buffer.from(hasher.digest()).toString("hex");
}
