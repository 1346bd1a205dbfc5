import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Tx } from "../kernel/database/database.ts";
import { lockInTransaction } from "../kernel/database/locks.ts";
import { ApiError, notFound } from "../kernel/errors.ts";
import { walletDb } from "./tables.ts";

const MAX_ADDRESSES = 50;

export interface WithdrawAddress {
  readonly address: string;
  readonly label: string | null;
  readonly created_time: number;
}

/** SEC-11: removes the lists of wallets that are forgotten. */
export async function forgetWithdrawAddresses(tx: Tx, owners: readonly string[]): Promise<void> {
  await sql`delete from withdraw_address where address = any(${owners}::text[])`.execute(tx);
}

/**
 * VLT-1: the addresses to which a wallet's API keys may withdraw. Only the wallet's own sign-in changes them, so a stolen key can
 * send money only to addresses that its owner has named.
 */
export class WithdrawAddresses {
  readonly #database: Pick<Database, "db">;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Pick<Database, "db">; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  async list(owner: string): Promise<WithdrawAddress[]> {
    const rows = await walletDb(this.#database)
      .selectFrom("withdraw_address")
      .selectAll()
      .where("address", "=", owner)
      .orderBy("created_at")
      .orderBy("to_address")
      .execute();
    return rows.map((row) => ({ address: row.to_address, label: row.label, created_time: row.created_at.getTime() }));
  }

  /** Adding an existing address replaces its label. */
  async add(owner: string, address: string, label: string | null): Promise<WithdrawAddress> {
    const created_at = new Date(this.#clock.now());
    return walletDb(this.#database)
      .transaction()
      .execute(async (tx) => {
        await lockInTransaction(tx, `withdraw-addresses:${owner}`);
        const others = await tx
          .selectFrom("withdraw_address")
          .select("to_address")
          .where("address", "=", owner)
          .where("to_address", "<>", address)
          .execute();
        if (others.length >= MAX_ADDRESSES) {
          const details = { rule: "withdraw_addresses", limit: MAX_ADDRESSES };
          throw new ApiError(400, "TOO_MANY_ADDRESSES", `a wallet names at most ${MAX_ADDRESSES} addresses`, {
            details,
          });
        }
        const row = await tx
          .insertInto("withdraw_address")
          .values({ address: owner, to_address: address, label, created_at })
          .onConflict((conflict) => conflict.columns(["address", "to_address"]).doUpdateSet({ label }))
          .returningAll()
          .executeTakeFirstOrThrow();
        return { address: row.to_address, label: row.label, created_time: row.created_at.getTime() };
      });
  }

  async remove(owner: string, address: string): Promise<void> {
    const { numDeletedRows } = await walletDb(this.#database)
      .deleteFrom("withdraw_address")
      .where("address", "=", owner)
      .where("to_address", "=", address)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound("the address is not on the list");
  }

  async has(owner: string, address: string): Promise<boolean> {
    const found = await walletDb(this.#database)
      .selectFrom("withdraw_address")
      .select("to_address")
      .where("address", "=", owner)
      .where("to_address", "=", address)
      .executeTakeFirst();
    return found !== undefined;
  }
}
