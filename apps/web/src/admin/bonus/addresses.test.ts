import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAddresses, walletOf } from "./addresses.ts";

const ONE = "0x52908400098527886e0f7030069857d2e4169ee7";
const OTHER = "0xde709f2102306220921060314715629080e2fb77";
/** EIP-55. */
const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("walletOf", () => {
  it("reads an address in either case, and a checksum only if it is right", () => {
    assert.equal(walletOf(ONE), ONE);
    assert.equal(walletOf(`0x${ONE.slice(2).toUpperCase()}`), ONE);
    assert.equal(walletOf(CHECKSUMMED), CHECKSUMMED.toLowerCase());
    assert.equal(walletOf(CHECKSUMMED.replace("aA", "Aa")), undefined);
  });

  it("takes nothing else", () => {
    for (const text of [
      "",
      "0x",
      ONE.slice(0, -1),
      `${ONE}0`,
      ONE.slice(2),
      `0x${"0".repeat(40)}`,
      `0X${ONE.slice(2)}`,
    ]) {
      assert.equal(walletOf(text), undefined, text);
    }
  });
});

describe("parseAddresses", () => {
  it("takes lines, commas, semicolons, tabs, quotes, blanks and a heading", () => {
    const text = `address\r\n"${ONE}",\n\n  ${OTHER};${CHECKSUMMED}\t\n`;
    const { wallets, lineOf, left } = parseAddresses(text);
    assert.deepEqual(wallets, [ONE, OTHER, CHECKSUMMED.toLowerCase()]);
    assert.deepEqual([...lineOf.values()], [2, 4, 4]);
    assert.deepEqual(left, []);
  });

  it("names what it leaves out, with its line and why", () => {
    const text = `${ONE}\n0x123\n${OTHER}\n0x${ONE.slice(2).toUpperCase()}\nhello\n0x${"0".repeat(40)}\n${CHECKSUMMED.replace("aA", "Aa")}`;
    const { wallets, left } = parseAddresses(text);
    assert.deepEqual(wallets, [ONE, OTHER]);
    assert.deepEqual(
      left.map(({ line, why }) => [line, why.split(":")[0]]),
      [
        [2, "An address is 0x and 40 hex digits."],
        [4, "Duplicate"],
        [5, "This is no address."],
        [6, "The zero address has no key."],
        [7, "The checksum is wrong"],
      ],
    );
    assert.match(left[1]?.why ?? "", /line 1 has it/);
  });

  it("has nothing in nothing", () => {
    assert.deepEqual(parseAddresses(" \n\n").wallets, []);
  });
});
