import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { HeldMoney } from "./held-money.ts";
import { type HoldReason, type WalletTables, type WalletTx, walletDb } from "./tables.ts";
import { withdrawalStates } from "./withdrawal-states.ts";

/** An amount of an account that does not leave without a review. */
export interface NewHold {
  readonly ref: string;
  readonly account: number;
  readonly amount_micros: bigint;
  readonly note: string;
}

/** What all holds of a kind have in common. */
export interface HoldTerms {
  readonly reason: HoldReason;
  readonly wait_ms: number;
  readonly set_at: Date;
  readonly ends_at: Date | null;
}

/** A held withdrawal that is about to be sent. */
export interface HeldWithdrawal {
  readonly id: string;
  readonly account: number;
  readonly created_at: Date;
  readonly reviewed_at: Date | null;
}

export interface WithdrawalHoldsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly moneyOf: (account: number) => Pick<HeldMoney, "free_micros">;
}

const inTx = (tx: Tx): WalletTx => tx.$extendTables<WalletTables>() as WalletTx;

/** Sets holds; one that there is gets the new amount. */
export async function setHolds(tx: Tx, holds: readonly NewHold[], terms: HoldTerms): Promise<void> {
  if (holds.length === 0) return;
  const { reason, wait_ms, set_at, ends_at } = terms;
  await sql`
    insert into withdrawal_hold (ref, account, reason, amount_micros, wait_ms, note, set_at, ends_at)
    select ref, account, ${reason}, amount, ${wait_ms}::bigint, note, ${set_at}::timestamptz, ${ends_at}::timestamptz
    from unnest(${holds.map(({ ref }) => ref)}::text[], ${holds.map(({ account }) => account)}::int[],
      ${holds.map(({ amount_micros }) => amount_micros)}::bigint[], ${holds.map(({ note }) => note)}::text[])
      as one (ref, account, amount, note)
    on conflict (ref) do update set amount_micros = excluded.amount_micros, note = excluded.note`.execute(tx);
}

/** Sets these holds and ends all others of the kind, whose cause is gone. */
export async function replaceHolds(tx: Tx, holds: readonly NewHold[], terms: HoldTerms): Promise<void> {
  await setHolds(tx, holds, terms);
  await inTx(tx)
    .deleteFrom("withdrawal_hold")
    .where("reason", "=", terms.reason)
    .where(sql<boolean>`not ref = any(${holds.map(({ ref }) => ref)}::text[])`)
    .execute();
}

/**
 * BON-12, VLT-4: whether a withdrawal has to wait. It is asked before each payment is sent, so a hold that is set after the request
 * still counts, and however a withdrawal is divided, the held amount stays behind: in the account, or in withdrawals that wait.
 */
export class WithdrawalHolds {
  readonly #options: WithdrawalHoldsOptions;

  constructor(options: WithdrawalHoldsOptions) {
    this.#options = options;
  }

  /** Puts the withdrawal into review if it touches a hold; returns whether it waits. */
  async judge({ id, account, created_at, reviewed_at }: HeldWithdrawal): Promise<boolean> {
    if (reviewed_at !== null) return false;
    const { database, clock, moneyOf } = this.#options;
    const now = new Date(clock.now());
    const isHeld = await walletDb(database)
      .selectFrom("withdrawal_hold")
      .select("ref")
      .where("account", "=", account)
      .where((is) => is.or([is("ends_at", "is", null), is("ends_at", ">", now)]))
      .limit(1)
      .executeTakeFirst();
    if (isHeld === undefined) return false;
    const { free_micros } = moneyOf(account);
    const status = withdrawalStates.next("held", "touched");
    const { numAffectedRows = 0n } = await sql`
      with hold as (
        select sum(amount_micros) as amount, min(set_at) as set_at, string_agg(distinct reason, ', ') as reason,
          max(least(${now}::timestamptz + wait_ms * interval '1 millisecond', ends_at)) as until
        from withdrawal_hold where account = ${account}::int and (ends_at is null or ends_at > ${now}::timestamptz)
      ), passed as (
        select coalesce(sum(amount_micros), 0) as amount from withdrawal
        where account = ${account}::int and reviewed_at >= (select set_at from hold)
          and status in ('held', 'sent', 'confirmed')
      ), waiting as (
        select coalesce(sum(amount_micros), 0) as amount from withdrawal
        where account = ${account}::int and status = 'in_review'
      ), later as (
        select coalesce(sum(amount_micros), 0) as amount from withdrawal
        where account = ${account}::int and status = 'held' and reviewed_at is null
          and (created_at, id) > (${created_at}::timestamptz, ${id}::uuid)
      )
      update withdrawal set status = ${status}, reason = hold.reason, review_until = hold.until, updated_at = ${now}::timestamptz
      from hold, passed, waiting, later
      where withdrawal.id = ${id}::uuid and withdrawal.status = 'held' and hold.amount is not null
        and ${BigInt(free_micros)}::bigint + later.amount < hold.amount - passed.amount - waiting.amount`.execute(
      database.db,
    );
    return numAffectedRows > 0n;
  }

  /** Lets go what has waited long enough; returns how many. */
  async releaseDue(): Promise<number> {
    const now = new Date(this.#options.clock.now());
    const released = await walletDb(this.#options.database)
      .updateTable("withdrawal")
      .set({ status: withdrawalStates.next("in_review", "released"), ...reviewed(now) })
      .where("status", "=", "in_review")
      .where("review_until", "<=", now)
      .executeTakeFirst();
    return Number(released.numUpdatedRows);
  }

  /** The holds of an account that have not ended. */
  async of(account: number) {
    const now = new Date(this.#options.clock.now());
    return await walletDb(this.#options.database)
      .selectFrom("withdrawal_hold")
      .select(["reason", "amount_micros", "wait_ms", "ends_at"])
      .where("account", "=", account)
      .where((is) => is.or([is("ends_at", "is", null), is("ends_at", ">", now)]))
      .orderBy("set_at")
      .orderBy("ref")
      .execute();
  }
}

/** The columns of a withdrawal that has left its review. */
export const reviewed = (now: Date) => ({ reason: null, review_until: null, reviewed_at: now, updated_at: now });
