import type { PreparedSubscription } from "@bourse/api";
import { MoneyError, parseUnits } from "@bourse/money";
import type { Address } from "viem";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { isUuid } from "../kernel/uuid.ts";
import { isBeingCancelled } from "./action-store.ts";
import type { Cover } from "./cover.ts";
import { factsOf, lockProduct } from "./product-store.ts";
import { refusals } from "./refusals.ts";
import { type OtherReservation, putReservation, readRoom, reservationsOfOthers } from "./reservation-store.ts";
import { allowed, isInWindow } from "./rules.ts";
import { type EarnTx, earnDb } from "./tables.ts";
import type { SignedVoucher, VoucherSigner } from "./voucher-signer.ts";

/** Interface 8: a voucher is valid for 30 minutes. */
export const VOUCHER_LIFE_s = 1_800;
/** Deadlines rise with each voucher; repeated requests extend them by at most this much. */
const MAX_DRIFT_s = 300;
const TOKEN_DECIMALS = 6;
/** More than any product can take, and short enough to parse. */
const AMOUNT_RANGE = { min: 1n, max: 10n ** 90n };
const AMOUNT = /^\d+(\.\d{1,6})?$/;

export interface PrepareOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly signer: VoucherSigner;
  readonly cover: Pick<Cover, "uncovered">;
  /** ERN-11. */
  readonly isPaused: boolean;
}

/** ERN-3: parses a positive amount of tokens, from text or an exact number, into the token's smallest unit. */
export function readTokenAmount(value: unknown): bigint {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !AMOUNT.test(text)) throw refusals.invalidAmount();
  try {
    return parseUnits(text, TOKEN_DECIMALS, { range: AMOUNT_RANGE });
  } catch (error) {
    if (error instanceof MoneyError) throw refusals.invalidAmount();
    throw error;
  }
}

interface Wanted {
  readonly user: Address;
  readonly productId: string;
  readonly amount: bigint;
}

interface Prepared {
  readonly chainProductId: bigint;
  readonly deadline_s: number;
  readonly voucher: SignedVoucher;
}

/** Only reservations of others are in the way. */
interface Crowded {
  readonly free: bigint;
  readonly others: readonly OtherReservation[];
}

/** ERN-3 … ERN-6: issues vouchers, one at a time per product, so that the quota is never promised twice. */
export class Prepare {
  readonly #options: PrepareOptions;

  constructor(options: PrepareOptions) {
    this.#options = options;
  }

  /** ERN-11: checked before anything else. */
  assertOpen(): void {
    if (this.#options.isPaused) throw refusals.paused();
  }

  async prepare(user: Address, productId: string, amountValue: unknown): Promise<PreparedSubscription> {
    const amount = readTokenAmount(amountValue);
    if (!isUuid(productId)) throw refusals.productNotFound();
    const wanted = { user, productId: productId.toLowerCase(), amount };
    const first = await this.#tryReserve(wanted, []);
    // The chain is asked outside the transaction, and only where somebody would be refused for reservations of others.
    const prepared = "voucher" in first ? first : await this.#reserveBeside(wanted, first.others);
    return {
      chain_product_id: Number(prepared.chainProductId),
      amount: amount.toString(),
      deadline: prepared.deadline_s,
      signature: prepared.voucher.signature,
      contract_address: this.#options.signer.domain.verifyingContract,
      user_address: user,
    };
  }

  #tryReserve(wanted: Wanted, uncovered: readonly string[]): Promise<Prepared | Crowded> {
    return earnDb(this.#options.database)
      .transaction()
      .execute((tx) => this.#reserve(tx, wanted, uncovered));
  }

  /** ERN-4: tries once more, without the reservations that nothing stands behind. */
  async #reserveBeside(wanted: Wanted, others: readonly OtherReservation[]): Promise<Prepared> {
    const uncovered = await this.#options.cover.uncovered(others);
    const second = await this.#tryReserve(wanted, uncovered);
    if ("voucher" in second) return second;
    throw refusals.quotaExceeded(second.free, wanted.amount);
  }

  async #reserve(
    tx: EarnTx,
    { user, productId, amount }: Wanted,
    uncovered: readonly string[],
  ): Promise<Prepared | Crowded> {
    const { clock, signer } = this.#options;
    const product = await lockProduct(tx, productId);
    const chainProductId = product?.chainProductId;
    if (product === undefined || chainProductId === undefined) throw refusals.productNotFound();
    // Read after the lock: a request that waited is judged by the current time.
    const now_s = Math.floor(clock.now() / 1_000);
    const isOpen = allowed[product.status].prepare && isInWindow(factsOf(product, now_s));
    if (!isOpen || (await isBeingCancelled(tx, productId))) throw refusals.subscriptionClosed();
    const { minAmount, maxAmountPerUser, totalQuota } = product.terms;
    if (amount < minAmount) throw refusals.amountTooLow(minAmount, amount);
    const room = await readRoom(tx, { productId, chainProductId, user, now_s, uncovered });
    if (room.held + amount > maxAmountPerUser) throw refusals.amountTooHigh(maxAmountPerUser - room.held, amount);
    const unsold = totalQuota - room.subscribed;
    const free = unsold - room.reservedByOthers;
    if (amount > unsold) throw refusals.quotaExceeded(free, amount);
    if (amount > free) return { free, others: await reservationsOfOthers(tx, { productId, user, now_s }) };
    const deadline_s = nextDeadline(now_s, room.lastDeadline_s);
    const voucher = signer.sign({ user, productId: chainProductId, amount, deadline: BigInt(deadline_s) });
    await putReservation(tx, { productId, user, amount, deadline_s, digest: voucher.digest, reserved_s: now_s });
    return { chainProductId, deadline_s, voucher };
  }
}

/** ERN-6: later than any earlier deadline, so that no two vouchers are the same. */
function nextDeadline(now_s: number, last_s: number): number {
  const usual_s = now_s + VOUCHER_LIFE_s;
  const next_s = Math.max(usual_s, last_s + 1);
  if (next_s > usual_s + MAX_DRIFT_s) throw refusals.tooManyVouchers(next_s - usual_s - MAX_DRIFT_s);
  return next_s;
}
