import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planParts, type RebateLine } from "./rebate-lines.ts";

const contract = `0x${"c".repeat(40)}` as const;
const place = { chainId: 43_113, contract };
const payee = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const linesOf = (count: number): RebateLine[] =>
  Array.from({ length: count }, (_, index) => ({ address: payee(index + 1), amount_micros: BigInt(index + 1) }));

describe("the parts of a payout", () => {
  for (const [count, sizes] of [
    [1, [1]],
    [200, [200]],
    [201, [200, 1]],
    [401, [200, 200, 1]],
  ] as const) {
    it(`REF-3: ${count} lines make parts of ${sizes.join(", ")}`, () => {
      const { parts, total } = planParts("batch", linesOf(count), place);
      assert.deepEqual(
        parts.map(({ users }) => users.length),
        sizes,
      );
      assert.deepEqual(
        parts.map(({ number }) => number),
        sizes.map((_, index) => index + 1),
      );
      assert.equal(total, (BigInt(count) * BigInt(count + 1)) / 2n);
      const amounts = parts.flatMap((part) => part.amounts);
      assert.deepEqual(
        amounts,
        linesOf(count).map((line) => line.amount_micros),
      );
      assert.equal(new Set(parts.map(({ batchId }) => batchId)).size, sizes.length);
    });
  }

  it("REF-3: ids follow from the payout's name, the chain and the contract, not from the order or case of lines", () => {
    const lines = linesOf(250);
    const plan = planParts("batch", lines, place);
    const turned = lines
      .toReversed()
      .map((line) => ({ ...line, address: line.address.toUpperCase().replace("X", "x") }));
    assert.deepEqual(planParts("batch", turned, place), plan);
    const idsOf = (name: string, where: typeof place) =>
      planParts(name, lines, where).parts.map((part) => part.batchId);
    const all = [
      ...idsOf("batch", place),
      ...idsOf("batch2", place),
      ...idsOf("batch", { ...place, chainId: 43_114 }),
      ...idsOf("batch", { ...place, contract: `0x${"d".repeat(40)}` as typeof contract }),
    ];
    assert.equal(new Set(all).size, 8);
    assert.equal(plan.parts[0]!.batchId, "0x51f5256b1a9db6243bc9f2f1328aea74174f006a79f87263038fc8d73274a066");
  });

  it("REF-3: the digest changes with every line", () => {
    const lines = linesOf(3);
    const digests = [
      lines,
      lines.slice(1),
      [...lines.slice(1), { ...lines[0]!, amount_micros: 2n }],
      [...lines.slice(1), { ...lines[0]!, address: payee(9) }],
    ].map((changed) => planParts("batch", changed, place).digest);
    assert.equal(new Set(digests).size, 4);
  });

  for (const [name, lines] of [
    ["nobody", []],
    ["no address", [{ address: "0x12", amount_micros: 1n }]],
    ["the zero address", [{ address: payee(0), amount_micros: 1n }]],
    ["nothing", [{ address: payee(1), amount_micros: 0n }]],
    ["less than nothing", [{ address: payee(1), amount_micros: -1n }]],
    ["more than any amount", [{ address: payee(1), amount_micros: 2n ** 63n }]],
    ["a payee twice", [...linesOf(2), { address: payee(1), amount_micros: 5n }]],
  ] as const) {
    it(`REF-3: ${name} is refused`, () => assert.throws(() => planParts("batch", lines, place), RangeError));
  }

  it("REF-3: a payout without a name is refused", () => {
    assert.throws(() => planParts("", linesOf(1), place), /needs a name/);
  });
});
