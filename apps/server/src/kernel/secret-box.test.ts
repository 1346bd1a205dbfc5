import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seededRandom } from "./random.ts";
import { SecretBox } from "./secret-box.ts";

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
const boxWith = (secretsKey: string, purpose = "api-key-secret") =>
  new SecretBox({ secretsKey, purpose, random: seededRandom("box") });
const box = boxWith(KEY.toString("hex"));
const cannotOpen = /a sealed value cannot be opened/;

test("T7: what is sealed opens again, and does not show", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, context) => {
      const sealed = box.seal(secret, context);
      assert.equal(box.open(sealed, context), secret);
      assert.equal(sealed.length, 1 + 12 + Buffer.byteLength(secret) + 16);
    }),
  );
  assert.equal(box.seal("plain secret", "row").includes("plain secret"), false);
});

test("T7: sealing the same secret twice gives different bytes", () => {
  const [first, second] = [box.seal("secret", "row"), box.seal("secret", "row")];
  assert.notDeepEqual(first, second);
  assert.notDeepEqual(first.subarray(1, 13), second.subarray(1, 13));
});

test("T7: hex and both base64 alphabets name the same key", () => {
  const sealed = box.seal("secret", "row");
  for (const text of [KEY.toString("hex").toUpperCase(), KEY.toString("base64"), KEY.toString("base64url")]) {
    assert.equal(boxWith(text).open(sealed, "row"), "secret");
  }
});

test("T7: a key that is not 32 bytes is refused", () => {
  const short = KEY.subarray(1);
  const wrong = ["", "secret", short.toString("hex"), short.toString("base64"), `${KEY.toString("hex")}00`];
  for (const text of [...wrong, ` ${KEY.toString("hex")}`])
    assert.throws(() => boxWith(text), /SECRETS_KEY must be 32 bytes/);
});

test("T7: another row, key or purpose does not open it", () => {
  const sealed = box.seal("secret", "row 1");
  assert.throws(() => box.open(sealed, "row 2"), cannotOpen);
  assert.throws(() => boxWith(Buffer.alloc(32, 1).toString("hex")).open(sealed, "row 1"), cannotOpen);
  assert.throws(() => boxWith(KEY.toString("hex"), "cursor").open(sealed, "row 1"), cannotOpen);
});

test("T7: a change of any byte is noticed", () => {
  const sealed = box.seal("secret", "row");
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed);
    altered[index] = altered[index]! ^ 1;
    assert.throws(() => box.open(altered, "row"), index === 0 ? /unknown version 0/ : cannotOpen);
  }
  assert.throws(() => box.open(sealed.subarray(0, 28), "row"), /too short/);
  assert.throws(() => box.open(sealed.subarray(0, -1), "row"), cannotOpen);
  assert.throws(() => box.open(new Uint8Array(), "row"), /too short/);
});
