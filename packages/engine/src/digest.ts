import { createHash, hash } from "node:crypto";

export const DIGEST_bytes = 32;
/** Before the first reference. */
export const NO_DIGEST = "0".repeat(DIGEST_bytes * 2);

/** LOG-1: the rolling digest over number and reference of all commands of the outside world; all digests are in hex. */
export function extendDigest(digest: string, number: number, reference: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64LE(BigInt(number));
  return createHash("sha256").update(Buffer.from(digest, "hex")).update(place).update(reference, "utf8").digest("hex");
}

/** What stands in the log in place of private fields: SHA-256(salt ‖ fields). The salt is in hex. */
export function commitmentTo(salt: string, fields: string): string {
  return hash("sha256", Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(fields, "utf8")]), "hex");
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}
