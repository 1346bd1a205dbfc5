import type { CalculatedRebates } from "@bourse/api";
import { sql } from "kysely";
import { type Exchange, type Projector, waitUntilWritten } from "../../exchange/index.ts";
import type { AuditEntry, AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { createJobLocks, type JobLocks, lockInTransaction } from "../../kernel/database/locks.ts";
import { dayOf, dayStart_ms } from "../../kernel/dates.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import { dayAfter, readDay } from "../days.ts";
import { type Notes, noteRows, PERIODS, REBATE_BOOKS } from "../noted.ts";
import { amountText } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { brokerDb, brokerTx } from "../tables.ts";
import { type SettledPeriod, settlePeriod } from "./settle.ts";
import { rollUp } from "./totals.ts";

export interface SettlementServiceOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly engineRequests: Notes;
  readonly exchange: Pick<Exchange, "engine" | "waiting" | "current">;
  readonly projector: Pick<Projector, "waitForAll">;
  /** How long a settlement waits for the day's trades to be written. */
  readonly patience_ms?: number;
}

/** The actor for the audit log. */
export type Actor = Pick<AuditEntry, "actor" | "role" | "ip" | "request_id">;

const PATIENCE_ms = 10_000;

export const rootText = (root: Buffer): string => `0x${root.toString("hex")}`;

export const settlementReply = (settled: SettledPeriod): CalculatedRebates => ({
  period: settled.period,
  total_brokers: settled.broker_count,
  total_records: settled.record_count,
  total_fee: amountText(settled.fee_micros),
  total_nominal: amountText(settled.nominal_micros),
  total_customer_rebate: amountText(settled.customer_micros),
  total_share: amountText(settled.share_micros),
  total_kol_net: amountText(settled.net_micros),
  total_affiliate_reward: amountText(settled.affiliate_micros),
  provisional: settled.status === "provisional",
  revision: settled.revision,
  root: rootText(settled.root),
});

/** BRK-9: settles days, on schedule and on request. */
export class SettlementService {
  readonly #options: SettlementServiceOptions;
  readonly #locks: JobLocks;

  constructor(options: SettlementServiceOptions) {
    this.#options = options;
    this.#locks = createJobLocks(options.database);
  }

  /** The current UTC day. */
  get today(): string {
    return dayOf(this.#options.clock.now());
  }

  /** Settles a day at an admin's request: a past day is closed, today's is provisional. */
  async calculate(input: unknown, actor: Actor): Promise<SettledPeriod> {
    if (typeof input !== "string") throw refusals.invalidPeriod();
    const period = readDay("period", input);
    if (period > this.today) throw refusals.invalidPeriod("period has not begun");
    const { audit } = this.#options;
    return await this.settle(period, async (tx, settled) => {
      const after = { ...settlementReply(settled), changes: { ...settled.changes } };
      await audit.append(tx, { ...actor, action: "rebate.calculate", target: period, after });
    });
  }

  /**
   * Settles a day after all its trades are written, in one transaction to which `atEnd` may add. Concurrent calls for the same day
   * run one after the other.
   */
  async settle(period: string, atEnd?: (tx: Tx, settled: SettledPeriod) => Promise<void>): Promise<SettledPeriod> {
    // Read once: a day that ends meanwhile is closed by the next run.
    const status = period < this.today ? "closed" : "provisional";
    await this.#tradesWritten(status === "closed" ? dayStart_ms(dayAfter(period, 1)) : undefined);
    const settled = await this.#locks.withLock(`rebate-settlement:${period}`, async (tx) => {
      const now = new Date(this.#options.clock.now());
      const before = await findPeriod(tx, period);
      const result = await settlePeriod(tx, { period, status, now });
      const isNews = before?.status !== result.status || before.revision !== result.revision;
      if (result.status === "closed" && isNews) {
        await noteRows(this.#options.engineRequests, tx, PERIODS, sql`one.period = ${period}::date`);
      }
      await atEnd?.(tx, result);
      return result;
    });
    if (settled.status === "closed") await this.rollUp(period);
    return settled;
  }

  /** Adds a closed day to its downlines' totals, once. */
  async rollUp(period: string): Promise<boolean> {
    return await this.#options.database.db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, REBATE_BOOKS);
      return await rollUp(brokerTx(tx), period);
    });
  }

  /** Days up to this one with fees that are not closed, oldest first. */
  async unclosedDays(until: string): Promise<string[]> {
    // Steps from day to day by the index, because the table has a row per wallet and day.
    const { rows } = await sql<{ day: string }>`
      with recursive days (day) as (
        select min(day) from broker_pre_settlement
        union all
        select (select min(p.day) from broker_pre_settlement p where p.day > days.day) from days
        where days.day is not null
      )
      select day from days
      where day <= ${until}::date
        and not exists (select from rebate_period where period = day and status = 'closed')
      order by day`.execute(this.#options.database.db);
    return rows.map(({ day }) => day);
  }

  /** Closed days that were not rolled up because of a crash. */
  async daysToRollUp(): Promise<string[]> {
    const rows = await brokerDb(this.#options.database)
      .selectFrom("rebate_period")
      .select("period")
      .where("status", "=", "closed")
      .where("is_rolled_up", "=", false)
      .orderBy("period")
      .execute();
    return rows.map(({ period }) => period);
  }

  /** BRK-9: waits until everything stamped before the given moment is in the tables. */
  async #tradesWritten(before_ms: number | undefined): Promise<void> {
    const written = waitUntilWritten(this.#options, before_ms, this.#options.patience_ms ?? PATIENCE_ms);
    await refuseIfLate(written, refusals.projectorBehind);
  }
}

const findPeriod = (tx: Tx, period: string) =>
  brokerTx(tx)
    .selectFrom("rebate_period")
    .select(["status", "revision"])
    .where("period", "=", period)
    .executeTakeFirst();
