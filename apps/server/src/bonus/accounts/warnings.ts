import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { BonusFact } from "../../exchange/index.ts";
import { unlessLate } from "../../kernel/late.ts";
import type { BonusOptions } from "../options.ts";
import { type BonusDb, bonusDb } from "../tables.ts";
import { liveBonus } from "./my-bonus.ts";
import { WARNINGS_ms } from "./timers.ts";

export type WarningsOptions = Pick<BonusOptions, "database" | "clock" | "exchange" | "projector" | "tellBonus">;

interface DueRow {
  readonly id: bigint;
  readonly account: number;
  readonly expires_at: Date;
}

const PATIENCE_ms = 10_000;
const TRY_EVERY_ms = 20;
const MAX_TRIES = 500;
const [DAY_ms, HOUR_ms] = WARNINGS_ms;
/** Each warning with the columns that record it, and the moment from which it is obsolete because the next one is due. */
const WARNINGS = [
  { column: sql.ref("warned_24h_at"), before_ms: DAY_ms, until_ms: HOUR_ms },
  { column: sql.ref("warned_1h_at"), before_ms: HOUR_ms, until_ms: 0 },
] as const;

/** BON-9: warns owners once 24 hours and once 1 hour before their bonus expires. */
export class ExpiryWarnings {
  readonly #options: WarningsOptions;

  constructor(options: WarningsOptions) {
    this.#options = options;
  }

  /** Sends the due warnings and returns their number by kind. */
  async send(): Promise<{ readonly warned_24h: number; readonly warned_1h: number }> {
    await this.#caughtUp();
    const counts: number[] = [];
    for (const warning of WARNINGS) counts.push(await this.#send(warning));
    const [warned_24h = 0, warned_1h = 0] = counts;
    return { warned_24h, warned_1h };
  }

  /**
   * Waits until the tables contain recent grants and endings. If the projector is far behind, the run warns for the rows it sees
   * and leaves the others to a later run, because expiries must not wait.
   */
  async #caughtUp(): Promise<void> {
    await unlessLate(this.#options.projector.waitForAll(PATIENCE_ms));
  }

  /** Sends first and records afterwards: a crash in between repeats a warning but never loses one. */
  async #send(warning: (typeof WARNINGS)[number]): Promise<number> {
    const { database, clock, tellBonus } = this.#options;
    const now_ms = clock.now();
    const due = await findDue(bonusDb(database), warning, now_ms);
    if (due.length === 0) return 0;
    await tellBonus(due.map((row) => ({ account: row.account, fact: this.#fact(row, now_ms) })));
    await this.#note(warning, due, now_ms);
    return due.length;
  }

  /**
   * Skips rows that the projector has locked and leaves them to the next run: waiting while holding other rows could block the
   * projector.
   */
  async #note(warning: (typeof WARNINGS)[number], due: readonly DueRow[], now_ms: number): Promise<void> {
    const db = bonusDb(this.#options.database);
    let left = due.map(({ id }) => id);
    for (let tries = 1; ; tries += 1) {
      const noted = new Set(await noteWarned(db, warning, left, now_ms));
      left = left.filter((id) => !noted.has(id));
      if (left.length === 0) return;
      if (tries === MAX_TRIES) throw new Error(`${left.length} warnings of bonuses could not be noted`);
      await delay(TRY_EVERY_ms);
    }
  }

  #fact({ account, expires_at }: DueRow, now_ms: number): BonusFact {
    const { engine } = this.#options.exchange;
    const { status: state, bonus_micros, locked_micros, consumed_micros } = liveBonus(engine, account);
    return {
      channel: "bonus",
      kind: "bonus",
      line: "WARNING",
      amount_micros: 0,
      state,
      bonus_micros,
      locked_micros,
      consumed_micros,
      expires_ms: expires_at.getTime(),
      time_ms: now_ms,
    };
  }
}

const at = (time_ms: number) => new Date(time_ms).toISOString();

/** Excludes bonuses that were granted with less time left than the warning's, and expired ones. */
async function findDue(
  db: BonusDb,
  { column, before_ms, until_ms }: (typeof WARNINGS)[number],
  now_ms: number,
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select id, account, expires_at from bonus_account
    where ended_at is null and status in ('active', 'frozen') and is_credited and ${column} is null
      and expires_at > ${at(now_ms + until_ms)}::timestamptz and expires_at <= ${at(now_ms + before_ms)}::timestamptz
      and granted_at <= expires_at - ${before_ms} * interval '1 millisecond'
    order by id`.execute(db);
  return rows;
}

/** Returns the rows that were recorded now. */
async function noteWarned(
  db: BonusDb,
  { column }: (typeof WARNINGS)[number],
  ids: readonly bigint[],
  now_ms: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ readonly id: bigint }>`
    update bonus_account set ${column} = ${at(now_ms)}::timestamptz
    where id in (select id from bonus_account where id = any(${ids}::bigint[]) for no key update skip locked)
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}
