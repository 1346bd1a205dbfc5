import { ByteReader } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { ENGINE_VERSION, Engine } from "../engine.ts";
import type { State } from "../state/state.ts";
import { ContentHash } from "./content-hash.ts";
import { SnapshotFault } from "./snapshot-fault.ts";
import { StateReader } from "./state-reader.ts";
import { StateWriter } from "./state-writer.ts";

/** The version of the content's form; any change of the form raises it. */
export const SNAPSHOT_FORMAT = 2;

/** "BOURSNAP" */
const MAGIC = Uint8Array.of(0x42, 0x4f, 0x55, 0x52, 0x53, 0x4e, 0x41, 0x50);
/** Magic, format, engine version, length of the content (low and high word). */
const HEADER_bytes = MAGIC.length + 16;
const HASH_bytes = 16;
const WORD_END = 2 ** 32;

/**
 * The whole state between two commands in a canonical form: two engines with the same state give the same bytes. The
 * last 16 bytes are the state hash of the content.
 */
export function writeSnapshot(state: State): Uint8Array {
  const content = new ByteWriter();
  new StateWriter(state, content, () => {}).writeAll();
  const hash = hashOf(content.bytes);
  const result = new Uint8Array(HEADER_bytes + content.length + HASH_bytes);
  const view = new DataView(result.buffer);
  result.set(MAGIC);
  view.setUint32(8, SNAPSHOT_FORMAT, true);
  view.setUint32(12, ENGINE_VERSION, true);
  view.setUint32(16, content.length % WORD_END, true);
  view.setUint32(20, Math.floor(content.length / WORD_END), true);
  result.set(content.bytes, HEADER_bytes);
  result.set(hash, HEADER_bytes + content.length);
  return result;
}

/** A new engine with the state of a snapshot, or a `SnapshotFault` that states what is wrong with it. */
export function readSnapshot(bytes: Uint8Array): Engine {
  const content = contentOf(bytes);
  try {
    return new Engine(new StateReader(new ByteReader(content)).readAll());
  } catch (cause) {
    // The hash is right, so a program whose format differs from this one's wrote the content.
    throw new SnapshotFault("damaged", `the snapshot makes no sense: ${String(cause)}`, { cause });
  }
}

function contentOf(bytes: Uint8Array): Uint8Array {
  if (!MAGIC.every((byte, at) => bytes[at] === undefined || bytes[at] === byte)) {
    throw new SnapshotFault("bad_magic", "this is no snapshot of an engine");
  }
  if (bytes.length < HEADER_bytes) throw truncated(bytes.length, HEADER_bytes + HASH_bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = view.getUint32(8, true);
  if (format !== SNAPSHOT_FORMAT) {
    throw new SnapshotFault("other_format", `the snapshot has format ${format}, this is format ${SNAPSHOT_FORMAT}`);
  }
  const version = view.getUint32(12, true);
  if (version !== ENGINE_VERSION) {
    const message = `the snapshot was written by engine version ${version}, this is version ${ENGINE_VERSION}`;
    throw new SnapshotFault("other_engine_version", message);
  }
  const length = view.getUint32(16, true) + view.getUint32(20, true) * WORD_END;
  const end = HEADER_bytes + length;
  if (bytes.length < end + HASH_bytes) throw truncated(bytes.length, end + HASH_bytes);
  const content = bytes.subarray(HEADER_bytes, end);
  const stored = bytes.subarray(end);
  const isRight = stored.length === HASH_bytes && hashOf(content).every((byte, at) => stored[at] === byte);
  if (!isRight) throw new SnapshotFault("damaged", "the snapshot's hash is not that of its content");
  return content;
}

function truncated(length: number, needed: number): SnapshotFault {
  return new SnapshotFault("truncated", `the snapshot has ${length} of at least ${needed} bytes`);
}

function hashOf(content: Uint8Array): Uint8Array {
  const hash = new ContentHash();
  hash.update(content);
  return hash.digest();
}
