import { sql } from "kysely";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import type { BonusOptions } from "../options.ts";
import { type BonusTx, bonusTx } from "../tables.ts";
import { liveBonus } from "./my-bonus.ts";
import { WARNINGS_ms } from "./timers.ts";

export type WarningsOptions = Pick<BonusOptions, "database" | "clock" | "exchange" | "projector" | "tellBonus">;

interface WarnedRow {
  readonly account: number;
  readonly expires_at: Date;
}

const PATIENCE_ms = 10_000;
const [DAY_ms, HOUR_ms] = WARNINGS_ms;
/** Each warning, the columns it is noted in, and when it is too late for it because the next one is due. */
const WARNINGS = [
  { column: sql.ref("warned_24h_at"), before_ms: DAY_ms, until_ms: HOUR_ms },
  { column: sql.ref("warned_1h_at"), before_ms: HOUR_ms, until_ms: 0 },
] as const;

/** BON-9: tells owners 24 hours and 1 hour before their bonus expires, each of them once. */
export class ExpiryWarnings {
  readonly #options: WarningsOptions;

  constructor(options: WarningsOptions) {
    this.#options = options;
  }

  /** Sends what is due, and says how many of each kind. */
  async send(): Promise<{ readonly warned_24h: number; readonly warned_1h: number }> {
    await this.#caughtUp();
    const counts: number[] = [];
    for (const warning of WARNINGS) counts.push(await this.#send(warning));
    const [warned_24h = 0, warned_1h = 0] = counts;
    return { warned_24h, warned_1h };
  }

  /**
   * A bonus that was just granted, or has just ended, must be seen as what it is. Where the tables are far behind, those
   * that are seen are warned now and the others by a later run: expiries must not wait for that.
   */
  async #caughtUp(): Promise<void> {
    try {
      await this.#options.projector.waitForAll(PATIENCE_ms);
    } catch (error) {
      if (!(error instanceof ProjectionTimeout)) throw error;
    }
  }

  /**
   * Told before the note is committed: after a crash in between it is told again, never forgotten. Rows that the projector
   * is just writing are left for the next run: waiting for them could hold it up.
   */
  async #send(warning: (typeof WARNINGS)[number]): Promise<number> {
    const { database, clock } = this.#options;
    const now_ms = clock.now();
    return await database.db.transaction().execute(async (anyTx) => {
      const rows = await noteDue(bonusTx(anyTx), warning, now_ms);
      for (const row of rows) this.#tell(row, now_ms);
      return rows.length;
    });
  }

  #tell({ account, expires_at }: WarnedRow, now_ms: number): void {
    const { exchange, tellBonus } = this.#options;
    const { status: state, bonus_micros, locked_micros, consumed_micros } = liveBonus(exchange.engine, account);
    tellBonus(account, {
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
    });
  }
}

/** Bonuses that were granted with less time left get no such warning, nor do those whose time is over. */
async function noteDue(
  tx: BonusTx,
  { column, before_ms, until_ms }: (typeof WARNINGS)[number],
  now_ms: number,
): Promise<WarnedRow[]> {
  const at = (time_ms: number) => new Date(time_ms).toISOString();
  const { rows } = await sql<WarnedRow>`
    update bonus_account set ${column} = ${at(now_ms)}::timestamptz
    where id in (
      select id from bonus_account
      where ended_at is null and status in ('active', 'frozen') and is_credited and ${column} is null
        and expires_at > ${at(now_ms + until_ms)}::timestamptz and expires_at <= ${at(now_ms + before_ms)}::timestamptz
        and granted_at <= expires_at - ${before_ms} * interval '1 millisecond'
      for no key update skip locked
    )
    returning account, expires_at`.execute(tx);
  return rows;
}
