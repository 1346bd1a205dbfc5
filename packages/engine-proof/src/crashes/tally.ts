import { BUY, type EngineEvent, FUND_ACCOUNT, type State } from "@bourse/engine";
import { fundEquity } from "../../../engine/src/risk/fund-equity.ts";

type Fill = Extract<EngineEvent, { kind: "fill" }>;

/** What happened in a run, from the events alone. Amounts in micros. */
export class Tally {
  readonly #state: State;
  /** Whose case is under way. */
  #inLiquidation = -1;
  liquidations = 0;
  /** What the liquidated got less than the index said, fees included. */
  liquidatedLost = 0;
  /** Accounts that were reduced although nothing was wrong with them, what of them, and the worst that one reduction cost. */
  readonly deleveraged = new Set<number>();
  deleveragedValue = 0;
  deleveragedWorst = 0;
  lowestFund = Number.POSITIVE_INFINITY;
  /** FUT-22: how far an outflow was above cap and what the index moved the fund's inventory in that command; 0: never. */
  outflowExcess = 0;
  capped = 0;
  readonly #attackers = new Set<number>();
  #moved = 0;

  constructor(state: State) {
    this.#state = state;
  }

  /** The exchange stands, and the fund has its seed. */
  begin(): void {
    this.lowestFund = fundEquity(this.#state);
  }

  /** Their losses are not those of honest people. */
  attackersAre(accounts: readonly number[]): void {
    for (const account of accounts) this.#attackers.add(account);
  }

  /** Before a price: what it will move the fund's position by. */
  priceComes(market: number, indexTicks: number): void {
    const { markets, positions } = this.#state;
    const { indexTicks: before, definition } = markets[market]!;
    const held = positions.lots(positions.find(FUND_ACCOUNT, market));
    this.#moved = Math.abs(held * (indexTicks - before) * definition.unit_micros);
  }

  hear(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.kind === "liquidation_started") {
        this.liquidations += 1;
        this.#inLiquidation = event.account;
      } else if (event.kind === "liquidation_ended") this.#inLiquidation = -1;
      else if (event.kind === "liquidation_fee_paid" && this.#isHonest(event.account)) {
        this.liquidatedLost += event.amount_micros;
      } else if (event.kind === "fill") this.#fill(event);
      else if (event.kind === "fund_capped" && event.market >= 0) this.#cap(event.outflow_micros - event.cap_micros);
    }
    this.lowestFund = Math.min(this.lowestFund, fundEquity(this.#state));
  }

  #cap(above: number): void {
    this.capped += 1;
    this.outflowExcess = Math.max(this.outflowExcess, above - this.#moved);
  }

  #fill({ account, market, side, ticks, lots, cause }: Fill): void {
    if (!this.#isHonest(account) || cause === "trade" || cause === "fund") return;
    const { indexTicks, definition } = this.#state.markets[market]!;
    const worse = side === BUY ? ticks - indexTicks : indexTicks - ticks;
    const lost = worse * lots * definition.unit_micros;
    if (account === this.#inLiquidation) this.liquidatedLost += lost;
    else if (cause === "adl") {
      this.deleveraged.add(account);
      this.deleveragedValue += ticks * lots * definition.unit_micros;
      this.deleveragedWorst = Math.max(this.deleveragedWorst, lost);
    }
  }

  #isHonest(account: number): boolean {
    return account !== FUND_ACCOUNT && !this.#attackers.has(account);
  }
}
