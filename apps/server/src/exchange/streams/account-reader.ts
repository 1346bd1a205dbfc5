import { CROSS, type Engine, NO_POSITION } from "@bourse/engine";
import type { BalanceFact, PositionFact } from "./private-facts.ts";

/** Reads an account's present balance and positions from the engine's memory. */
export class AccountReader {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The account's entries by number, in the order in which it first used the markets. */
  *symbolsOf(account: number): Generator<number> {
    const { accounts, positions } = this.#engine.state;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) yield at;
  }

  balance(account: number, time_ms: number): BalanceFact {
    const { margin, state } = this.#engine;
    const { accounts, positions } = state;
    let isolated_micros = 0;
    for (const position of this.symbolsOf(account)) isolated_micros += positions.isolated(position);
    const withdrawable_micros = margin.withdrawable(account);
    margin.computeAll(account);
    return {
      channel: "balances",
      kind: "balance",
      principal_micros: accounts.principal(account),
      bonus_micros: accounts.bonus(account),
      isolated_micros,
      inFlight_micros: accounts.inFlight(account),
      balance_micros: margin.balance_micros,
      unrealised_micros: margin.unrealised_micros,
      initial_micros: margin.initial_micros,
      maintenance_micros: margin.maintenance_micros,
      available_micros: margin.available_micros,
      withdrawable_micros,
      time_ms,
    };
  }

  position(position: number, time_ms: number): PositionFact {
    const { positions, markets } = this.#engine.state;
    const market = positions.market(position);
    return {
      channel: "positions",
      kind: "position",
      market,
      lots: positions.lots(position),
      cost_micros: positions.cost(position),
      markTicks: markets[market]!.markTicks,
      leverage: positions.leverage(position),
      isIsolated: positions.mode(position) !== CROSS,
      isolated_micros: positions.isolated(position),
      time_ms,
    };
  }
}
