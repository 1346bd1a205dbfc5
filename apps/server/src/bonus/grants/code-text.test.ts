import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { keyFor } from "../../kernel/secret-box.ts";
import { CodeMaker, hashOfCode, readCode } from "./code-text.ts";

const KEY = "ab".repeat(32);

describe("bonus codes", () => {
  it("BON-3: follow from the request and their place, and from nothing else", async () => {
    const maker = new CodeMaker(KEY);
    const codes = [maker.make("r1", 0), maker.make("r1", 1), maker.make("r1", 2)];
    assert.deepEqual(
      await maker.makeAll("r1", 3),
      codes.map((code) => ({ code, hash: createHash("sha256").update(code).digest() })),
    );
    assert.deepEqual(await new CodeMaker(KEY).makeAll("r1", 600), await maker.makeAll("r1", 600));
    const mac = createHmac("sha256", keyFor(KEY, "bonus-codes")).update("r1\n2").digest().subarray(0, 10);
    const bits = [...mac].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const text = bits.replaceAll(/.{5}/g, (five) =>
      "0123456789ABCDEFGHJKMNPQRSTVWXYZ".charAt(Number.parseInt(five, 2)),
    );
    assert.equal(maker.make("r1", 2), text, "the first 80 bits, five a character");
    assert.notEqual(new CodeMaker("cd".repeat(32)).make("r1", 0), maker.make("r1", 0));
    // The same key in another notation makes the same codes.
    assert.equal(new CodeMaker(Buffer.from(KEY, "hex").toString("base64")).make("r1", 0), maker.make("r1", 0));
  });

  it("BON-3: 16 characters of an alphabet without look-alikes, all of it used, none twice", async () => {
    const maker = new CodeMaker(KEY);
    const made = await Promise.all(["r1", "r10", "r"].map((request) => maker.makeAll(request, 2_000)));
    const codes = made.flat().map(({ code }) => code);
    for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{16}$/);
    assert.equal(new Set(codes).size, codes.length);
    assert.equal(new Set(codes.join("")).size, 32);
    for (let place = 0; place < 16; place += 1) {
      assert.equal(new Set(codes.map((code) => code[place])).size, 32, `place ${place}`);
    }
  });

  it("BON-1: are read ignoring case, spaces and dashes; look-alikes are what they look like", () => {
    const code = "7Q2M9KXD4TB0WZ1N";
    for (const text of [
      code,
      code.toLowerCase(),
      "7q2m-9kxd-4tb0-wz1n",
      " 7Q2M 9KXD\t4TB0 WZ1N\n",
      "7Q2M9KXD4TBOWZIN",
      "7q2m9kxd4tbowzln",
    ]) {
      assert.equal(readCode(text), code, text);
    }
    for (const text of [
      "",
      "-",
      code.slice(1),
      `${code}0`,
      code.replace("7", "U"),
      code.replace("7", "é"),
      `${code}\u0000`,
    ]) {
      assert.equal(readCode(text), undefined, text);
    }
    assert.equal(hashOfCode(code).length, 32);
  });
});
