import { fapiErrors, type HeldAmount, type Withdrawal, type WithdrawReply } from "@bourse/api";
import { REASONS, type Reason } from "@bourse/engine";
import type { Selectable } from "kysely";
import { AccountRefusal, engineRefusal } from "../exchange/index.ts";
import type { Plain } from "../kernel/database/plain-rows.ts";
import type { Refused } from "../kernel/engine-requests/answers.ts";
import { ApiError } from "../kernel/errors.ts";
import { unlessLate } from "../kernel/late.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { type Page, readPage, type TimedPageRequest } from "../kernel/pages.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { moneyText } from "../kernel/units.ts";
import type { WalletOptions } from "./deposits.ts";
import type { HeldMoney } from "./held-money.ts";
import type { WithdrawalHolds } from "./holds.ts";
import { holdRef, holdSecret } from "./projection.ts";
import type { Switches } from "./switches.ts";
import { type WalletTx, type WithdrawalTable, walletDb } from "./tables.ts";

export interface WithdrawalsOptions extends WalletOptions {
  readonly random: Random;
  readonly switches: Switches;
  readonly moneyOf: (account: number) => HeldMoney;
  readonly holds: Pick<WithdrawalHolds, "of">;
  /** Called when the engine holds an amount: it can be sent when the database contains that. */
  readonly onHeld: () => void;
}

export interface WithdrawalOrder {
  readonly address: string;
  readonly to: string;
  readonly amount_micros: number;
  readonly request_id: string | null;
}

type Row = Selectable<WithdrawalTable>;

/** `held` is an internal status; clients see it as requested. */
export const shownStatus = (status: Row["status"]) => (status === "held" ? "requested" : status);

export function withdrawalView(row: Row | Plain<Row>): Withdrawal {
  return {
    id: row.id,
    withdrawal_id: row.id,
    status: shownStatus(row.status),
    amount: moneyText(row.amount_micros),
    to: row.to_address,
    reason: row.reason,
    review_until: row.review_until?.getTime() ?? null,
    tx_hash: row.tx_hash,
    request_id: row.request_id,
    created_time: row.created_at.getTime(),
    updated_time: row.updated_at.getTime(),
  };
}

const pausedRefusal = () =>
  new AccountRefusal(503, "WITHDRAWALS_PAUSED", "withdrawals are paused", { status: "SERVICE_UNAVAILABLE" });

const isReason = (text: string): text is Reason => (REASONS as readonly string[]).includes(text);

/**
 * VLT-1: withdrawals. A request is one row and one command, written in one transaction. The engine decides and holds the amount at
 * once, and then the request is answered. `Payments` sends held amounts.
 */
export class Withdrawals {
  readonly #options: WithdrawalsOptions;

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  /** Throws while withdrawals are paused; checked before anything else. */
  async assertOpen(): Promise<void> {
    const { withdrawals_paused } = await this.#options.switches.read();
    if (withdrawals_paused) throw pausedRefusal();
  }

  async request(order: WithdrawalOrder): Promise<WithdrawReply> {
    const { database, engineRequests, directory } = this.#options;
    const account = directory.numberOf(order.address);
    const { row, isNew } = await walletDb(database)
      .transaction()
      .execute((tx) => this.#write(tx, account, order));
    if (row.status !== "requested") return this.#reply(row, isNew);
    const answer = await unlessLate(engineRequests.answer(holdRef(row.id)));
    if (answer === undefined) return this.#reply(await this.#read(row.id), isNew);
    if (answer.refused !== undefined) throw this.#refusal(answer.refused, row.account);
    this.#options.onHeld();
    return this.#reply({ ...row, status: "held" }, isNew);
  }

  /** The wallet's own withdrawals, by time. */
  page(cursors: PageCursors, address: string, request: TimedPageRequest): Promise<Page<Plain<Row>>> {
    return readPage(cursors, request, {
      name: ["withdrawals", address],
      order: { created_at: "timestamptz", id: "uuid" },
      select: () =>
        walletDb(this.#options.database).selectFrom("withdrawal").selectAll().where("address", "=", address),
    });
  }

  async #write(
    tx: WalletTx,
    account: number | undefined,
    { address, to, amount_micros, request_id }: WithdrawalOrder,
  ): Promise<{ row: Row; isNew: boolean }> {
    const { clock, random, engineRequests, switches } = this.#options;
    const { withdrawals_paused } = await switches.read(tx);
    if (withdrawals_paused) throw pausedRefusal();
    if (account === undefined) throw engineRefusal({ reason: "not_withdrawable", limit: 0, actual: amount_micros });
    const now = new Date(clock.now());
    const id = randomUuid(random);
    const inserted = await tx
      .insertInto("withdrawal")
      .values({
        id,
        account,
        address,
        to_address: to,
        amount_micros,
        request_id,
        status: "requested",
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.constraint("withdrawal_request").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted === undefined)
      return { row: await this.#earlier(tx, { address, to, amount_micros, request_id }), isNew: false };
    const secret = holdSecret(to, request_id);
    await engineRequests.tell(tx, holdRef(id), { kind: "hold_withdrawal", account, amount_micros }, { secret });
    return { row: inserted, isNew: true };
  }

  /** The earlier request with the same id; a different request under that id is refused. */
  async #earlier(tx: WalletTx, { address, to, amount_micros, request_id }: WithdrawalOrder): Promise<Row> {
    const row = await tx
      .selectFrom("withdrawal")
      .selectAll()
      .where("address", "=", address)
      .where("request_id", "=", request_id)
      .executeTakeFirstOrThrow();
    if (Number(row.amount_micros) === amount_micros && row.to_address === to) return row;
    throw new ApiError(409, "REQUEST_ID_CONFLICT", "the request_id was used for another withdrawal");
  }

  #read(id: string): Promise<Row> {
    const query = walletDb(this.#options.database).selectFrom("withdrawal").selectAll();
    return query.where("id", "=", id).executeTakeFirstOrThrow();
  }

  /** VLT-3, BON-7: says what is held of the account's money, where that may be why. */
  #refusal(refused: Refused, account: number): AccountRefusal {
    const refusal = engineRefusal(refused);
    if (refused.reason !== "not_withdrawable") return refusal;
    const { gains, owed_micros } = this.#options.moneyOf(account);
    const gains_micros = gains.reduce((sum, { amount_micros }) => sum + amount_micros, 0);
    if (gains_micros === 0 && owed_micros === 0) return refusal;
    const [held_gains, bonus_owed] = [moneyText(gains_micros), moneyText(owed_micros)];
    const texts = [
      ...(gains_micros === 0 ? [] : [`${held_gains} USDT gained from bonus accounts are held for 72 hours`]),
      ...(owed_micros === 0 ? [] : [`${bonus_owed} USDT are owed to the bonus pool`]),
    ];
    const details = { ...refusal.details, held_gains, bonus_owed };
    return new AccountRefusal(refusal.status, refusal.code, `${refusal.message}: ${texts.join(", ")}`, refusal.fields, {
      details,
    });
  }

  /** What of the wallet's money is held, why and until when. */
  async held(address: string): Promise<HeldAmount[]> {
    const { directory, moneyOf, holds } = this.#options;
    const account = directory.numberOf(address);
    if (account === undefined) return [];
    const { gains, owed_micros } = moneyOf(account);
    return [
      ...gains.map(({ amount_micros, until_ms }) => ({
        reason: "held_gains" as const,
        amount: moneyText(amount_micros),
        until: until_ms,
        longest_wait_ms: null,
      })),
      ...(owed_micros === 0
        ? []
        : [{ reason: "bonus_owed" as const, amount: moneyText(owed_micros), until: null, longest_wait_ms: null }]),
      ...(await holds.of(account)).map(({ reason, amount_micros, wait_ms, ends_at }) => ({
        reason,
        amount: moneyText(amount_micros),
        until: ends_at?.getTime() ?? null,
        longest_wait_ms: Number(wait_ms),
      })),
    ];
  }

  /** A refused request is refused again; one without an answer is reported as such. */
  #reply(row: Row, isNew: boolean): WithdrawReply {
    if (row.status === "requested") {
      const { status, code, msg } = fapiErrors.UNKNOWN_OUTCOME;
      const details = { withdrawal_id: row.id };
      throw new AccountRefusal(status, "OUTCOME_UNKNOWN", msg, { exchange_code: code }, { details });
    }
    if (row.status === "rejected" && row.tx_hash === null && row.reason !== null && isReason(row.reason)) {
      const refused: Refused = { reason: row.reason, limit: 0, actual: Number(row.amount_micros) };
      throw this.#refusal(refused, row.account);
    }
    return { ...withdrawalView(row), replayed: !isNew };
  }
}
