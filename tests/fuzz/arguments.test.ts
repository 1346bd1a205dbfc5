import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseArguments } from "../../scripts/fuzz/arguments.ts";
import { Failures } from "../../scripts/fuzz/failures.ts";
import { countTable } from "../../scripts/fuzz/tables.ts";
import { UsageError } from "../../scripts/support/command.ts";

describe("what the fuzz command is asked for", () => {
  it("is everything, a hundred thousand requests strong, where nothing is said", () => {
    assert.deepEqual(parseArguments([]), {
      requests: 100_000,
      rawConnections: 2_000,
      messages: 20_000,
      damages: 6_667,
      seed: 1,
      parts: ["http", "sockets", "files"],
    });
  });

  it("may be one part, another seed, more or less of it", () => {
    const order = parseArguments(["--only", "files", "--seed", "7", "--requests", "300"]);
    assert.deepEqual([order?.parts, order?.seed, order?.damages], [["files"], 7, 20]);
    assert.equal(parseArguments(["--help"]), null);
  });

  it("is refused where it cannot be understood", () => {
    for (const args of [["--only", "disk"], ["--requests", "0"], ["--requests", "1e5"], ["--seed", "-1"], ["--what"]]) {
      assert.throws(() => parseArguments(args), UsageError, args.join(" "));
    }
  });
});

describe("what the fuzz command shows", () => {
  it("is a table with sums", () => {
    const rows = new Map([
      ["b", new Map([["4xx", 1_200]])],
      [
        "a",
        new Map([
          ["2xx", 3],
          ["4xx", 1],
        ]),
      ],
    ]);
    assert.deepEqual(countTable("area", rows), [
      "area  2xx    4xx    all",
      "a       3      1      4",
      "b          1,200  1,200",
      "all     3  1,201  1,204",
    ]);
  });

  it("is a failure once for each kind, with how often and the first example, also of another thread", () => {
    const failures = new Failures();
    failures.add("a", { how: "first", sent: "", answered: "x" });
    failures.add("a", { how: "second", sent: "", answered: "y" });
    const others = new Failures();
    others.take(failures.all());
    assert.equal(others.count, 1);
    assert.deepEqual(others.lines(), ["a (2 times)", "    how: first", "    answered: x"]);
  });
});
