import assert from "node:assert/strict";
import { it } from "node:test";
import { csvHeader, csvLines } from "./csv.ts";

it("FUT-20: a cell with a comma, a quote or a line break is quoted, and what is absent is empty", () => {
  const columns = ["a", "b", "c"];
  assert.equal(csvHeader(columns), "a,b,c\n");
  assert.equal(
    csvLines(columns, [
      { c: true, a: "x,y", b: 1 },
      { a: 'say "x"', b: "two\nlines" },
    ]),
    '"x,y",1,true\n"say ""x""","two\nlines",\n',
  );
});
