import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { SigningKey } from "./signing-key.ts";

const SIGNATURE_BYTES = 64;
const RAW_KEY_BYTES = 32;
/** RFC 8410: what precedes the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
/** Line breaks may have got lost in a form. */
const PEM = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Encoding again finds unused bits and wrong padding, so that one value has one form. */
function fromBase64(text: string): Buffer | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/**
 * Reads a public key as clients' tools print it: PEM, or base64 of either the SubjectPublicKeyInfo or the 32 bytes.
 * Returns the SubjectPublicKeyInfo in base64; undefined if the text is not an Ed25519 public key.
 */
export function readPublicKey(text: string): string | undefined {
  const trimmed = text.trim();
  const bytes = fromBase64((PEM.exec(trimmed)?.[1] ?? trimmed).replace(/\s/g, ""));
  if (bytes === undefined) return undefined;
  const spki = bytes.length === RAW_KEY_BYTES ? Buffer.concat([SPKI_PREFIX, bytes]) : bytes;
  const isEd25519 =
    spki.length === SPKI_PREFIX.length + RAW_KEY_BYTES && spki.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX);
  return isEd25519 ? spki.toString("base64") : undefined;
}

function percentDecoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // Not the encoding of any text.
    return undefined;
  }
}

/** WSA-2: the public key of a client that keeps the private one. Signatures are sent in base64, percent-encoded. */
export class Ed25519Key implements SigningKey {
  readonly kind = "ed25519";
  readonly #key: KeyObject;

  /** The SubjectPublicKeyInfo in base64. */
  constructor(spki: string) {
    this.#key = createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" });
  }

  read(signature: string): Uint8Array | undefined {
    const bytes = fromBase64(percentDecoded(signature) ?? "");
    return bytes?.length === SIGNATURE_BYTES ? bytes : undefined;
  }

  hasSigned(text: string, signature: Uint8Array): boolean {
    return verify(null, Buffer.from(text, "utf8"), this.#key, signature);
  }
}
