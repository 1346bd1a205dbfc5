import { BONUS_STATES, conditionalsOf, type Engine, openOrdersOf } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import { moneyText } from "../../kernel/units.ts";
import type { TrackedOrders } from "../market-data/tracked-orders.ts";
import type { AccountReader } from "./account-reader.ts";
import { ownView } from "./own-views.ts";
import type { PrivateEvents } from "./private-events.ts";
import type { BalanceFact, PrivateChannel, ShownFact } from "./private-facts.ts";

export interface PrivateViewsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly orders: TrackedOrders;
  readonly reader: AccountReader;
  readonly events: PrivateEvents;
  readonly numberOf: (address: string) => number | undefined;
}

const NOTHING: Omit<BalanceFact, "time_ms"> = {
  channel: "balances",
  kind: "balance",
  principal_micros: 0,
  bonus_micros: 0,
  isolated_micros: 0,
  inFlight_micros: 0,
  balance_micros: 0,
  unrealised_micros: 0,
  initial_micros: 0,
  maintenance_micros: 0,
  available_micros: 0,
  withdrawable_micros: 0,
};

/** The first message of a private channel: the present state, from memory. A wallet without an account gets zeros. */
export class PrivateViews {
  readonly #options: PrivateViewsOptions;

  constructor(options: PrivateViewsOptions) {
    this.#options = options;
  }

  /** The number of the last event that the present state includes. */
  lastSeq(address: string): number {
    const account = this.#options.numberOf(address);
    return account === undefined ? 0 : this.#options.events.lastSeq(account);
  }

  snapshot(channel: PrivateChannel, address: string): unknown {
    const account = this.#options.numberOf(address);
    const { reader, engine, clock } = this.#options;
    const { markets } = engine.state;
    const time_ms = clock.now();
    switch (channel) {
      case "balances":
        return ownView(account === undefined ? { ...NOTHING, time_ms } : reader.balance(account, time_ms), markets);
      case "orders":
        return account === undefined ? [] : this.#openOrders(account, time_ms);
      case "positions":
        if (account === undefined) return [];
        return [...reader.symbolsOf(account)]
          .map((position) => reader.position(position, time_ms))
          .filter(({ lots }) => lots !== 0)
          .map((fact) => ownView(fact, markets));
      case "vip_tier":
        return this.#tier(account ?? 0);
      case "bonus":
        return this.#bonus(account ?? 0, time_ms);
      case "adl":
        return [];
    }
  }

  #openOrders(account: number, time_ms: number): unknown[] {
    const { engine, orders } = this.#options;
    const { state } = engine;
    const open = openOrdersOf(state, account).flatMap(({ id }) => orders.order(id) ?? []);
    const waiting = conditionalsOf(state, account).flatMap(({ id }) => orders.conditional(id) ?? []);
    const common = { channel: "orders", execution: "NEW", fill: undefined, time_ms } as const;
    const facts: ShownFact[] = [
      ...open.map((order) => ({ ...common, kind: "order", order }) as const),
      ...waiting.map((order) => ({ ...common, kind: "conditional", order }) as const),
    ];
    return facts.map((fact) => ownView(fact, state.markets));
  }

  #tier(account: number) {
    const { accounts } = this.#options.engine.state;
    return { tier: accounts.tier(account), volume_14d: moneyText(accounts.volume14d(account)) };
  }

  #bonus(account: number, time_ms: number) {
    const { accounts, markets } = this.#options.engine.state;
    const fact = {
      channel: "bonus",
      kind: "bonus",
      line: undefined,
      amount_micros: 0,
      state: BONUS_STATES[accounts.bonusState(account)]!,
      bonus_micros: accounts.bonus(account),
      locked_micros: accounts.locked(account),
      consumed_micros: accounts.consumed(account),
      expires_ms: accounts.expires_ms(account),
      time_ms,
    } as const;
    return ownView(fact, markets);
  }
}
