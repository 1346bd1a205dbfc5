import { sql } from "kysely";
import type { Db, Tx } from "../../kernel/database/database.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { KnownPrices } from "./risk-drafts.ts";
import { INDEX_KIND, MARK_KIND } from "./tables.ts";

export interface ProjectionCursor {
  /** The last command whose events are in the tables. */
  readonly command_number: number;
  readonly last_income_id: number;
  readonly time_ms: number;
}

/** Somebody else has moved the cursor: another projector works on these tables, or they belong to another log. */
export class CursorMoved extends Error {
  readonly found: number;

  constructor(expected: number, found: number) {
    super(`the projector's cursor should stand at command ${expected}, but stands at ${found}`);
    this.name = "CursorMoved";
    this.found = found;
  }
}

export async function readCursor(db: Db | Tx): Promise<ProjectionCursor> {
  const { rows } = await sql<{ command_number: bigint; last_income_id: bigint; time_ms: bigint }>`
    select command_number, last_income_id, time_ms from exchange_cursor where name = 'projector'`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error("the projector has no cursor: the migrations have not run");
  return {
    command_number: Number(row.command_number),
    last_income_id: Number(row.last_income_id),
    time_ms: Number(row.time_ms),
  };
}

/** Moves it from where it must stand. This is what makes every event be written once: nothing else guards the tables. */
export async function moveCursor(tx: Tx, from: ProjectionCursor, to: ProjectionCursor): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update exchange_cursor
    set command_number = ${to.command_number}, last_income_id = ${to.last_income_id}, time_ms = ${to.time_ms}
    where name = 'projector' and command_number = ${from.command_number}`.execute(tx);
  if (numAffectedRows !== 1n) throw new CursorMoved(from.command_number, (await readCursor(tx)).command_number);
}

/** The last prices of every market, from its last candles. */
export async function readPrices(db: Db): Promise<Map<number, KnownPrices>> {
  const lastOf = (kind: number) => sql`
    (select close_ticks from exchange_kline as k
     where k.market = m.market and kind = ${kind} and interval_ms = ${HOUR_ms} order by open_ms desc limit 1)`;
  const { rows } = await sql<{ market: number; mark: number | null; index: number | null }>`
    select market, ${lastOf(MARK_KIND)} as mark, ${lastOf(INDEX_KIND)} as index from exchange_market as m`.execute(db);
  const priced = rows.flatMap(({ market, mark, index }) =>
    mark === null || index === null ? [] : [[market, { markTicks: mark, indexTicks: index }] as const],
  );
  return new Map(priced);
}

export async function readUnits(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ market: number; unit_micros: bigint }>`
    select market, unit_micros from exchange_market`.execute(db);
  return new Map(rows.map(({ market, unit_micros }) => [market, Number(unit_micros)]));
}
