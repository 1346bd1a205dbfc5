import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { checkProof, leafTextOf, type Sibling } from "./merkle.ts";

const sha256 = (...parts: readonly Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const leafOf = (text: string) => sha256(Buffer.from([0]), Buffer.from(text));
const nodeOf = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right);
const hex = (bytes: Buffer) => `0x${bytes.toString("hex")}`;

/** A tree of five leaves by hand: ((a b) (c d)) e, in which e goes up without a neighbour. */
const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(leafOf) as [Buffer, Buffer, Buffer, Buffer, Buffer];
const ab = nodeOf(a, b);
const cd = nodeOf(c, d);
const root = hex(nodeOf(nodeOf(ab, cd), e));
const siblingsOfC: readonly Sibling[] = [
  { position: "right", hash: hex(d) },
  { position: "left", hash: hex(ab) },
  { position: "right", hash: hex(e) },
];
const roots = [{ name: "Root", root }];

describe("BRK-17: a proof is worked out in the browser", () => {
  it("a leaf leads to the root, with every step shown", async () => {
    const check = await checkProof({ leafText: "c", leaf: hex(c), siblings: siblingsOfC, roots });
    assert.equal(check.isValid, true);
    assert.deepEqual(
      check.steps.map(({ node }) => node),
      [hex(cd), hex(nodeOf(ab, cd)), root],
    );
    assert.deepEqual(
      check.comparisons.map(({ what, isSame }) => [what, isSame]),
      [
        ["Leaf", true],
        ["Root", true],
      ],
    );
  });

  it("a node without a neighbour goes up as it is, and an only leaf is the root", async () => {
    const siblings: Sibling[] = [{ position: "left", hash: hex(nodeOf(ab, cd)) }];
    assert.equal((await checkProof({ leafText: "e", leaf: hex(e), siblings, roots })).isValid, true);
    const only = { leafText: "a", leaf: hex(a), siblings: [], roots: [{ name: "Root", root: hex(a) }] };
    assert.equal((await checkProof(only)).isValid, true);
  });

  it("another text, a moved or missing neighbour, and another root are all found out", async () => {
    const right = { leafText: "c", leaf: hex(c), siblings: siblingsOfC, roots };
    const moved = siblingsOfC.map(({ hash }) => ({ position: "left" as const, hash }));
    const wrongs = [
      { ...right, leafText: "C" },
      { ...right, leaf: hex(d) },
      { ...right, siblings: moved },
      { ...right, siblings: siblingsOfC.slice(1) },
      { ...right, roots: [...roots, { name: "Published", root: hex(a) }] },
      { ...right, roots: [] },
    ];
    for (const wrong of wrongs) assert.equal((await checkProof(wrong)).isValid, false);
  });

  it("letters of a hash may be large or small", async () => {
    const leaf = `0x${c.toString("hex").toUpperCase()}`;
    assert.equal((await checkProof({ leafText: "c", leaf, siblings: siblingsOfC, roots })).isValid, true);
  });

  it("what is no proof is refused by name", async () => {
    const right = { leafText: "c", leaf: hex(c), siblings: siblingsOfC, roots };
    await assert.rejects(checkProof({ ...right, leaf: "0x12" }), /the leaf is not 0x and 64 hex digits/);
    const sideways = [{ position: "up", hash: hex(d) }] as unknown as Sibling[];
    await assert.rejects(checkProof({ ...right, siblings: sideways }), /sibling 1 is neither left nor right/);
    const endless = Array.from({ length: 65 }, () => ({ position: "left" as const, hash: hex(d) }));
    await assert.rejects(checkProof({ ...right, siblings: endless }), /not a list of hashes/);
    assert.throws(() => leafTextOf([["owner", "two\nlines"]]), /owner is missing or not a line of text/);
    assert.throws(() => leafTextOf([["fee", undefined]]), /fee is missing/);
    assert.throws(() => leafTextOf([["fee", 1.5]]), /fee is missing/);
  });
});
