import { BONUS_STATES } from "@bourse/engine";
import { sql } from "kysely";
import { moneyText } from "../../exchange/units.ts";
import type { AuditEntry } from "../../kernel/audit/audit-log.ts";
import type { BonusControl, ControlOrder } from "../accounts/control.ts";
import { SYSTEM } from "../callers.ts";
import type { BonusOptions } from "../options.ts";
import type { BonusTx } from "../tables.ts";
import { type Books, type Mismatch, problemOf } from "./books.ts";

export interface EnforcementOptions extends Pick<BonusOptions, "clock" | "exchange" | "directory"> {
  readonly control: Pick<BonusControl, "order">;
}

/** What a reconciliation has decided, and what the audit log is to say of it. */
export interface Decided {
  readonly entries: readonly AuditEntry[];
  /** The names under which accounts are frozen. */
  readonly refs: readonly string[];
}

/** So many accounts are frozen by one run; those that are left by the next one. */
const MOST_FROZEN = 1_000;

/** BON-11: an account that does not add up is frozen, and no grants are made until the books agree again. */
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

  /** Each once for the same difference: an admin who has looked into it and unfreezes is not overruled. */
  async #freeze(tx: BonusTx, { mismatches }: Books): Promise<ControlOrder[]> {
    const wanted = mismatches.filter(({ account }) => this.#isActive(account)).map((one) => this.#orderOf(one));
    if (wanted.length === 0) return [];
    const { rows } = await sql<{ ref: string }>`
      select ref from outbox where ref = any(${wanted.map(({ ref }) => ref)}::text[])`.execute(tx);
    const known = new Set(rows.map(({ ref }) => ref));
    const orders = wanted.filter(({ ref }) => !known.has(ref)).slice(0, MOST_FROZEN);
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
    const ref = `bonus-reconcile:${account}:${expires_ms}:${ledger_micros - shadow_micros}`;
    return { action: "freeze", account, reason, ref };
  }
}
