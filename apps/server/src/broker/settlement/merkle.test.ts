import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { HASH_bytes, leafHash, MerkleTree, rootFrom } from "../../kernel/merkle.ts";
import { oracleRoot } from "./testing/oracle.ts";

const leavesOf = (count: number) => Array.from({ length: count }, (_, place) => leafHash(`record ${place}`));
const build = (leaves: readonly Buffer[]) => MerkleTree.build("2026-06-01", Buffer.concat(leaves));
const sha256 = (...parts: readonly Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

describe("BRK-17: the tree over a day's records", () => {
  it("leaves, nodes and the empty day are told apart by their first byte", async () => {
    assert.deepEqual(leafHash("a"), sha256(Buffer.from([0]), Buffer.from("a")));
    const [left, right] = [leafHash("a"), leafHash("b")];
    assert.deepEqual((await build([left, right])).root, sha256(Buffer.from([1]), left, right));
    assert.deepEqual((await build([left])).root, left);
    assert.deepEqual((await build([])).root, sha256(Buffer.from([2]), Buffer.from("2026-06-01")));
  });

  it("the example of docs/rules/rebates.md is right, and so are its lines for a browser", async () => {
    const page = readFileSync(new URL("../../../../../docs/rules/rebates.md", import.meta.url), "utf8");
    const example = /Example: the lines ([\s\S]*?) have the leaf `([0-9a-f]{64})`/.exec(page);
    const lines = [...example![1]!.matchAll(/`([^`]+)`/g)].map(([, line]) => line!);
    assert.equal(leafHash(lines.join("\n")).toString("hex"), example![2]);
    const empty = /The root of an empty 2026-06-01 is\s+`([0-9a-f]{64})`/.exec(page);
    assert.equal((await build([])).root.toString("hex"), empty![1]);

    const code = /```js\n([\s\S]*?)```/.exec(page)![1]!;
    const names = /const names = (\[[\s\S]*?\]);/.exec(code)![1]!;
    const record = Object.fromEntries(
      (JSON.parse(names.replace(/\s+/g, " ")) as string[]).map((name, at) => [name, lines[at]]),
    );
    const rootOf = new Function(`${code}\nreturn rootOf;`)() as (proof: object) => Promise<string>;
    const tree = await build([...leavesOf(4), leafHash(lines.join("\n")), ...leavesOf(2)]);
    const siblings = tree.prove(4).map(({ position, hash }) => ({ position, hash: `0x${hash.toString("hex")}` }));
    assert.equal(await rootOf({ record, siblings }), `0x${tree.root.toString("hex")}`);
  });

  it("every leaf of every tree up to 70 leaves leads to the root, and no other leaf does", async () => {
    for (let count = 1; count <= 70; count += 1) {
      const leaves = leavesOf(count);
      const tree = await build(leaves);
      assert.deepEqual(tree.root, oracleRoot("2026-06-01", leaves));
      assert.equal(tree.leafCount, count);
      for (const [place, leaf] of leaves.entries()) {
        assert.equal(tree.indexOf(leaf), place);
        const siblings = tree.prove(place);
        assert.deepEqual(rootFrom(leaf, siblings), tree.root);
        assert.notDeepEqual(rootFrom(leafHash("another"), siblings), tree.root);
      }
    }
  });

  it("a changed, moved or missing sibling leads elsewhere", async () => {
    const leaves = leavesOf(11);
    const tree = await build(leaves);
    const siblings = tree.prove(5);
    for (const place of siblings.keys()) {
      const { position, hash } = siblings[place]!;
      const flipped = Buffer.from(hash);
      flipped[0]! ^= 1;
      const other = position === "left" ? ("right" as const) : ("left" as const);
      for (const wrong of [[{ position, hash: flipped }], [{ position: other, hash }], []]) {
        assert.notDeepEqual(rootFrom(leaves[5]!, siblings.toSpliced(place, 1, ...wrong)), tree.root);
      }
    }
  });

  it("many leaves are hashed in turns, with the same root", async () => {
    const leaves = leavesOf(20_001);
    assert.deepEqual((await build(leaves)).root, oracleRoot("2026-06-01", leaves));
  });

  it("what is no leaf has no place and no proof", async () => {
    const tree = await build(leavesOf(3));
    assert.equal(tree.indexOf(leafHash("another")), -1);
    // Bytes that span two leaves are not a leaf.
    const across = Buffer.concat(leavesOf(3)).subarray(5, 5 + HASH_bytes);
    assert.equal(tree.indexOf(across), -1);
    for (const place of [-1, 3, 0.5, Number.NaN]) assert.throws(() => tree.prove(place), RangeError);
    await assert.rejects(MerkleTree.build("2026-06-01", Buffer.alloc(33)), RangeError);
  });
});
