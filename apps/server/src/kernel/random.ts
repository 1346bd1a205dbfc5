import { createHash, randomBytes } from "node:crypto";

/** The source of randomness for ids, nonces, keys and secrets. */
export interface Random {
  bytes(length: number): Buffer;
}

export const systemRandom: Random = { bytes: (length) => randomBytes(length) };

/** The same bytes for the same seed, for tests and simulations. Never for secrets of a running exchange. */
export function seededRandom(seed: string): Random {
  let counter = 0;
  return {
    bytes(length) {
      const chunks: Buffer[] = [];
      for (let have = 0; have < length; have += 32) {
        chunks.push(createHash("sha256").update(`${seed}:${counter++}`).digest());
      }
      return Buffer.concat(chunks).subarray(0, length);
    },
  };
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` letters and digits, each equally likely (bytes that would favour early letters are discarded). */
export function randomAlphanumeric(random: Random, length: number): string {
  const limit = 256 - (256 % ALPHANUMERIC.length);
  let text = "";
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < limit && text.length < length) text += ALPHANUMERIC[byte % ALPHANUMERIC.length];
    }
  }
  return text;
}

/** A version 4 UUID from the given source. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
