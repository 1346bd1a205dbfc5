import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { HmacKey } from "./hmac-key.ts";

const reference = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest();

test("SEC-5: signs like the runtime's own HMAC, for any secret and text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 150 }),
      fc.string({ unit: "grapheme", maxLength: 500 }),
      (secret, text) => {
        const key = new HmacKey(secret);
        const signature = reference(secret, text);
        assert.equal(key.hasSigned(text, signature), true);
        signature[text.length % 32]! ^= 1;
        assert.equal(key.hasSigned(text, signature), false);
      },
    ),
    { numRuns: 2000 },
  );
});

test("SEC-5: secrets around the block length of 64 bytes", () => {
  for (const length of [0, 1, 63, 64, 65, 128, 200]) {
    const secret = "s".repeat(length);
    assert.equal(new HmacKey(secret).hasSigned("text", reference(secret, "text")), true, `${length} bytes`);
    assert.equal(new HmacKey(secret).hasSigned("text", reference(`${secret}x`, "text")), false, `${length} bytes`);
  }
});
