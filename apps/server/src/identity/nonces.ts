import type { NonceReply } from "@bourse/api";
import { type Address, parseAddress } from "../kernel/address.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_ms } from "../kernel/dates.ts";
import { sha256Hex } from "../kernel/digest.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Random, randomAlphanumeric } from "../kernel/random.ts";
import { formatSiweMessage, type SignInTarget } from "./siwe.ts";
import type { IdentityDb, IdentityTx } from "./tables.ts";

const NONCE_CHARS = 24;
const NONCE_LIFE_MS = 5 * MINUTE_ms;

export interface NoncesOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly random: Random;
  readonly target: SignInTarget;
}

/** SEC-1: the nonces that wallets must sign within five minutes, once. */
export class Nonces {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #target: SignInTarget;

  constructor({ db, clock, random, target }: NoncesOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#target = target;
  }

  /** A new nonce for this address, in a complete message that the wallet can sign. */
  async issue(addressText: string): Promise<NonceReply> {
    const address = parseAddress(addressText);
    if (address === undefined) {
      throw new ApiError(
        400,
        "INVALID_ADDRESS",
        "address must be 0x and 40 hex digits, in mixed case with its checksum",
      );
    }
    const now_ms = this.#clock.now();
    const expirationTime_ms = now_ms + NONCE_LIFE_MS;
    const expires_at = new Date(expirationTime_ms);
    const nonce = randomAlphanumeric(this.#random, NONCE_CHARS);
    const message_template = formatSiweMessage({
      ...this.#target,
      address,
      statement: "Sign in to Bourse.",
      nonce,
      issuedAt_ms: now_ms,
      expirationTime_ms,
    });
    await this.#db
      .insertInto("auth_nonce")
      .values({ nonce_hash: sha256Hex(nonce), address, expires_at })
      .execute();
    return { nonce, message_template, expires_at: expires_at.toISOString() };
  }

  /** Uses a nonce up; false if it is unknown, used, expired or of another address. */
  async consume(tx: IdentityTx, nonce: string, address: Address): Promise<boolean> {
    const removed = await tx
      .deleteFrom("auth_nonce")
      .where("nonce_hash", "=", sha256Hex(nonce))
      .where("address", "=", address)
      .where("expires_at", ">", new Date(this.#clock.now()))
      .returning("nonce_hash")
      .executeTakeFirst();
    return removed !== undefined;
  }

  /** Removes expired nonces. */
  async sweep(): Promise<bigint> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("auth_nonce")
      .where("expires_at", "<=", new Date(this.#clock.now()))
      .executeTakeFirstOrThrow();
    return numDeletedRows;
  }
}
