import { createHash, hash } from "node:crypto";
import type { OutsideStamp } from "./contract/commands.ts";

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

/** What is private in a command, and the salt of the commitment to it. */
export interface Disclosure {
  readonly salt: string;
  readonly fields: string;
}

export const disclosureText = ({ salt, fields }: Disclosure): string => `${salt}:${fields}`;

/** Undefined where the command has none. */
export function disclosureOf({ disclosure }: OutsideStamp): Disclosure | undefined {
  if (disclosure === undefined) return undefined;
  const colon = disclosure.indexOf(":");
  return { salt: disclosure.slice(0, Math.max(0, colon)), fields: disclosure.slice(colon + 1) };
}

/** LOG-1: whether what is disclosed beside a command, if anything, is what the command commits to. */
export function isDisclosureTrue(command: OutsideStamp): boolean {
  const disclosed = disclosureOf(command);
  return disclosed === undefined || commitmentTo(disclosed.salt, disclosed.fields) === command.commitment;
}
