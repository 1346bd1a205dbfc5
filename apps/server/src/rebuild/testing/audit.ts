import assert from "node:assert/strict";
import type { State } from "@bourse/engine";
import { sql } from "kysely";
import type { Wallets } from "../../exchange/index.ts";
import type { Db } from "../../kernel/database/database.ts";
import type { FakeVault } from "./fake-vault.ts";

export const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

/** What each wallet owns by the engine is what the chain says. */
export function assertMoney(vault: FakeVault, { accounts }: State, wallets: Wallets, count: number): void {
  const owned = new Map<string, number>();
  for (let account = 1; account <= accounts.count; account += 1) {
    owned.set(wallets.of(account)!, accounts.principal(account) + accounts.inFlight(account));
  }
  for (let number = 1; number <= count; number += 1) {
    const wallet = walletOf(number);
    assert.equal(owned.get(wallet) ?? 0, vault.balanceOf(wallet), `what wallet ${number} owns`);
  }
}

export async function assertTables(db: Db, vault: FakeVault): Promise<void> {
  const { rows } = await sql<{ address: string; micros: bigint }>`
    select address, sum(micros)::bigint as micros from (
      select address, amount_micros as micros from deposit where status = 'credited'
      union all select address, -amount_micros from withdrawal where status = 'confirmed'
    ) as line group by address`.execute(db);
  for (const { address, micros } of rows) assert.equal(Number(micros), vault.balanceOf(address), address);
  const open = await sql`
    select from deposit where status = 'requested' union all
    select from withdrawal where status in ('requested', 'held', 'sent') union all
    select from outbox where delivered_at is null`.execute(db);
  assert.equal(open.rows.length, 0, "nothing is left undone");
}
