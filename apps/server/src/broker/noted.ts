import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import { type NotedTable, readNoted } from "../kernel/engine-requests/noted-rows.ts";
import type { RowsToNote } from "../kernel/engine-requests/take-up.ts";
import { unlessLate } from "../kernel/late.ts";

/*
 * LOG-3: the rows that accruals, settlements and payouts follow from, and that the log has besides the terms. SEC-11: brokers and
 * binds of wallets without an account are noted when it is opened, because nothing can follow from them before.
 */

export const BROKERS: NotedTable = { name: "broker", key: ["id"], secret: ["wallet_address", "nickname"] };
/** Only codes that were used by wallets with an account. */
export const CODES: NotedTable = { name: "broker_invite_code", key: ["id"], secret: ["code", "note"], identity: "id" };
export const BINDS: NotedTable = { name: "broker_bind", key: ["account"], secret: ["wallet_address"] };
export const TIERS: NotedTable = { name: "broker_tier", key: ["level"] };
export const TERMS: NotedTable = {
  name: "broker_terms",
  key: ["terms_version"],
  secret: ["wallet_address", "affiliate"],
  identity: "terms_version",
  isKept: true,
};
/** Closed days. */
export const PERIODS: NotedTable = { name: "rebate_period", key: ["period"] };
/** As they are made, cancelled, or confirmed by a payment outside the platform; what the chain pays is on the chain. */
export const BATCHES: NotedTable = { name: "payout_batch", key: ["id"] };

/** Under this lock participants and terms change. */
export const TERMS_LOCK = "broker-terms";
export const TIERS_LOCK = "broker-tiers";
/** The lock for everything that writes rebate records or payouts. */
export const REBATE_BOOKS = "rebate-books";

export type Notes = Pick<EngineRequests, "note">;
export type Answers = Pick<EngineRequests, "answer">;

/** Notes the rows that meet the condition, in which the table is called `one`, and returns the last reference. */
export async function noteRows(
  notes: Notes,
  tx: Tx,
  table: NotedTable,
  condition: RawBuilder<unknown>,
): Promise<string | undefined> {
  return await notes.note(tx, table, await readNoted(tx, table, condition));
}

/** A parent without an account is in the log for the sub-KOLs that have one: their rows refer to it. */
const IS_LOGGED_BROKER = sql`(one.account is not null or exists (
  select from broker as below where below.parent_broker_id = one.id and below.account is not null))`;

/** Notes those of the brokers that the log must have, parents before their sub-KOLs. */
export async function noteBrokers(notes: Notes, tx: Tx, condition: RawBuilder<unknown>): Promise<void> {
  for (const level of [sql`one.parent_broker_id is null`, sql`one.parent_broker_id is not null`]) {
    await noteRows(notes, tx, BROKERS, sql`(${condition}) and ${level} and ${IS_LOGGED_BROKER}`);
  }
}

export const noteBatch = (notes: Notes, tx: Tx, id: string): Promise<string | undefined> =>
  noteRows(notes, tx, BATCHES, sql`one.id = ${id}`);

/**
 * Resolves when the log has the note, or when that takes long. Call it after the commit, before somebody is told to pay: a payment
 * must not be newer than anything that outlives the database.
 */
export async function inLog(answers: Answers, ref: string | undefined): Promise<void> {
  if (ref !== undefined) await unlessLate(answers.answer(ref));
}

const NEWEST_TERMS = sql`not exists (
  select from broker_terms as later where later.account = one.account and later.terms_version > one.terms_version)`;
const UNSETTLED_TERMS = sql`one.terms_version in (
  select terms_version from broker_pre_settlement
  where day > (select coalesce(max(period), '-infinity') from rebate_period where status = 'closed'))`;
const BINDS_OF_CODE = sql`select from broker_bind where code_id = one.id and broker_bind.account is not null`;
/** Of batches from before the log has nothing. */
const HAS_BATCH = sql`exists (select from rebate_record where rebate_record.period = one.period and is_locked)`;

/** The rows from before they were noted, each after those that it refers to. */
export const BROKER_ROWS: readonly RowsToNote[] = [
  { table: TIERS, lock: TIERS_LOCK },
  { table: BROKERS, lock: TERMS_LOCK, condition: sql`one.parent_broker_id is null and ${IS_LOGGED_BROKER}` },
  { table: BROKERS, lock: TERMS_LOCK, condition: sql`one.parent_broker_id is not null and one.account is not null` },
  { table: CODES, lock: TERMS_LOCK, condition: sql`exists (${BINDS_OF_CODE})` },
  { table: BINDS, lock: TERMS_LOCK, condition: sql`one.account is not null` },
  { table: TERMS, lock: TERMS_LOCK, condition: sql`${NEWEST_TERMS} or ${UNSETTLED_TERMS}` },
  {
    table: PERIODS,
    lock: REBATE_BOOKS,
    condition: sql`one.status = 'closed'`,
    more: sql`jsonb_build_object('is_sealed', one.is_sealed or ${HAS_BATCH})`,
  },
];
