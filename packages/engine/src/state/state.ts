import { OrderIndex } from "../book/order-index.ts";
import { OrderPool } from "../book/order-pool.ts";
import { EventBuffer } from "../events/event-buffer.ts";
import { Accounts } from "./accounts.ts";
import { Conditionals } from "./conditionals.ts";
import type { MarketState } from "./market-state.ts";
import { OrderDetails } from "./order-details.ts";
import { Positions } from "./positions.ts";

/** What came in and went out over the edge of the exchange (INV-1), and what belongs to nobody's account. */
export interface Totals {
  deposits_micros: number;
  withdrawals_micros: number;
  payouts_micros: number;
  seeds_micros: number;
  granted_micros: number;
  returned_micros: number;
  feeAccount_micros: number;
}

/** Everything the engine remembers. It is handed to the parts that work on it; none of them keeps state of its own. */
export class State {
  readonly events = new EventBuffer();
  readonly pool = new OrderPool();
  readonly index = new OrderIndex(this.pool);
  readonly details = new OrderDetails(this.pool);
  readonly accounts = new Accounts();
  readonly positions = new Positions(this.accounts);
  readonly conditionals = new Conditionals();
  readonly markets: MarketState[] = [];
  readonly totals: Totals = {
    deposits_micros: 0,
    withdrawals_micros: 0,
    payouts_micros: 0,
    seeds_micros: 0,
    granted_micros: 0,
    returned_micros: 0,
    feeAccount_micros: 0,
  };
  /** Commands applied so far; also the number of the last one. */
  commandNumber = 0;
  time_ms = 0;
  /** The UTC day to which the volumes were rolled. */
  day = 0;
  /** The last number of the outside world's commands. */
  externalNumber = 0;
  /** Orders and conditional orders share it. */
  lastOrderId = 0;
  /** Accounts with a running bonus that the present command has touched, in the order of the first touch. */
  readonly touched: number[] = [];
  /** Markets whose last or mark price the present command has set. */
  readonly moved: MarketState[] = [];

  /** What was allowed and what was asked, by the refusal that a command is about to get. */
  readonly #refusal = new Float64Array(2);

  get refusalLimit(): number {
    return this.#refusal[0]!;
  }

  get refusalActual(): number {
    return this.#refusal[1]!;
  }

  /** Answers the reason, for `return state.refuse(…)`; whoever handles a command answers 0 when it was done. */
  refuse(reason: number, limit = 0, actual = 0): number {
    this.#refusal[0] = limit;
    this.#refusal[1] = actual;
    return reason;
  }

  /** The market of a number that may be anything. */
  marketOf(number: number): MarketState | undefined {
    return Number.isInteger(number) ? this.markets[number] : undefined;
  }
}
