import type { TokenReply } from "@bourse/api";
import { recoverMessageAddress } from "viem/utils";
import type { Address } from "../kernel/address.ts";
import type { Clock } from "../kernel/clock.ts";
import { badRequest, unauthorized } from "../kernel/errors.ts";
import type { Nonces } from "./nonces.ts";
import type { OpenSession, Sessions } from "./sessions.ts";
import { checkSignIn, parseSiweMessage, type SignInTarget } from "./siwe.ts";
import type { IdentityDb, IdentityTx, Origin } from "./tables.ts";

/** A signature of `personal_sign`: r, s and v. */
const SIGNATURE_SHAPE = /^0x[0-9a-fA-F]{130}$/;

const isSignature = (text: string): text is `0x${string}` => SIGNATURE_SHAPE.test(text);

/** The signer's address in lower case; undefined if the signature is invalid. */
async function signerOf(message: string, signature: `0x${string}`): Promise<string | undefined> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase();
  } catch {
    // The library throws various errors of its curve arithmetic: r or s out of range, no such point, unknown v.
    return undefined;
  }
}

export interface WalletSignInOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly nonces: Nonces;
  readonly sessions: Sessions;
  readonly target: SignInTarget;
}

/** SEC-1: a wallet signs in by signing an EIP-4361 message with our nonce. */
export class WalletSignIn {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #nonces: Nonces;
  readonly #sessions: Sessions;
  readonly #target: SignInTarget;

  constructor({ db, clock, nonces, sessions, target }: WalletSignInOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#nonces = nonces;
    this.#sessions = sessions;
    this.#target = target;
  }

  async login(attempt: { readonly message: string; readonly signature: string } & Origin): Promise<TokenReply> {
    const { message, signature, ip } = attempt;
    const parsed = parseSiweMessage(message);
    if (!parsed.ok) throw badRequest(`the message does not follow EIP-4361: ${parsed.reason}`);
    if (!isSignature(signature)) throw badRequest("the signature must be 0x and 130 hex digits");
    const { fields } = parsed;
    const problem = checkSignIn(fields, { ...this.#target, now_ms: this.#clock.now() });
    if (problem !== undefined) throw unauthorized(problem);
    if ((await signerOf(message, signature)) !== fields.address) {
      throw unauthorized("the signature was not made by the address in the message");
    }
    // The nonce is used up last, together with the session: a refused attempt leaves it usable.
    const session = await this.#db.transaction().execute(async (tx) => {
      if (!(await this.#nonces.consume(tx, fields.nonce, fields.address))) return undefined;
      return await this.#openSession(tx, fields.address, ip);
    });
    if (session === undefined) throw unauthorized("nonce is unknown, used or expired");
    return await this.#sessions.grant(session);
  }

  async #openSession(tx: IdentityTx, address: Address, ip: string | null): Promise<OpenSession> {
    const now = new Date(this.#clock.now());
    // SEC-11: a wallet that was forgotten has signed in before.
    const forgotten = await tx
      .selectFrom("forgotten_wallet")
      .select("first_sign_in_at")
      .where("address", "=", Buffer.from(address.slice(2), "hex"))
      .executeTakeFirst();
    await tx
      .insertInto("wallet")
      .values({ address, first_sign_in_at: forgotten?.first_sign_in_at ?? now, last_sign_in_at: now })
      .onConflict((conflict) => conflict.column("address").doUpdateSet({ last_sign_in_at: now }))
      .execute();
    return await this.#sessions.create(tx, { role: "wallet", address }, ip);
  }
}
