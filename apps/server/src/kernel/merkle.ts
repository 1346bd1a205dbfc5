import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

/*
 * BRK-17, PTS-5: a Merkle tree. A leaf is SHA-256(0x00 ‖ text), a node SHA-256(0x01 ‖ left ‖ right), and a node without a sibling
 * moves up unchanged. The first byte prevents a node from being presented as a leaf.
 */

export const HASH_bytes = 32;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
const EMPTY = Buffer.from([2]);
/** The number of hashes per turn of the event loop. */
const HASHES_PER_TURN = 4_000;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash("sha256", Buffer.concat(parts), "buffer");

export const leafHash = (text: string): Buffer => sha256(LEAF, Buffer.from(text, "utf8"));
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(NODE, left, right);
/** An empty tree has a root too, derived from its name. */
const emptyRoot = (name: string): Buffer => sha256(EMPTY, Buffer.from(name, "utf8"));

export interface Sibling {
  readonly position: "left" | "right";
  readonly hash: Buffer;
}

/** The levels of a tree, from its leaves to its root. */
export class MerkleTree {
  readonly root: Buffer;
  readonly #levels: readonly Buffer[];

  private constructor(levels: readonly Buffer[], root: Buffer) {
    this.#levels = levels;
    this.root = root;
  }

  /** Builds a tree from concatenated leaves; the root of an empty tree is derived from `name`. */
  static async build(name: string, leaves: Buffer): Promise<MerkleTree> {
    if (leaves.length % HASH_bytes !== 0) throw new RangeError(`${leaves.length} bytes are no whole number of leaves`);
    if (leaves.length === 0) return new MerkleTree([], emptyRoot(name));
    const levels = [leaves];
    let level = leaves;
    while (level.length > HASH_bytes) {
      level = await levelAbove(level);
      levels.push(level);
    }
    return new MerkleTree(levels, level);
  }

  get leafCount(): number {
    return (this.#levels[0]?.length ?? 0) / HASH_bytes;
  }

  /** The index of a leaf; -1 if it is missing. */
  indexOf(leaf: Buffer): number {
    const leaves = this.#levels[0] ?? Buffer.alloc(0);
    for (let at = leaves.indexOf(leaf); at !== -1; at = leaves.indexOf(leaf, at + 1)) {
      if (at % HASH_bytes === 0) return at / HASH_bytes;
    }
    return -1;
  }

  /** The siblings on the path from a leaf to the root; levels without a sibling are omitted. */
  prove(index: number): Sibling[] {
    if (!Number.isInteger(index) || index < 0 || index >= this.leafCount)
      throw new RangeError(`there is no leaf ${index}`);
    const siblings: Sibling[] = [];
    let place = index;
    for (const level of this.#levels) {
      const at = (place ^ 1) * HASH_bytes;
      const neighbour = level.subarray(at, at + HASH_bytes);
      if (neighbour.length > 0) siblings.push({ position: place % 2 === 0 ? "right" : "left", hash: neighbour });
      place >>= 1;
    }
    return siblings;
  }
}

async function levelAbove(level: Buffer): Promise<Buffer> {
  const count = level.length / HASH_bytes;
  const above = Buffer.allocUnsafe(Math.ceil(count / 2) * HASH_bytes);
  const pair = Buffer.concat([NODE, Buffer.alloc(2 * HASH_bytes)]);
  for (let place = 0; place < count; place += 2) {
    const at = place * HASH_bytes;
    const isAlone = place + 1 === count;
    if (isAlone) {
      level.copy(above, at / 2, at);
    } else {
      level.copy(pair, 1, at, at + 2 * HASH_bytes);
      hash("sha256", pair, "buffer").copy(above, at / 2);
    }
    if (place % (2 * HASHES_PER_TURN) === 0 && place > 0) await nextTurn();
  }
  return above;
}

/** The root computed from a leaf and its siblings. */
export function rootFrom(leaf: Buffer, siblings: readonly Sibling[]): Buffer {
  return siblings.reduce(
    (node, sibling) => (sibling.position === "left" ? nodeHash(sibling.hash, node) : nodeHash(node, sibling.hash)),
    leaf,
  );
}
