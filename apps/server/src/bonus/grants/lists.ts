import type { BonusBatch, BonusBatchList, BonusListQuery, PoolLedger } from "@bourse/api";
import { sql } from "kysely";
import type { AccountDirectory } from "../../exchange/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { Plain } from "../../kernel/database/plain-rows.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { pageReply } from "../../kernel/pages.ts";
import { moneyText } from "../../kernel/units.ts";
import { readBonusPage } from "../pages.ts";
import { type BonusCodeStatus, type BonusDb, bonusDb } from "../tables.ts";
import { type BatchRow, findBatch } from "./code-store.ts";

export interface GrantListsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly cursors: PageCursors;
  readonly directory: Pick<AccountDirectory, "addressOf" | "load">;
}

type Counts = Readonly<Record<BonusCodeStatus, number>>;

const NO_CODES: Counts = { unused: 0, redeemed: 0, expired: 0, void: 0 };

/** All batches; a page of them is read newest first. */
export const batchList = (db: BonusDb) => ({
  name: ["bonus-batches"],
  order: { created_at: "timestamptz", id: "uuid" } as const,
  select: () => db.selectFrom("bonus_batch").selectAll(),
});

const batchView = (row: BatchRow | Plain<BatchRow>, codes: Counts): BonusBatch => ({
  grant_batch_id: row.id,
  campaign_id: row.campaign_id,
  batch_name: row.batch_name,
  grant_tier: row.grant_tier,
  per_address_amount: moneyText(row.per_address_micros),
  max_leverage: row.max_leverage,
  operator_addr: row.operator_addr,
  notes: row.notes,
  created: row.created_count,
  failed: row.failed_count,
  codes,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

/** WIRE-8: the list of grant batches and the pool's ledger. */
export class GrantLists {
  readonly #options: GrantListsOptions;

  constructor(options: GrantListsOptions) {
    this.#options = options;
  }

  async batch(id: string): Promise<BonusBatch> {
    const row = await findBatch(this.#db, id);
    return batchView(row, (await this.#codesOf([row])).get(id) ?? NO_CODES);
  }

  /** Newest first. */
  async batches(query: BonusListQuery): Promise<BonusBatchList> {
    const page = await readBonusPage(this.#options.cursors, { ...query, isDescending: true }, batchList(this.#db));
    const codes = await this.#codesOf(page.rows);
    return pageReply(page, (row) => batchView(row, codes.get(row.id) ?? NO_CODES), "batches");
  }

  /** Newest first. */
  async poolLedger(query: BonusListQuery): Promise<PoolLedger> {
    const { directory, cursors } = this.#options;
    const part = { ...query, isDescending: true };
    const page = await readBonusPage(cursors, part, {
      name: ["bonus-pool-ledger"],
      order: { id: "bigint" },
      select: () =>
        this.#db
          .selectFrom("bonus_pool_line")
          .select(["id", "kind", "amount_micros", "account", "time_ms", "command_number"]),
    });
    // Another process may have opened these accounts.
    if (page.rows.some(({ account }) => directory.addressOf(account) === undefined)) await directory.load();
    const line = (row: (typeof page.rows)[number]) => ({
      id: row.id,
      kind: row.kind,
      amount: moneyText(row.amount_micros),
      address: this.#addressOf(row.account),
      time: new Date(row.time_ms).toISOString(),
      command_number: row.command_number === null ? null : Number(row.command_number),
    });
    return pageReply(page, line, "lines");
  }

  get #db() {
    return bonusDb(this.#options.database);
  }

  #addressOf(account: number): string {
    const address = this.#options.directory.addressOf(account);
    if (address === undefined) throw new Error(`the account ${account} of the pool's ledger belongs to nobody`);
    return address;
  }

  /** An expired code counts as expired, marked or not. */
  async #codesOf(batches: readonly Pick<BatchRow, "id">[]): Promise<ReadonlyMap<string, Counts>> {
    const ids = batches.map(({ id }) => id);
    const now = new Date(this.#options.clock.now());
    const { rows } = await sql<{ batch_id: string; status: BonusCodeStatus; count: bigint }>`
      select batch_id,
        case when status = 'unused' and expires_at <= ${now}::timestamptz then 'expired' else status end as status,
        count(*) as count
      from bonus_code where batch_id = any(${ids}::uuid[])
      group by 1, 2`.execute(this.#db);
    const counts = new Map<string, Counts>();
    for (const { batch_id, status, count } of rows) {
      counts.set(batch_id, { ...(counts.get(batch_id) ?? NO_CODES), [status]: Number(count) });
    }
    return counts;
  }
}
