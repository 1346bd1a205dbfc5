import { ByteReader } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { DIGEST_bytes } from "../digest.ts";
import { Engine } from "../engine.ts";
import {
  isApplicableRulesVersion,
  NEXT_RULES,
  OLDEST_RULES,
  RULES_WITH_FAIR_MARKETS,
  RULES_WITH_ORDER_TERMS,
  RULES_WITH_REFERENCES,
} from "../rules/version.ts";
import type { State } from "../state/state.ts";
import { SnapshotFault } from "./snapshot-fault.ts";
import { hasherOf } from "./state-hash.ts";
import { StateReader } from "./state-reader.ts";
import { StateWriter } from "./state-writer.ts";

/** The form of a snapshot follows from the state's rules version, so that a release reads what it can apply (LOG-6). */
const FORMAT_OF_RULES_3 = 2;
const FORMAT_WITH_REFERENCES = 3;
const FORMAT_WITH_FAIR_MARKETS = 4;
const FORMAT_WITH_ORDER_TERMS = 5;
export function formatOf(rulesVersion: number): number {
  if (rulesVersion >= RULES_WITH_ORDER_TERMS) return FORMAT_WITH_ORDER_TERMS;
  if (rulesVersion >= RULES_WITH_FAIR_MARKETS) return FORMAT_WITH_FAIR_MARKETS;
  return rulesVersion >= RULES_WITH_REFERENCES ? FORMAT_WITH_REFERENCES : FORMAT_OF_RULES_3;
}

/** "BOURSNAP" */
const MAGIC = Uint8Array.of(0x42, 0x4f, 0x55, 0x52, 0x53, 0x4e, 0x41, 0x50);
/** Magic, format, rules version that reading it needs, length of the content (low and high word). */
const HEADER_bytes = MAGIC.length + 16;
const WORD_END = 2 ** 32;
const hashLength = (rulesVersion: number) => (rulesVersion >= RULES_WITH_REFERENCES ? DIGEST_bytes : 16);

/**
 * The whole state between two commands, in a canonical form: two engines with the same state give the same bytes. The
 * last bytes are the state hash of the content.
 */
export function writeSnapshot(state: State): Uint8Array {
  const { rulesVersion } = state;
  const content = new ByteWriter();
  new StateWriter(state, content, () => {}).writeAll();
  const hash = hashOf(content.bytes, rulesVersion);
  const result = new Uint8Array(HEADER_bytes + content.length + hash.length);
  const view = new DataView(result.buffer);
  result.set(MAGIC);
  view.setUint32(8, formatOf(rulesVersion), true);
  view.setUint32(12, rulesVersion, true);
  view.setUint32(16, content.length % WORD_END, true);
  view.setUint32(20, Math.floor(content.length / WORD_END), true);
  result.set(content.bytes, HEADER_bytes);
  result.set(hash, HEADER_bytes + content.length);
  return result;
}

/** A new engine with the state of a snapshot, or a `SnapshotFault` that states what is wrong with it. */
export function readSnapshot(bytes: Uint8Array): Engine {
  const { content, rulesVersion } = contentOf(bytes);
  try {
    return new Engine(new StateReader(new ByteReader(content), rulesVersion).readAll());
  } catch (cause) {
    // The hash is right, so a program whose format differs from this one's wrote the content.
    throw new SnapshotFault("damaged", `the snapshot makes no sense: ${String(cause)}`, { cause });
  }
}

function contentOf(bytes: Uint8Array): { readonly content: Uint8Array; readonly rulesVersion: number } {
  if (!MAGIC.every((byte, at) => bytes[at] === undefined || bytes[at] === byte)) {
    throw new SnapshotFault("bad_magic", "this is no snapshot of an engine");
  }
  if (bytes.length < HEADER_bytes) throw truncated(bytes.length, HEADER_bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rulesVersion = view.getUint32(12, true);
  if (!isApplicableRulesVersion(rulesVersion)) {
    const known = `this release knows ${OLDEST_RULES} to ${NEXT_RULES}`;
    throw new SnapshotFault("other_rules_version", `the snapshot needs rules version ${rulesVersion}, ${known}`);
  }
  const format = view.getUint32(8, true);
  const expected = formatOf(rulesVersion);
  if (format !== expected) {
    throw new SnapshotFault(
      "other_format",
      `the snapshot has format ${format}, its rules version has format ${expected}`,
    );
  }
  const length = view.getUint32(16, true) + view.getUint32(20, true) * WORD_END;
  const end = HEADER_bytes + length;
  const hashBytes = hashLength(rulesVersion);
  if (bytes.length < end + hashBytes) throw truncated(bytes.length, end + hashBytes);
  const content = bytes.subarray(HEADER_bytes, end);
  const stored = bytes.subarray(end);
  const isRight = stored.length === hashBytes && hashOf(content, rulesVersion).every((byte, at) => stored[at] === byte);
  if (!isRight) throw new SnapshotFault("damaged", "the snapshot's hash is not that of its content");
  return { content, rulesVersion };
}

function truncated(length: number, needed: number): SnapshotFault {
  return new SnapshotFault("truncated", `the snapshot has ${length} of at least ${needed} bytes`);
}

function hashOf(content: Uint8Array, rulesVersion: number): Uint8Array {
  const hasher = hasherOf(rulesVersion);
  hasher.update(content);
  return hasher.digest();
}
