import { Late } from "../../kernel/late.ts";
import { within } from "../../kernel/wait.ts";
import type { Applied } from "../host/exchange.ts";

/** The tables did not come far enough in time; nothing is wrong with what was asked. */
export class ProjectionTimeout extends Late {
  constructor(number: number, timeout_ms: number) {
    super(`history has not come to command ${number} within ${timeout_ms} ms`);
  }
}

/** Those who wait for the tables to have come to a command. */
export class ProjectionWaiters {
  readonly #waiters = new Map<PromiseWithResolvers<void>, number>();

  get count(): number {
    return this.#waiters.size;
  }

  wait(number: number, timeout_ms: number): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiters.set(waiter, number);
    const late = () => new ProjectionTimeout(number, timeout_ms);
    return within(waiter.promise, timeout_ms, late).finally(() => this.#waiters.delete(waiter));
  }

  reached(cursor: number): void {
    for (const [waiter, number] of this.#waiters) if (number <= cursor) waiter.resolve();
  }
}

const FIRST_CAPACITY = 1_024;

/** By account the last command with an event of that account. */
export class LastEvents {
  #numbers = new Float64Array(FIRST_CAPACITY);

  hear({ number, events }: Applied): void {
    for (let at = 0; at < events.length; at += 1) {
      const event = events[at]!;
      if ("account" in event) this.#set(event.account, number);
    }
  }

  of(account: number): number {
    return this.#numbers[account] ?? 0;
  }

  #set(account: number, number: number): void {
    if (account >= this.#numbers.length) {
      const grown = new Float64Array(Math.max(account + 1, this.#numbers.length * 2));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[account] = number;
  }
}
