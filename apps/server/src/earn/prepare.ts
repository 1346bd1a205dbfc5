import type { PreparedSubscription } from "@bourse/api";
import { MoneyError, parseUnits } from "@bourse/money";
import type { Address } from "viem";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { isBeingCancelled } from "./action-store.ts";
import { factsOf, lockProduct } from "./product-store.ts";
import { refusals } from "./refusals.ts";
import { putReservation, readRoom } from "./reservation-store.ts";
import { allowed, isInWindow } from "./rules.ts";
import { type EarnTx, earnDb } from "./tables.ts";
import type { SignedVoucher, VoucherSigner } from "./voucher-signer.ts";

/** Interface 8: a voucher is good for 30 minutes. */
export const VOUCHER_LIFE_s = 1_800;
/** Deadlines rise with each voucher; nobody gets one much longer than that by asking again and again. */
const MOST_DRIFT_s = 300;
const TOKEN_DECIMALS = 6;
/** Beyond what any product can take, and short enough to be read. */
const AMOUNT_RANGE = { min: 1n, max: 10n ** 90n };
const AMOUNT = /^\d+(\.\d{1,6})?$/;

export interface PrepareOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly signer: VoucherSigner;
  /** ERN-11. */
  readonly isPaused: boolean;
}

/** ERN-3: a positive amount in tokens, as text or as an exact number, in the token's smallest unit. */
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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

interface Wanted {
  readonly user: Address;
  readonly productId: string;
  readonly amount: bigint;
}

/** ERN-3 … ERN-6: hands out vouchers. One at a time for each product, so that the quota is never promised twice. */
export class Prepare {
  readonly #options: PrepareOptions;

  constructor(options: PrepareOptions) {
    this.#options = options;
  }

  /** ERN-11: said before anything is looked at. */
  assertOpen(): void {
    if (this.#options.isPaused) throw refusals.paused();
  }

  async prepare(user: Address, productId: string, amountValue: unknown): Promise<PreparedSubscription> {
    const amount = readTokenAmount(amountValue);
    if (!isUuid(productId)) throw refusals.productNotFound();
    const prepared = await earnDb(this.#options.database)
      .transaction()
      .execute((tx) => this.#reserve(tx, { user, productId: productId.toLowerCase(), amount }));
    return {
      chain_product_id: Number(prepared.chainProductId),
      amount: amount.toString(),
      deadline: prepared.deadline_s,
      signature: prepared.voucher.signature,
      contract_address: this.#options.signer.domain.verifyingContract,
      user_address: user,
    };
  }

  async #reserve(
    tx: EarnTx,
    { user, productId, amount }: Wanted,
  ): Promise<{ chainProductId: bigint; deadline_s: number; voucher: SignedVoucher }> {
    const { clock, signer } = this.#options;
    const product = await lockProduct(tx, productId);
    const chainProductId = product?.chainProductId;
    if (product === undefined || chainProductId === undefined) throw refusals.productNotFound();
    // Read after the lock: whoever waited for it judges by the time it is now.
    const now_s = Math.floor(clock.now() / 1_000);
    const isOpen = allowed[product.status].prepare && isInWindow(factsOf(product, now_s));
    if (!isOpen || (await isBeingCancelled(tx, productId))) throw refusals.subscriptionClosed();
    const { minAmount, maxAmountPerUser, totalQuota } = product.terms;
    if (amount < minAmount) throw refusals.amountTooLow(minAmount, amount);
    const room = await readRoom(tx, { productId, chainProductId, user, now_s });
    if (room.held + amount > maxAmountPerUser) throw refusals.amountTooHigh(maxAmountPerUser - room.held, amount);
    const free = totalQuota - room.subscribed - room.reservedByOthers;
    if (amount > free) throw refusals.quotaExceeded(free, amount);
    const deadline_s = nextDeadline(now_s, room.lastDeadline_s);
    const voucher = signer.sign({ user, productId: chainProductId, amount, deadline: BigInt(deadline_s) });
    await putReservation(tx, { productId, user, amount, deadline_s, digest: voucher.digest });
    return { chainProductId, deadline_s, voucher };
  }
}

/** ERN-6: later than any before, so that no two vouchers are the same. */
function nextDeadline(now_s: number, last_s: number): number {
  const usual_s = now_s + VOUCHER_LIFE_s;
  const next_s = Math.max(usual_s, last_s + 1);
  if (next_s > usual_s + MOST_DRIFT_s) throw refusals.tooManyVouchers(next_s - usual_s - MOST_DRIFT_s);
  return next_s;
}
