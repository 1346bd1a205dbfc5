import { hash, type Options, verify } from "@node-rs/argon2";
import type { Random } from "../kernel/random.ts";

/** SEC-7. The algorithm is argon2id, written as a number because the library's enum has no value at run time. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const satisfies Options;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Hashing uses the few threads that file access also uses, and each hash takes 19 MB. More at a time would let a flood of sign-ins
 * delay the exchange's writes to disk.
 */
const MAX_AT_A_TIME = 2;

/** Hashes and checks passwords. */
export class Passwords {
  readonly #random: Random;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  hash(password: string): Promise<string> {
    const salt = this.#random.bytes(SALT_BYTES);
    return this.#inTurn(() => hash(password, { ...ARGON2ID, outputLen: HASH_BYTES, salt }));
  }

  matches(passwordHash: string, password: string): Promise<boolean> {
    return this.#inTurn(() => verify(passwordHash, password));
  }

  /** A hash that no password matches: checking against it takes as long as against a real one. */
  decoy(): string {
    const base64 = (length: number) => this.#random.bytes(length).toString("base64").replaceAll("=", "");
    const { memoryCost, timeCost, parallelism } = ARGON2ID;
    const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
    return `$argon2id$v=19$${parameters}$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_AT_A_TIME) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Hands this place to a waiting caller, so that no other gets it in between.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
