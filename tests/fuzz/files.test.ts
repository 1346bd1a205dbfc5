import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Failures } from "../../scripts/fuzz/failures.ts";
import { runFiles } from "../../scripts/fuzz/files/file-run.ts";
import { firstDifference, hasWholeRecordBehind } from "../../scripts/fuzz/files/log-bytes.ts";

const DAMAGES = 180;
const SEED = 20_260_601;

describe("files that were damaged", () => {
  it("INV-7: a damaged log or snapshot leads to a true state or is refused by name; only an unfinished end is cut", async () => {
    const failures = new Failures();
    const { damages, outcomes } = await runFiles({ damages: DAMAGES, seed: SEED }, failures);
    assert.equal(failures.count, 0, failures.lines().join("\n"));
    assert.equal(damages, DAMAGES);
    const seen = new Set([...outcomes.values()].flatMap((counts) => [...counts.keys()]));
    for (const outcome of ["whole", "tail cut", "refused"]) assert.ok(seen.has(outcome), `${outcome} was seen`);
    assert.ok([...outcomes.keys()].some((kind) => kind.startsWith("chain")));
  });

  it("INV-7: a recovery that does not end is a failure, not a silence", async () => {
    const failures = new Failures();
    await runFiles({ damages: 10, seed: SEED, silence_ms: 1 }, failures);
    assert.match(failures.lines()[0] ?? "", /a recovery does not end/);
  });

  it("knows where bytes differ and whether a record is left behind the place", () => {
    const one = Buffer.from("aabbccdd");
    assert.equal(firstDifference(one, Buffer.from("aabbccdd")), undefined);
    assert.equal(firstDifference(Buffer.from("aaxbccdd"), one), 2);
    assert.equal(firstDifference(Buffer.from("aab"), one), 3);
    const records = [{ start: 4, end: 6 }];
    assert.equal(hasWholeRecordBehind(Buffer.from("aaxxccdd"), one, records, 2), true);
    assert.equal(hasWholeRecordBehind(Buffer.from("aaxxcxdd"), one, records, 2), false);
  });
});
