import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Random } from "./random.ts";

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;
const CIPHER = "aes-256-gcm";

/** The 32 bytes of SECRETS_KEY, written as 64 hex digits or as base64 (either alphabet). */
function parseSecretsKey(text: string): Buffer {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, "hex");
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
  if (key.length !== KEY_BYTES) throw new Error("SECRETS_KEY must be 32 bytes written as 64 hex digits or base64");
  return key;
}

/** Each purpose has its own derived key, so that a value made for one is not valid for another. */
export function keyFor(secretsKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", parseSecretsKey(secretsKey), "", `bourse/${purpose}/v${VERSION}`, KEY_BYTES));
}

export interface SecretBoxOptions {
  readonly secretsKey: string;
  readonly purpose: string;
  readonly random: Random;
}

/**
 * T7: encrypts secrets that must be read again, by AES-256-GCM. A sealed value is bound to its row (`context`): in another row it
 * does not open. Layout: version, nonce, ciphertext, tag. The version allows another cipher or key while old values still open.
 */
export class SecretBox {
  readonly #key: KeyObject;
  readonly #random: Random;

  constructor({ secretsKey, purpose, random }: SecretBoxOptions) {
    this.#key = createSecretKey(keyFor(secretsKey, purpose));
    this.#random = random;
  }

  seal(secret: string, context: string): Buffer {
    const header = Buffer.concat([Buffer.of(VERSION), this.#random.bytes(NONCE_BYTES)]);
    const cipher = createCipheriv(CIPHER, this.#key, header.subarray(1), { authTagLength: TAG_BYTES });
    cipher.setAAD(this.#associatedData(VERSION, context));
    return Buffer.concat([header, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < HEADER_BYTES + TAG_BYTES) throw new Error("a sealed value is too short");
    const version = bytes.readUInt8(0);
    if (version !== VERSION) throw new Error(`a sealed value has the unknown version ${version}`);
    const tagStart = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(1, HEADER_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#associatedData(version, context));
    decipher.setAuthTag(bytes.subarray(tagStart));
    try {
      return decipher.update(bytes.subarray(HEADER_BYTES, tagStart), undefined, "utf8") + decipher.final("utf8");
    } catch (cause) {
      throw new Error("a sealed value cannot be opened: SECRETS_KEY is another one, or the row was altered", { cause });
    }
  }

  #associatedData(version: number, context: string): Buffer {
    return Buffer.concat([Buffer.of(version), Buffer.from(context, "utf8")]);
  }
}
