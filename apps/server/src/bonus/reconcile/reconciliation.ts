import type { BonusReconcileReport } from "@bourse/api";
import { sql } from "kysely";
import type { Finding } from "../../exchange/index.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import { moneyText } from "../../kernel/units.ts";
import type { BonusControl } from "../accounts/control.ts";
import type { BonusOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { type BonusTx, bonusTx } from "../tables.ts";
import type { BonusBacking } from "./backing.ts";
import { type Books, problemOf, readBooks } from "./books.ts";
import { Enforcement } from "./enforcement.ts";
import { reportOf } from "./report.ts";
import { takeShadow } from "./shadow.ts";

export interface ReconciliationOptions
  extends Pick<BonusOptions, "database" | "clock" | "audit" | "exchange" | "projector" | "directory"> {
  readonly control: Pick<BonusControl, "order" | "answered">;
  readonly backing: Pick<BonusBacking, "sums">;
  readonly cap_micros: bigint;
}

/** How long a report waits for the tables to reach the engine's command. */
const PATIENCE_ms = 10_000;
/** The number of reports that are kept. */
const KEPT = 1_000;

/**
 * BON-11: compares the pool's ledger with the engine's accounts, exactly, as of one command. The ledger is written where grants are
 * decided and where the engine's returns are projected.
 */
export class Reconciliation {
  readonly #options: ReconciliationOptions;
  readonly #enforcement: Enforcement;
  #underWay: Promise<BonusReconcileReport> | undefined;

  constructor(options: ReconciliationOptions) {
    this.#options = options;
    this.#enforcement = new Enforcement(options);
  }

  /** Compares without changing anything. Concurrent calls share one comparison. */
  report(): Promise<BonusReconcileReport> {
    this.#underWay ??= this.#report(this.#compare()).finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** INV-3. */
  async invariant(): Promise<Finding> {
    const books = await this.#compare();
    const problem = problemOf(books);
    const { ledger_micros, command_number, inFlight } = books;
    if (problem !== undefined) return { ok: false, detail: `at command ${command_number}: ${problem}` };
    const flying = inFlight.count === 0 ? "" : `, ${moneyText(inFlight.total_micros)} USDT of grants in flight`;
    const sides = `pool ledger ${moneyText(ledger_micros)} USDT = held and consumed by accounts`;
    return { ok: true, detail: `${sides} at command ${command_number}${flying}` };
  }

  /** Compares, stores the report, and acts on it. */
  async run(): Promise<{ report: BonusReconcileReport; frozen: number }> {
    const { database, audit, control } = this.#options;
    const comparison = this.#compare();
    const report = await this.#report(comparison);
    const books = await comparison;
    const refs = await database.db.transaction().execute(async (anyTx) => {
      const tx = bonusTx(anyTx);
      await this.#keep(tx, report);
      const decided = await this.#enforcement.decide(tx, books);
      for (const entry of decided.entries) await audit.append(tx, entry);
      return decided.refs;
    });
    const last = refs.at(-1);
    if (last !== undefined) await control.answered(last);
    return { report, frozen: refs.length };
  }

  async #compare(): Promise<Books> {
    const { database, exchange, projector } = this.#options;
    const shadow = takeShadow(exchange.engine);
    await refuseIfLate(projector.waitFor(shadow.command_number, PATIENCE_ms), refusals.behind);
    return await readBooks(database, shadow);
  }

  async #report(comparison: Promise<Books>): Promise<BonusReconcileReport> {
    const { clock, directory, backing, cap_micros } = this.#options;
    const books = await comparison;
    return reportOf({
      books,
      cap_micros,
      backing: await backing.sums(),
      now_ms: clock.now(),
      addressOf: (account) => directory.addressOf(account),
    });
  }

  async #keep(tx: BonusTx, report: BonusReconcileReport): Promise<void> {
    const created_at = new Date(this.#options.clock.now());
    const { ok, event_cursor: command_number } = report;
    await tx
      .insertInto("bonus_reconcile")
      .values({ ok, command_number, report: JSON.stringify(report), created_at })
      .execute();
    await sql`
      delete from bonus_reconcile
      where id <= (select id from bonus_reconcile order by id desc offset ${KEPT} limit 1)`.execute(tx);
  }
}
