import type { EngineEvent } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { Exchange } from "../host/exchange.ts";

/** Events that change an account, and its position if they name a market. */
const CHANGES: ReadonlySet<EngineEvent["kind"]> = new Set<EngineEvent["kind"]>([
  "fill",
  "funding_paid",
  "liquidation_fee_paid",
  "isolated_margin_moved",
  "leverage_set",
  "margin_mode_set",
  "deposited",
  "withdrawal_held",
  "withdrawal_settled",
  "bonus_line",
]);

/**
 * When balances and positions last changed, for `updateTime`. The engine does not need these times, so they are kept
 * here, in memory only: what has not changed since the start has the time of the start.
 */
export class UpdateTimes {
  readonly #started_ms: number;
  readonly #accounts = new Map<number, number>();
  readonly #positions = new Map<number, Map<number, number>>();

  constructor(exchange: Pick<Exchange, "listen">, clock: Clock) {
    this.#started_ms = clock.now();
    exchange.listen(({ events, time_ms }) => {
      for (const event of events) if (CHANGES.has(event.kind)) this.#note(event as Changed, time_ms);
    });
  }

  ofAccount(account: number): number {
    return this.#accounts.get(account) ?? this.#started_ms;
  }

  ofPosition(account: number, market: number): number {
    return this.#positions.get(account)?.get(market) ?? this.#started_ms;
  }

  #note({ account, market }: Changed, time_ms: number): void {
    this.#accounts.set(account, time_ms);
    if (market === undefined) return;
    const own = this.#positions.get(account);
    if (own === undefined) this.#positions.set(account, new Map([[market, time_ms]]));
    else own.set(market, time_ms);
  }
}

interface Changed {
  readonly account: number;
  readonly market?: number;
}
