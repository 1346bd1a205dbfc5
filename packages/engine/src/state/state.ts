import { OrderIndex } from "../book/order-index.ts";
import { OrderPool } from "../book/order-pool.ts";
import { FUND_ACCOUNT } from "../contract/codes.ts";
import { REASON } from "../contract/reasons.ts";
import { NO_DIGEST } from "../digest.ts";
import { EventBuffer } from "../events/event-buffer.ts";
import { NEWEST_RULES, RULES_WITH_FAIR_MARKETS, RULES_WITH_ORDER_TERMS } from "../rules/version.ts";
import { Accounts } from "./accounts.ts";
import { Conditionals } from "./conditionals.ts";
import { Expiries } from "./expiries.ts";
import { Fairness } from "./fairness.ts";
import { FundHours } from "./fund-record.ts";
import type { MarketState } from "./market-state.ts";
import { OrderDetails } from "./order-details.ts";
import { Positions } from "./positions.ts";
import { WorkList } from "./work-list.ts";

/**
 * What came into and left the exchange (INV-1), and what belongs to no account. The former only grow, so they are
 * BigInt.
 */
export class Totals {
  deposits_micros = 0n;
  withdrawals_micros = 0n;
  payouts_micros = 0n;
  seeds_micros = 0n;
  granted_micros = 0n;
  returned_micros = 0n;
  /** A typed array, because every fill adds to it. */
  readonly #fees = new Float64Array(1);

  get feeAccount_micros(): number {
    return this.#fees[0]!;
  }

  set feeAccount_micros(micros: number) {
    this.#fees[0] = micros;
  }

  addFees(micros: number): void {
    this.#fees[0]! += micros;
  }
}

/** Everything that the engine remembers. The parts of the engine work on it and keep no state of their own. */
export class State {
  readonly events = new EventBuffer();
  readonly pool = new OrderPool();
  readonly index = new OrderIndex(this.pool);
  /** Engine time, in a typed array because every order reads it. */
  readonly #clock = new Float64Array(1);
  readonly details = new OrderDetails(this.pool, this.#clock);
  readonly accounts = new Accounts();
  readonly positions = new Positions(this.accounts);
  readonly conditionals = new Conditionals();
  /** Derived: the resting orders and waiting conditional orders that have an end. */
  readonly expiries = new Expiries();
  readonly markets: MarketState[] = [];
  readonly totals = new Totals();
  readonly fundHours = new FundHours();
  readonly fairness = new Fairness();
  /** Commands applied so far; also the number of the last one. */
  commandNumber = 0;
  /** The UTC day to which the volumes were rolled. */
  day = 0;
  /** The number of the last external command. */
  externalNumber = 0;
  /** LOG-1: over number and reference of each of them since the rules know references. */
  externalDigest = NO_DIGEST;
  /** The last number that the digest does not cover, because the rules did not know references yet. */
  referencesFrom = 0;
  /** LOG-5: the rules that the next command is applied by. */
  rulesVersion: number;
  /** Orders and conditional orders share it. */
  lastOrderId = 0;
  /** Accounts with a running bonus that the current command has touched, in the order of the first touch. */
  readonly touched = new WorkList<number>();
  /** Markets whose last or mark price the current command has set. */
  readonly moved = new WorkList<MarketState>();

  constructor(rulesVersion = NEWEST_RULES) {
    this.rulesVersion = rulesVersion;
  }

  /** Whether the rules of version 5 hold. */
  get isFair(): boolean {
    return this.rulesVersion >= RULES_WITH_FAIR_MARKETS;
  }

  /** Whether the rules of version 6 hold. */
  get hasOrderTerms(): boolean {
    return this.rulesVersion >= RULES_WITH_ORDER_TERMS;
  }

  /** Never goes back. */
  get time_ms(): number {
    return this.#clock[0]!;
  }

  set time_ms(time_ms: number) {
    this.#clock[0] = time_ms;
  }

  /** The limit and the actual value of the refusal that the current command is about to get. */
  readonly #refusal = new Float64Array(2);

  /** INV-1, right side: everything that came in and has not left. */
  get inside_micros(): number {
    const { totals } = this;
    const came = totals.deposits_micros + totals.seeds_micros + totals.granted_micros;
    return Number(came - totals.withdrawals_micros - totals.payouts_micros - totals.returned_micros);
  }

  get refusalLimit(): number {
    return this.#refusal[0]!;
  }

  get refusalActual(): number {
    return this.#refusal[1]!;
  }

  /** Returns the reason, for `return state.refuse(…)`; a command's handler returns 0 if the command was done. */
  refuse(reason: number, limit = 0, actual = 0): number {
    this.#refusal[0] = limit;
    // A value too large to be exact is shown as the largest safe integer.
    this.#refusal[1] = Math.min(actual, Number.MAX_SAFE_INTEGER);
    return reason;
  }

  /**
   * The last two of the checks that every command begins with, once its fields are valid: 0, or a reason. Commands
   * without account or market pass the fund's account or NO_MARKET.
   */
  checkNames(account: number, market: number): number {
    if (account !== FUND_ACCOUNT && account > this.accounts.count) return this.refuse(REASON.unknown_account);
    return market >= this.markets.length ? this.refuse(REASON.unknown_market) : 0;
  }
}
