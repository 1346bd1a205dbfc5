/** Possible errors in the engine: a file, the right text in it, and the wrong text that replaces it. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "a fee is rounded down",
    file: "rules/fees.ts",
    right: "return ceilDiv(product, ONE_e8);",
    wrong: "return Math.floor(product / ONE_e8);",
  },
  {
    name: "the cost of a partial close is rounded the other way",
    file: "rules/position.ts",
    right: "mulDiv(cost_micros, closedLots, held, CEIL)",
    wrong: "mulDiv(cost_micros, closedLots, held, FLOOR)",
  },
  {
    name: "the initial margin is rounded down",
    file: "integers.ts",
    right: "return quotient * divisor === a ? quotient : quotient + 1;",
    wrong: "return quotient;",
  },
  {
    name: "funding favours the payer by part of a unit",
    file: "rules/funding.ts",
    right: "rate_e8, ONE_e8, CEIL)",
    wrong: "rate_e8, ONE_e8, TRUNC)",
  },
  {
    name: "a maker's hold is not released when it fills",
    file: "trading/matcher.ts",
    right: "orders.hold(maker, -lots);",
    wrong: "",
  },
  {
    name: "a cancelled order's hold is not released",
    file: "trading/open-orders.ts",
    right: "this.hold(slot, -this.#state.pool.remainingLots(slot));",
    wrong: "",
  },
  {
    name: "the maker's side is settled as the taker's",
    file: "trading/matcher.ts",
    right: "this.#settle(maker, ticks, lots, MAKER, TRADE, isSelfTrade);",
    wrong: "this.#settle(maker, ticks, lots, TAKER, TRADE, isSelfTrade);",
  },
  {
    name: "buys and sells are swapped in the signed lots",
    file: "trading/settlement.ts",
    right: "return side === BUY ? lots : -lots;",
    wrong: "return side === BUY ? -lots : lots;",
  },
  {
    name: "the open loss of a sell is forgotten",
    file: "trading/admission.ts",
    right: "side === BUY ? order - atMark : atMark - order",
    wrong: "side === BUY ? order - atMark : 0",
  },
  {
    name: "the oldest reduce-only order gives way first",
    file: "trading/open-orders.ts",
    right: "let slot = this.#newestReduceOnly(positions.lastOrder(position));",
    wrong: "let slot = positions.firstOrder(position);",
  },
  {
    name: "a bonus pays the odd unit of a cost",
    file: "rules/bonus.ts",
    right: "mulDiv(cost_micros, 1, 2, FLOOR)",
    wrong: "mulDiv(cost_micros, 1, 2, CEIL)",
  },
  {
    name: "liquidation stops at a ratio of 1 instead of 0.9",
    file: "rules/margin.ts",
    right: "return hasRatioReached(maintenance_micros, marginBalance_micros, 9, 10);",
    wrong: "return hasRatioReached(maintenance_micros, marginBalance_micros, 1, 1);",
  },
  {
    name: "deleveraging takes the least profitable first",
    file: "risk/deleveraging.ts",
    right: "b.score - a.score",
    wrong: "a.score - b.score",
  },
  {
    name: "the liquidation fee is taken before the rest is passed on",
    file: "risk/liquidation.ts",
    right: "    this.#passOn(market, position, step - filled, ticks);\n",
    wrong:
      "    if (filled > 0) this.#chargeFee(market, position, value_micros, principalBefore);\n    this.#passOn(market, position, step - filled, ticks);\n    if (filled > 0) return;\n",
  },
  {
    name: "a trailing stop follows the price the wrong way",
    file: "trading/triggers.ts",
    right: "isSell ? Math.max(best, price) : Math.min(best, price)",
    wrong: "isSell ? Math.min(best, price) : Math.max(best, price)",
  },
  {
    name: "an external command is applied a second time",
    file: "engine.ts",
    right: "if (number <= state.externalNumber)",
    wrong: "if (number < state.externalNumber)",
  },
  {
    name: "a follower's fills carry its own version of the terms",
    file: "state/accounts.ts",
    right: "(leader === OWN_TERMS ? account : leader) << 4",
    wrong: "account << 4",
  },
  {
    name: "a leader's leader is followed",
    file: "state/accounts.ts",
    right: "(leader === OWN_TERMS ? account : leader) << 4",
    wrong: "(leader === OWN_TERMS ? account : this.termsLeader(leader) || leader) << 4",
  },
  {
    name: "an account cannot go back to its own terms",
    file: "accounts/money-desk.ts",
    right: "if (problem !== DONE) return problem;\n    this.#state.accounts.setTermsLeader",
    wrong: "if (problem !== DONE || leader === account) return problem;\n    this.#state.accounts.setTermsLeader",
  },
];
