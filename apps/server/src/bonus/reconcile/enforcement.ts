import { BONUS_STATES } from "@bourse/engine";
import { sql } from "kysely";
import type { AuditEntry } from "../../kernel/audit/audit-log.ts";
import { moneyText } from "../../kernel/units.ts";
import type { BonusControl, ControlOrder } from "../accounts/control.ts";
import { reconcileRef } from "../accounts/refs.ts";
import { SYSTEM } from "../callers.ts";
import type { BonusOptions } from "../options.ts";
import type { BonusTx } from "../tables.ts";
import { type Books, type Mismatch, problemOf } from "./books.ts";

export interface EnforcementOptions extends Pick<BonusOptions, "clock" | "exchange" | "directory"> {
  readonly control: Pick<BonusControl, "order">;
}

/** The actions of a reconciliation, with their audit entry. */
export interface Decided {
  readonly entries: readonly AuditEntry[];
  /** The outbox references of the freezes. */
  readonly refs: readonly string[];
}

/** The maximum number of accounts that one run freezes; the next run freezes the rest. */
const MAX_FROZEN = 1_000;

/** BON-11: freezes accounts that do not add up, and stops grants until the books agree again. */
export class Enforcement {
  readonly #options: EnforcementOptions;

  constructor(options: EnforcementOptions) {
    this.#options = options;
  }

  async decide(tx: BonusTx, books: Books): Promise<Decided> {
    const stopping = await this.#stopOrResume(tx, books);
    const orders = await this.#freeze(tx, books);
    const frozen = orders.map(({ account, reason }): AuditEntry => {
      const target = this.#options.directory.addressOf(account) ?? `account ${account}`;
      return { ...SYSTEM, action: "bonus.freeze", target, before: { status: "active" }, reason };
    });
    return { entries: [...stopping, ...frozen], refs: orders.map(({ ref }) => ref) };
  }

  async #stopOrResume(tx: BonusTx, books: Books): Promise<AuditEntry[]> {
    const problem = problemOf(books) ?? null;
    const isStopped = books.pool.stopped_reason !== null;
    if ((problem !== null) === isStopped) return [];
    const stopped_at = problem === null ? null : new Date(this.#options.clock.now());
    await tx.updateTable("bonus_pool").set({ stopped_reason: problem, stopped_at }).execute();
    const action = problem === null ? "bonus.grants.resume" : "bonus.grants.stop";
    const reason = problem ?? "pool ledger and accounts agree again";
    return [
      {
        ...SYSTEM,
        action,
        target: "bonus-pool",
        before: { stopped: isStopped },
        after: { stopped: !isStopped },
        reason,
      },
    ];
  }

  /** Freezes once per difference: if an admin unfreezes the account, the same difference does not freeze it again. */
  async #freeze(tx: BonusTx, { mismatches }: Books): Promise<ControlOrder[]> {
    const wanted = mismatches.filter(({ account }) => this.#isActive(account)).map((one) => this.#orderOf(one));
    if (wanted.length === 0) return [];
    const { rows } = await sql<{ ref: string }>`
      select ref from bonus_reconcile_freeze where ref = any(${wanted.map(({ ref }) => ref)}::text[])`.execute(tx);
    const known = new Set(rows.map(({ ref }) => ref));
    const orders = wanted.filter(({ ref }) => !known.has(ref)).slice(0, MAX_FROZEN);
    await sql`insert into bonus_reconcile_freeze select unnest(${orders.map(({ ref }) => ref)}::text[])`.execute(tx);
    await this.#options.control.order(tx, orders);
    return orders;
  }

  #isActive(account: number): boolean {
    const { accounts } = this.#options.exchange.engine.state;
    return BONUS_STATES[accounts.bonusState(account)] === "active";
  }

  #orderOf({ account, ledger_micros, shadow_micros }: Mismatch): ControlOrder {
    const expires_ms = this.#options.exchange.engine.state.accounts.expires_ms(account);
    const reason = `reconciliation: pool ledger ${moneyText(ledger_micros)}, account ${moneyText(shadow_micros)} USDT`;
    const ref = reconcileRef(account, expires_ms, ledger_micros - shadow_micros);
    return { action: "freeze", account, reason, ref };
  }
}
