import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** SEC-7: the key of the bonus administration. */
export class BonusKey {
  readonly #expected: Buffer;

  constructor(key: string) {
    if (key === "") throw new Error("BONUS_ADMIN_API_KEY must not be empty");
    this.#expected = digest(key);
  }

  /** Compares hashes of equal length in constant time, so that neither length nor content can be measured. */
  matches(given: string | undefined): boolean {
    return given !== undefined && timingSafeEqual(digest(given), this.#expected);
  }
}
