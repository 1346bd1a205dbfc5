import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import { setImmediate as others } from "node:timers/promises";
import { keyFor } from "../../identity/secret-box.ts";

/** Crockford's base 32: no I, L, O or U, which are mistaken for others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;
/** 16 characters of 5 bits. */
const CODE_BYTES = 10;
/** Eight characters: as much as a number holds exactly. */
const HALF_BYTES = 5;
const PLACES = [7, 6, 5, 4, 3, 2, 1, 0].map((place) => ALPHABET.length ** place);

const MADE_AT_ONCE = 250;

export interface MadeCode {
  readonly code: string;
  /** Under which it is kept. */
  readonly hash: Buffer;
}

const halfOf = (number: number): string =>
  PLACES.map((place) => ALPHABET.charAt(Math.floor(number / place) % ALPHABET.length)).join("");

const textOf = (bytes: Buffer): string =>
  halfOf(bytes.readUIntBE(0, HALF_BYTES)) + halfOf(bytes.readUIntBE(HALF_BYTES, HALF_BYTES));

/**
 * BON-3: codes follow from the request that made them and a key of the platform, so that they can be told again without
 * being kept anywhere.
 */
export class CodeMaker {
  readonly #key: KeyObject;

  constructor(secretsKey: string) {
    this.#key = createSecretKey(keyFor(secretsKey, "bonus-codes"));
  }

  /** Names of requests hold no line break, so no two of them come to the same text here. */
  make(request_id: string, place: number): string {
    const mac = createHmac("sha256", this.#key).update(`${request_id}\n${place}`).digest();
    return textOf(mac.subarray(0, CODE_BYTES));
  }

  /** With pauses: thousands take tens of milliseconds, in which nothing else would be done. */
  async makeAll(request_id: string, count: number): Promise<MadeCode[]> {
    const made: MadeCode[] = [];
    for (let place = 0; place < count; place += 1) {
      const code = this.make(request_id, place);
      made.push({ code, hash: hashOfCode(code) });
      if (made.length % MADE_AT_ONCE === 0) await others();
    }
    return made;
  }
}

/** A code as somebody has typed it, in the form it was made in; undefined where it cannot be one. */
export function readCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return CODE.test(code) ? code : undefined;
}

export const hashOfCode = (code: string): Buffer => hash("sha256", code, "buffer");
