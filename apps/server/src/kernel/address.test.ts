import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "./address.ts";

// From the test cases of EIP-55.
const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const LOWER = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

test("an address is lower case, whatever case it came in", () => {
  assert.equal(parseAddress(CHECKSUMMED), LOWER);
  assert.equal(parseAddress(LOWER), LOWER);
  assert.equal(parseAddress(`0x${LOWER.slice(2).toUpperCase()}`), LOWER);
});

test("mixed case with a wrong checksum is no address", () => {
  assert.equal(parseAddress(CHECKSUMMED.replace("aAeb", "aaeb")), undefined);
  assert.equal(parseAddress(CHECKSUMMED.replace("BeAed", "BeAeD")), undefined);
});

test("other shapes are no address", () => {
  const wrong = ["", "0x", LOWER.slice(2), LOWER.slice(0, -1), `${LOWER}0`, LOWER.replace("a", "g"), `${LOWER}\n`];
  for (const text of [...wrong, ` ${LOWER}`, LOWER.replace("0x", "0X")])
    assert.equal(parseAddress(text), undefined, text);
});
