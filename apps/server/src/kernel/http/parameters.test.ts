import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FapiError } from "../errors.ts";
import { FapiParameters } from "./parameters.ts";

const refusedWith = (code: number) => (error: unknown) => error instanceof FapiError && error.code === code;

describe("exchange-style parameters", () => {
  it("T8: come from query and body; the query wins", () => {
    const parameters = new FapiParameters("symbol=BTCUSDT&side=BUY", "side=SELL&quantity=1");
    assert.equal(parameters.text("symbol"), "BTCUSDT");
    assert.equal(parameters.text("side"), "BUY");
    assert.equal(parameters.text("quantity"), "1");
    assert.equal(parameters.text("price"), undefined);
  });

  it("are percent-decoded, plus signs are spaces, and raw text is taken as it is", () => {
    const parameters = new FapiParameters("a=%5B%7B%22x%22%3A1%7D%5D&b=1+2&c", 'd=[{"x":"=1"}]');
    assert.equal(parameters.text("a"), '[{"x":1}]');
    assert.equal(parameters.text("b"), "1 2");
    assert.equal(parameters.text("c"), undefined);
    assert.equal(parameters.text("d"), '[{"x":"=1"}]');
  });

  it("an empty value is an absent one", () => {
    assert.throws(() => new FapiParameters("symbol=", "").requiredText("symbol"), refusedWith(-1102));
    assert.equal(new FapiParameters("x=", "").flag("x"), undefined);
  });

  it("flags are true or false in any case, else -1130; absent where needed, -1102", () => {
    const parameters = new FapiParameters("a=true&b=FALSE&c=yes&d=1", "");
    assert.equal(parameters.requiredFlag("a"), true);
    assert.equal(parameters.requiredFlag("b"), false);
    assert.throws(() => parameters.flag("c"), refusedWith(-1130));
    assert.throws(() => parameters.flag("d"), refusedWith(-1130));
    assert.throws(() => parameters.requiredFlag("e"), refusedWith(-1102));
  });

  it("whole numbers are exact or refused: -1130, where they are needed -1102", () => {
    const parameters = new FapiParameters("a=7&b=-0&c=007&d=1.5&e=1e3&f=9007199254740993&g=%20&h=0x10&i=", "");
    assert.equal(parameters.integer("a"), 7);
    assert.ok(Object.is(parameters.integer("b"), 0));
    assert.equal(parameters.requiredInteger("c"), 7);
    assert.equal(parameters.integer("i"), undefined);
    for (const name of ["d", "e", "f", "g", "h"]) {
      assert.throws(() => parameters.integer(name), refusedWith(-1130));
      assert.throws(() => parameters.requiredInteger(name), refusedWith(-1102));
    }
    assert.throws(() => parameters.requiredInteger("i"), refusedWith(-1102));
  });

  it("decimals stay text, without exponents: -1130, where they are needed -1102", () => {
    const parameters = new FapiParameters(`a=1.50&b=.5&c=-3.&d=1e3&e=1,5&f=.&g=%2B1&h=NaN&i=${"1".repeat(41)}`, "");
    assert.equal(parameters.decimal("a"), "1.50");
    assert.equal(parameters.requiredDecimal("b"), ".5");
    assert.equal(parameters.decimal("c"), "-3.");
    assert.equal(parameters.decimal("z"), undefined);
    for (const name of ["d", "e", "f", "g", "h", "i"]) {
      assert.throws(() => parameters.decimal(name), refusedWith(-1130));
      assert.throws(() => parameters.requiredDecimal(name), refusedWith(-1102));
    }
    assert.throws(() => parameters.requiredDecimal("z"), refusedWith(-1102));
  });

  it("hostile input is refused: broken escapes -1100, duplicates and floods -1101", () => {
    assert.throws(() => new FapiParameters("a=%zz", ""), refusedWith(-1100));
    assert.throws(() => new FapiParameters("a=%E0%A4%A", ""), refusedWith(-1100));
    assert.throws(() => new FapiParameters("a=1&a=2", ""), refusedWith(-1101));
    const flood = Array.from({ length: 101 }, (_, i) => `p${i}=1`).join("&");
    assert.throws(() => new FapiParameters(flood, ""), refusedWith(-1101));
    assert.equal(new FapiParameters("__proto__=1&constructor=2", "").text("__proto__"), "1");
  });
});
