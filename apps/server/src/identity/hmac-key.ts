import { hash, timingSafeEqual } from "node:crypto";
import type { SigningKey } from "./signing-key.ts";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
  return block;
}

/**
 * A secret for HMAC SHA-256 (RFC 2104) with both key blocks prepared. Two one-shot hashes take a third of the time of `createHmac`,
 * which builds an object for each text, and this runs for every request of every bot.
 */
export class HmacKey implements SigningKey {
  readonly kind = "hmac";
  readonly #innerBlock: Buffer;
  readonly #outerBlock: Buffer;

  constructor(secret: string) {
    const bytes = Buffer.from(secret, "utf8");
    const key = bytes.length > BLOCK_BYTES ? hash("sha256", bytes, "buffer") : bytes;
    this.#innerBlock = padded(key, INNER_PAD);
    this.#outerBlock = padded(key, OUTER_PAD);
  }

  read(signature: string): Uint8Array | undefined {
    if (signature.length !== 2 * DIGEST_BYTES) return undefined;
    // Decoding stops at the first character that is not hex, so anything but hex digits gives another length.
    const bytes = Buffer.from(signature, "hex");
    return bytes.length === DIGEST_BYTES ? bytes : undefined;
  }

  /** Whether `signature` (32 bytes) is the HMAC of the text; compares in constant time. */
  hasSigned(text: string, signature: Uint8Array): boolean {
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text));
    this.#innerBlock.copy(inner);
    inner.write(text, BLOCK_BYTES, "utf8");
    const outer = Buffer.allocUnsafe(BLOCK_BYTES + DIGEST_BYTES);
    this.#outerBlock.copy(outer);
    // Digests are hex because the runtime returns text faster than a buffer.
    outer.write(hash("sha256", inner, "hex"), BLOCK_BYTES, "hex");
    return timingSafeEqual(Buffer.from(hash("sha256", outer, "hex"), "hex"), signature);
  }
}
