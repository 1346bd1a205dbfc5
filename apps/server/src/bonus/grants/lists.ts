import type { BonusBatch, BonusBatchList, BonusListQuery, PoolLedger } from "@bourse/api";
import { sql } from "kysely";
import type { AccountDirectory } from "../../exchange/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { BadCursor, type PageCursors } from "../../kernel/page-cursor.ts";
import { moneyText } from "../../kernel/units.ts";
import { limitWithin } from "../../kernel/windows.ts";
import { refusals } from "../refusals.ts";
import { type BonusCodeStatus, type BonusDb, bonusDb } from "../tables.ts";
import { type BatchRow, findBatch } from "./code-store.ts";

export interface GrantListsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly cursors: PageCursors;
  readonly directory: Pick<AccountDirectory, "addressOf" | "load">;
}

type Counts = Readonly<Record<BonusCodeStatus, number>>;

const BATCHES = ["bonus-batches"];
const LINES = ["bonus-pool-ledger"];
const USUAL_ROWS = 100;
const MAX_ROWS = 500;
const NO_CODES: Counts = { unused: 0, redeemed: 0, expired: 0, void: 0 };
/** A UUID as three integers, because cursors consist of integers. */
const UUID_PARTS = [
  [0, 12],
  [12, 24],
  [24, 32],
] as const;

type BatchPlace = Pick<BatchRow, "created_at" | "id">;

const placeOf = ({ created_at, id }: BatchRow): number[] => {
  const digits = id.replaceAll("-", "");
  return [created_at.getTime(), ...UUID_PARTS.map(([from, to]) => Number.parseInt(digits.slice(from, to), 16))];
};

function batchAt([created_ms = 0, ...parts]: readonly number[]): BatchPlace {
  const id = parts.map((part, at) => part.toString(16).padStart(at === 2 ? 8 : 12, "0")).join("");
  return { created_at: new Date(created_ms), id };
}

/** Newest first, then by id, starting after the given batch. */
export function batchesQuery(db: BonusDb, limit: number, after: BatchPlace | undefined) {
  const all = db.selectFrom("bonus_batch").selectAll().orderBy("created_at", "desc").orderBy("id").limit(limit);
  if (after === undefined) return all;
  const { created_at, id } = after;
  return all
    .where("created_at", "<=", created_at)
    .where((row) => row.or([row("created_at", "<", created_at), row("id", ">", id)]));
}

const batchView = (row: BatchRow, codes: Counts): BonusBatch => ({
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
    const limit = limitWithin(query.limit, USUAL_ROWS, MAX_ROWS);
    const after = this.#placeIn(BATCHES, query.cursor);
    const found = await batchesQuery(this.#db, limit + 1, after && batchAt(after)).execute();
    const rows = found.slice(0, limit);
    const codes = await this.#codesOf(rows);
    return {
      total: after === undefined ? await this.#countOf("bonus_batch") : -1,
      next_cursor: this.#nextCursor(BATCHES, rows.at(-1), found.length > limit, placeOf),
      batches: rows.map((row) => batchView(row, codes.get(row.id) ?? NO_CODES)),
    };
  }

  /** Newest first. */
  async poolLedger(query: BonusListQuery): Promise<PoolLedger> {
    const limit = limitWithin(query.limit, USUAL_ROWS, MAX_ROWS);
    const [after] = this.#placeIn(LINES, query.cursor) ?? [];
    let page = this.#db
      .selectFrom("bonus_pool_line")
      .select(["id", "kind", "amount_micros", "account", "time_ms", "command_number"])
      .orderBy("id", "desc")
      .limit(limit + 1);
    if (after !== undefined) page = page.where("id", "<", BigInt(after));
    const found = await page.execute();
    const rows = found.slice(0, limit);
    const { directory } = this.#options;
    // Another process may have opened these accounts.
    if (rows.some(({ account }) => directory.addressOf(account) === undefined)) await directory.load();
    return {
      total: after === undefined ? await this.#countOf("bonus_pool_line") : -1,
      next_cursor: this.#nextCursor(LINES, rows.at(-1), found.length > limit, ({ id }) => [Number(id)]),
      lines: rows.map((row) => ({
        id: Number(row.id),
        kind: row.kind,
        amount: moneyText(row.amount_micros),
        address: this.#addressOf(row.account),
        time: new Date(Number(row.time_ms)).toISOString(),
        command_number: row.command_number === null ? null : Number(row.command_number),
      })),
    };
  }

  get #db() {
    return bonusDb(this.#options.database);
  }

  #addressOf(account: number): string {
    const address = this.#options.directory.addressOf(account);
    if (address === undefined) throw new Error(`the account ${account} of the pool's ledger belongs to nobody`);
    return address;
  }

  #placeIn(list: readonly string[], cursor: string | undefined): number[] | undefined {
    if (cursor === undefined) return undefined;
    try {
      return this.#options.cursors.decode(list, cursor);
    } catch (error) {
      throw error instanceof BadCursor ? refusals.invalidCursor() : error;
    }
  }

  #nextCursor<Row>(
    list: readonly string[],
    last: Row | undefined,
    hasMore: boolean,
    place: (row: Row) => number[],
  ): string | null {
    return hasMore && last !== undefined ? this.#options.cursors.encode(list, place(last)) : null;
  }

  async #countOf(table: "bonus_batch" | "bonus_pool_line"): Promise<number> {
    const { count } = await this.#db
      .selectFrom(table)
      .select((row) => row.fn.countAll<bigint>().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** An expired code counts as expired, marked or not. */
  async #codesOf(batches: readonly BatchRow[]): Promise<ReadonlyMap<string, Counts>> {
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
