import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { CountedReply, IncomingCall } from "../../kernel/http/fapi-call.ts";
import type { Budget, Limits } from "../../kernel/http/limits.ts";

const retryAfter_s = ({ windowLeft_ms }: Budget) => Math.max(1, Math.ceil(windowLeft_ms / 1000));

export interface OrderCountsOptions {
  readonly limits: Pick<Limits, "orders10s" | "orders1m" | "weight">;
  /** WIRE-1: limits do not apply to the platform's own bots. */
  readonly isUnlimited?: ((address: string) => boolean) | undefined;
}

interface Taken {
  readonly address: string;
  readonly orders: number;
  readonly tenSeconds: Budget;
  readonly minute: Budget;
}

/**
 * SEC-10: counts new and modified orders per account. Cancels do not count; reduce-only orders may use the reserved
 * fifth.
 */
export class OrderCounts {
  readonly #limits: OrderCountsOptions["limits"];
  readonly #isUnlimited: (address: string) => boolean;
  readonly #taken = new WeakMap<IncomingCall, Taken>();

  constructor({ limits, isUnlimited }: OrderCountsOptions) {
    this.#limits = limits;
    this.#isUnlimited = isUnlimited ?? (() => false);
  }

  /** Counts, then refuses above the limit; the reply has the counts in both cases. */
  async take(call: IncomingCall, reply: CountedReply, address: string, orders: number, isReserved: boolean) {
    const tenSeconds = await this.#limits.orders10s.take(address, orders, isReserved);
    const minute = await this.#limits.orders1m.take(address, orders, isReserved);
    this.#taken.set(call, { address, orders, tenSeconds, minute });
    reply.header("x-mbx-order-count-10s", tenSeconds.used);
    reply.header("x-mbx-order-count-1m", minute.used);
    if (this.#isUnlimited(address)) return;
    const over = tenSeconds.isWithin ? minute : tenSeconds;
    if (!over.isWithin) throw fapiRefusal("TOO_MANY_ORDERS", { retryAfter_s: retryAfter_s(over) });
  }

  /** Sends the counts without adding to them. */
  async show(reply: CountedReply, address: string): Promise<void> {
    reply.header("x-mbx-order-count-10s", (await this.#limits.orders10s.peek(address)).used);
    reply.header("x-mbx-order-count-1m", (await this.#limits.orders1m.peek(address)).used);
  }

  /** Undoes the counts of a call that got `Service Unavailable.`, both its orders and its weight. */
  async forgive(call: IncomingCall): Promise<void> {
    const { weighed, access } = call;
    if (weighed !== undefined) {
      await this.#limits.weight.giveBack(weighed.key, access?.weight ?? 1, weighed.budget.isFromReserve);
    }
    const taken = this.#taken.get(call);
    if (taken === undefined) return;
    const { address, orders, tenSeconds, minute } = taken;
    await this.#limits.orders10s.giveBack(address, orders, tenSeconds.isFromReserve);
    await this.#limits.orders1m.giveBack(address, orders, minute.isFromReserve);
  }
}
