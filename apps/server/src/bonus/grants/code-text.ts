import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import { setImmediate as others } from "node:timers/promises";
import { keyFor } from "../../kernel/secret-box.ts";

/** Crockford's base 32: without I, L, O and U, which are easily misread. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;
/** 16 characters of 5 bits. */
const CODE_BYTES = 10;
/** Eight characters: the most that a number holds exactly. */
const HALF_BYTES = 5;
const PLACES = [7, 6, 5, 4, 3, 2, 1, 0].map((place) => ALPHABET.length ** place);

const MADE_AT_ONCE = 250;

export interface MadeCode {
  readonly code: string;
  /** The stored form of the code. */
  readonly hash: Buffer;
}

const halfOf = (number: number): string =>
  PLACES.map((place) => ALPHABET.charAt(Math.floor(number / place) % ALPHABET.length)).join("");

const textOf = (bytes: Buffer): string =>
  halfOf(bytes.readUIntBE(0, HALF_BYTES)) + halfOf(bytes.readUIntBE(HALF_BYTES, HALF_BYTES));

/** BON-3: derives codes from the request id and a key of the platform, so that they can be shown again without being stored. */
export class CodeMaker {
  readonly #key: KeyObject;

  constructor(secretsKey: string) {
    this.#key = createSecretKey(keyFor(secretsKey, "bonus-codes"));
  }

  /** Request ids contain no line break, so two different inputs never give the same text. */
  make(request_id: string, place: number): string {
    const mac = createHmac("sha256", this.#key).update(`${request_id}\n${place}`).digest();
    return textOf(mac.subarray(0, CODE_BYTES));
  }

  /** Pauses in between: thousands of codes take tens of milliseconds, which would block the process. */
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

/** Normalises a typed code; undefined if the text cannot be a code. */
export function readCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return CODE.test(code) ? code : undefined;
}

export const hashOfCode = (code: string): Buffer => hash("sha256", code, "buffer");
