import type { MarginMode } from "@bourse/engine";
import { sql, type Transaction } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { AccountSetting } from "../../kernel/engine-requests/engine-requests.ts";
import { accountsDb, type ExchangeAccountTables } from "./tables.ts";

/** Held while an account is opened: a setting is either kept before, and goes with the opening, or finds the account. */
export const OPENING_LOCK = "exchange-accounts";

export type KeptByWallet = ReadonlyMap<string, readonly AccountSetting[]>;

/** What is chosen for one market. */
export type SettingChange = { readonly leverage: number } | { readonly mode: MarginMode };

interface KeptRow extends AccountSetting {
  readonly address: string;
}

const settingOf = ({ market, leverage, mode }: KeptRow): AccountSetting => ({ market, leverage, mode });

/** SEC-11: removes what these wallets had chosen, and returns it by wallet; for the transaction that opens their accounts. */
export async function takeKept(tx: Tx, addresses: readonly string[]): Promise<KeptByWallet> {
  const { rows } = await sql<KeptRow>`
    delete from exchange_kept_setting where address = any(${addresses}::text[])
    returning address, market, leverage, margin_mode as mode`.execute(tx);
  const kept = Map.groupBy(
    rows.toSorted((a, b) => a.market - b.market),
    ({ address }) => address,
  );
  return new Map([...kept].map(([address, own]) => [address, own.map(settingOf)]));
}

/** SEC-11: removes what these wallets had chosen and never used. */
export async function forgetKept(tx: Tx, addresses: readonly string[]): Promise<void> {
  await sql`delete from exchange_kept_setting where address = any(${addresses}::text[])`.execute(tx);
}

/** SEC-11: leverage and margin mode of wallets that have no account yet. */
export class KeptSettings {
  readonly #database: Pick<Database, "db">;
  readonly #clock: Clock;

  constructor({ database, clock }: { readonly database: Pick<Database, "db">; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Keeps the choice until the wallet's account is opened; returns the account instead if there is one already. */
  async keep(address: string, market: number, change: SettingChange): Promise<number | undefined> {
    const columns = "leverage" in change ? { leverage: change.leverage } : { margin_mode: change.mode };
    return await accountsDb(this.#database)
      .transaction()
      .execute(async (tx) => {
        await lockInTransaction(tx as unknown as Tx, OPENING_LOCK);
        const account = await accountOf(tx, address);
        if (account !== undefined) return account;
        const values = { ...columns, updated_at: new Date(this.#clock.now()) };
        await tx
          .insertInto("exchange_kept_setting")
          .values({ address, market, leverage: null, margin_mode: null, ...values })
          .onConflict((conflict) => conflict.columns(["address", "market"]).doUpdateSet(values))
          .execute();
        return undefined;
      });
  }

  /** What the wallet has chosen, by market; empty once it has an account. */
  async of(address: string): Promise<ReadonlyMap<number, AccountSetting>> {
    const rows = await accountsDb(this.#database)
      .selectFrom("exchange_kept_setting")
      .select(["address", "market", "leverage", "margin_mode as mode"])
      .where("address", "=", address)
      .execute();
    return new Map(rows.map((row) => [row.market, settingOf(row)]));
  }
}

async function accountOf(tx: Transaction<ExchangeAccountTables>, address: string): Promise<number | undefined> {
  const query = tx.selectFrom("exchange_account").select("account").where("address", "=", address);
  return (await query.executeTakeFirst())?.account;
}
