import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../errors.ts";
import { checkFormType, readJsonBody } from "./body.ts";

const read = (text: string | Buffer, type: string | undefined = "application/json") =>
  readJsonBody(Buffer.from(text as string), type);
const refusedWith = (status: number) => (error: unknown) => error instanceof ApiError && error.status === status;

describe("bodies", () => {
  it("SEC-9: only JSON in UTF-8 is read", () => {
    assert.deepEqual(read('{"a":"é"}', "application/json; charset=UTF-8"), { a: "é" });
    for (const type of [
      undefined,
      "",
      "text/plain",
      "application/json; charset=latin1",
      "application/jsonx",
      "text/json",
    ]) {
      assert.throws(() => readJsonBody(Buffer.from("{}"), type), refusedWith(415));
    }
    assert.throws(
      () => readJsonBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "application/json"),
      refusedWith(400),
    );
  });

  it("an absent body is an empty object whatever the content type says", () => {
    assert.deepEqual(readJsonBody(Buffer.alloc(0), "application/json"), {});
    assert.deepEqual(readJsonBody(Buffer.alloc(0), undefined), {});
  });

  it("SEC-9: malformed JSON, other than objects and prototype keys are refused", () => {
    for (const text of [
      "{",
      "nonsense",
      "[1]",
      "null",
      "1",
      '"a"',
      '{"a":1}}',
      '{"__proto__":{"admin":true}}',
      '{"a":{"__proto__":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
    ]) {
      assert.throws(() => read(text), refusedWith(400), text);
    }
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  it("WIRE-2: numbers that a parser would change are refused, exact ones pass", () => {
    assert.deepEqual(read('{"a":0.1,"b":1e-7,"c":9007199254740991,"d":123456789.123456,"e":-0.40}'), {
      a: 0.1,
      b: 1e-7,
      c: 9007199254740991,
      d: 123456789.123456,
      e: -0.4,
    });
    for (const number of [
      "0.1000000000000000055",
      "9007199254740993",
      "1234567890.1234567",
      "1.0000000000000001e5",
      "1.00000000000000000001",
    ]) {
      assert.throws(() => read(`{"a":${number}}`), refusedWith(400), number);
    }
    assert.deepEqual(read('{"a":"0.1000000000000000055"}'), { a: "0.1000000000000000055" });
  });

  it("form bodies are forms; other types with content are refused", () => {
    checkFormType("a=1&b=é", "application/x-www-form-urlencoded");
    checkFormType("a=1", "Application/X-WWW-Form-Urlencoded; charset=utf-8");
    checkFormType("", "application/json");
    checkFormType("", undefined);
    for (const type of ["application/json", "text/plain", undefined]) {
      assert.throws(() => checkFormType("{}", type), refusedWith(415));
    }
  });
});
