import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { State } from "@bourse/engine";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import { priceSources } from "../../settings/price-sources.ts";
import { checkSources, sourcesProblem } from "./sources.ts";

function check(environment: "development" | "production", sources: string, rulesVersion: number): string[] {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line) };
  checkSources({ environment, priceSources: priceSources.read(sources) }, new State(rulesVersion), log as never);
  return warnings;
}

describe("the sources that production needs", () => {
  it("FUT-13: by rules version 5 a start with fewer than three is refused in one line", () => {
    for (const sources of ["ccxt:binance,okx", "push", "push:a,b", "ccxt:binance+push"]) {
      assert.throws(
        () => check("production", sources, 5),
        (error) => error instanceof StartRefusal && /^PRICE_SOURCES names [12] of the 3 [^\n]*$/.test(error.message),
        sources,
      );
    }
    for (const sources of ["ccxt:binance,okx,bybit", "push:a,b,c", "ccxt:binance,okx+push", "simulated"]) {
      assert.deepEqual(check("production", sources, 5), [], sources);
    }
  });

  it("FUT-13: an exchange of earlier rules starts with a warning, and development needs no setting", () => {
    assert.match(check("production", "push", 4)[0]!, /^PRICE_SOURCES names 1 of the 3/);
    assert.deepEqual(check("development", "push", 5), []);
    assert.equal(sourcesProblem({ environment: "development", priceSources: priceSources.read("push") }), undefined);
    assert.match(
      sourcesProblem({ environment: "production", priceSources: priceSources.read("push") })!,
      /push:<feed>/,
    );
  });
});
