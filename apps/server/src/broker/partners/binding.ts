import type { BindReply } from "@bourse/api";
import { sql } from "kysely";
import { refuseIfLate } from "../../kernel/late.ts";
import { randomUuid } from "../../kernel/random.ts";
import type { BrokerOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { type BrokerDb, type BrokerTx, brokerDb } from "../tables.ts";
import { findCode, hasTraded, isAbove, lastBindTime, lockCode, type OfferedCode } from "./binding-store.ts";
import { statusAt } from "./invite-code.ts";
import type { PartnerOpenings } from "./openings.ts";
import { insertBroker, standingOf } from "./store.ts";
import type { Terms } from "./terms.ts";

export interface BindingOptions
  extends Pick<BrokerOptions, "database" | "clock" | "random" | "projector" | "directory"> {
  readonly terms: Terms;
  readonly openings: PartnerOpenings;
}

/** Longer than any code, and without characters that the database cannot store. */
const CODE_SHAPE = /^[0-9A-Za-z]{1,32}$/;

/** Codes are often pasted: surrounding characters are ignored. */
function readCode(pasted: string): string {
  const text = pasted.trim();
  if (text === "") throw refusals.fieldRequired("code");
  if (!CODE_SHAPE.test(text)) throw refusals.codeNotFound();
  return text.toUpperCase();
}

interface Bound {
  readonly reply: BindReply;
  /** The outbox reference of the command that the engine must apply; undefined while the wallet has no account (SEC-11). */
  readonly ref: string | undefined;
}

/** BRK-1, BRK-2: binds a wallet to a broker, or makes it a broker, by an invite code. A bind is permanent. */
export class Binding {
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  async bind(wallet: string, codeText: string): Promise<BindReply> {
    const { database, directory, terms } = this.#options;
    const code = readCode(codeText);
    const db = brokerDb(database);
    // Most wrong codes are refused here, without a lock.
    if (!(await findCode(db, code))) throw refusals.codeNotFound();
    const isInTime = await this.#isInTime(db, wallet);
    const { reply, ref } = await db.transaction().execute((tx) => this.#write(tx, wallet, code, isInTime));
    await directory.load();
    // The bind is committed: it stands even if the engine's answer is late.
    await terms.told(ref);
    return reply;
  }

  /** Whether the time since the first sign-in allows the bind. If not, the tables must contain every trade before they are read. */
  async #isInTime(db: BrokerDb, wallet: string): Promise<boolean> {
    const { clock, directory, projector } = this.#options;
    const until = await lastBindTime(db, wallet);
    if (until !== undefined && clock.now() <= until.getTime()) return true;
    const account = directory.numberOf(wallet);
    if (account === undefined) return false;
    await refuseIfLate(projector.waitForAccount(account), refusals.projectorBehind);
    return false;
  }

  async #write(tx: BrokerTx, wallet: string, text: string, isInTime: boolean): Promise<Bound> {
    const { clock, directory, terms, openings } = this.#options;
    const known = (await directory.numbersOf(tx, [wallet])).get(wallet);
    await terms.lock(tx);
    const code = await lockCode(tx, text);
    await this.#assertAllowed(tx, wallet, code);
    const isLate = !isInTime && known !== undefined && (await hasTraded(tx, known));
    if (isLate) throw refusals.bindWindowClosed();
    const bind_time = new Date(clock.now());
    await insertBind(tx, { wallet, code, bind_time });
    if (code.code_type !== "direct") await this.#makeBroker(tx, wallet, code);
    const ref = known === undefined ? undefined : await openings.opened(tx, [{ account: known, address: wallet }]);
    const { code_type, owner, bd } = code;
    const inviter = { inviter_wallet: owner?.wallet ?? null, inviter_name: bd?.name ?? owner?.nickname ?? null };
    return { reply: { bound: true, code_type, ...inviter, bind_time: bind_time.toISOString() }, ref };
  }

  /** In the order of BRK-1; the window is checked after these. */
  async #assertAllowed(tx: BrokerTx, wallet: string, code: OfferedCode): Promise<void> {
    const status = statusAt(code, this.#options.clock.now());
    if (status !== "active") throw refusals.codeExpired(status);
    if (code.owner?.status === "frozen") throw refusals.codeExpired("frozen");
    if (code.bd?.status === "disabled") throw refusals.codeExpired("disabled");
    if (code.code_type === "bd" && code.tier_rate_e6 === null) throw refusals.codeExpired("tier_removed");
    if (code.owner !== undefined && (await isAbove(tx, wallet, code.owner.id))) throw refusals.selfReferral();
    const { isBound, isBroker } = await standingOf(tx, wallet);
    if (isBound || isBroker) throw refusals.alreadyBound();
  }

  /** Makes a sub-KOL at the code's rate under the code's owner, or a KOL of the BD at the tier's rate. */
  async #makeBroker(tx: BrokerTx, wallet: string, code: OfferedCode): Promise<void> {
    const { clock, random } = this.#options;
    await insertBroker(tx, {
      id: randomUuid(random),
      wallet_address: wallet,
      nickname: null,
      bd_owner_id: code.bd?.id ?? code.owner?.bd_owner_id ?? null,
      parent_broker_id: code.owner?.id ?? null,
      level: code.level,
      rate_e6: (code.code_type === "bd" ? code.tier_rate_e6 : code.rate_e6)!,
      bound_share_e6: code.code_type === "sub_kol" ? code.share_ratio_e6 : 0,
      created_at: new Date(clock.now()),
    });
  }
}

async function insertBind(
  tx: BrokerTx,
  { wallet, code, bind_time }: { wallet: string; code: OfferedCode; bind_time: Date },
): Promise<void> {
  await tx
    .insertInto("broker_bind")
    .values({
      wallet_address: wallet,
      code_id: code.id,
      code_type: code.code_type,
      inviter_broker_id: code.owner?.id ?? null,
      bd_id: code.bd?.id ?? null,
      customer_ratio_e6: code.code_type === "direct" ? code.rate_e6 : null,
      share_ratio_e6: code.share_ratio_e6,
      bind_time,
    })
    .execute();
  await tx
    .updateTable("broker_invite_code")
    .set({ used_count: sql`used_count + 1`, ...(code.code_type === "direct" ? {} : { status: "used" as const }) })
    .where("id", "=", code.id)
    .execute();
}
