import {
  type Command,
  Engine,
  type EngineEvent,
  FIRST_MARKETS,
  GTC,
  IOC,
  ISOLATED,
  LIMIT,
  MARKET,
  NO_MARKET,
  PLAIN_ORDER,
  type PlaceOrder,
  SCOPE_BOTH,
  type Side,
  State,
} from "@bourse/engine";
import { fundEquity } from "../../../engine/src/risk/fund-equity.ts";
import { PriceTeller } from "./prices.ts";
import { Tally } from "./tally.ts";

export const USDT = 1_000_000;
/** A full hour, so that a run stays within one. */
const BEGIN_ms = 20_605 * 86_400_000;
/** BTC at 60,000, ETH at 3,000, SOL at 150, AVAX at 30. */
export const START_TICKS = [600_000, 300_000, 15_000, 30_000] as const;

/** An exchange of the four first markets, told what a server would tell it, and what happened there. */
export class CrashWorld {
  readonly engine: Engine;
  readonly tally: Tally;
  readonly #tellers: readonly PriceTeller[];
  #number = 0;
  time_ms = BEGIN_ms;

  constructor(rulesVersion: number, fund: number) {
    this.engine = new Engine(new State(rulesVersion));
    this.tally = new Tally(this.engine.state);
    for (const definition of FIRST_MARKETS) this.apply({ kind: "add_market", definition });
    this.#tellers = this.engine.state.markets.map((market) => new PriceTeller(market));
    for (const [market, ticks] of START_TICKS.entries()) this.price(market, [ticks, ticks, ticks]);
    this.apply({ kind: "seed_fund", number: this.#next(), amount_micros: fund * USDT });
    this.tally.begin();
  }

  get fund_micros(): number {
    return fundEquity(this.engine.state);
  }

  index(market: number): number {
    return this.engine.state.markets[market]!.indexTicks;
  }

  /** What so many USDT are in lots at the index; at least one. */
  lots(market: number, usdt: number): number {
    const { definition } = this.engine.state.markets[market]!;
    return Math.max(1, Math.floor((usdt * USDT) / (this.index(market) * definition.unit_micros)));
  }

  open(usdt: number): number {
    const account = this.engine.state.accounts.count + 1;
    this.apply({ kind: "open_account", account });
    if (usdt > 0) this.apply({ kind: "deposit", number: this.#next(), account, amount_micros: usdt * USDT });
    return account;
  }

  grant(account: number, usdt: number): void {
    const expires_ms = this.time_ms + 7 * 86_400_000;
    const amount = { amount_micros: usdt * USDT, maxLeverage: 10, expires_ms };
    this.apply({ kind: "grant_bonus", number: this.#next(), account, ...amount });
  }

  leverage(account: number, market: number, leverage: number): void {
    this.apply({ kind: "set_leverage", account, market, leverage });
  }

  isolate(account: number, market: number): void {
    this.apply({ kind: "set_margin_mode", account, market, mode: ISOLATED });
  }

  quote(account: number, market: number, side: Side, lots: number, ticks: number): void {
    this.#order(account, market, side, lots, { type: LIMIT, timeInForce: GTC, ticks });
  }

  take(account: number, market: number, side: Side, lots: number, ticks: number): void {
    this.#order(account, market, side, lots, { type: LIMIT, timeInForce: IOC, ticks });
  }

  enter(account: number, market: number, side: Side, lots: number): void {
    this.#order(account, market, side, lots, { type: MARKET, timeInForce: IOC, ticks: 0 });
  }

  cancelAll(account: number): void {
    this.apply({ kind: "cancel_all", account, market: NO_MARKET, scope: SCOPE_BOTH });
  }

  /** The sources' prices of a market, as the server's index and mark. */
  price(market: number, sources: readonly number[]): void {
    const teller = this.#tellers[market]!;
    const indexTicks = teller.index(sources);
    this.tally.priceComes(market, indexTicks);
    this.apply({ kind: "set_price", market, indexTicks, markTicks: teller.mark(indexTicks) });
  }

  /** In USDT, with open positions at the index and without gains that are held: what an account could leave with. */
  worth(account: number): number {
    const { accounts, positions, markets, fairness } = this.engine.state;
    let micros = accounts.principal(account) - fairness.heldOf(account);
    for (const market of markets) {
      const at = positions.find(account, market.number);
      const value = positions.lots(at) * market.indexTicks * market.definition.unit_micros;
      micros += positions.isolated(at) + value - positions.cost(at);
    }
    return micros / USDT;
  }

  apply(command: Untimed): readonly EngineEvent[] {
    this.time_ms += 1;
    this.engine.apply({ ...command, time_ms: this.time_ms } as Command);
    const events = this.engine.events.decode();
    this.tally.hear(events);
    return events;
  }

  #order(account: number, market: number, side: Side, lots: number, terms: Terms): void {
    this.apply({ ...PLAIN_ORDER, account, market, side, lots, ...terms });
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }
}

type Terms = Pick<PlaceOrder, "type" | "timeInForce" | "ticks">;
type Untimed = Command extends infer Each ? (Each extends unknown ? Omit<Each, "time_ms"> : never) : never;
