import { Decimal } from "../../lib/decimal.ts";

const MICRO_DIGITS = 6;

/** What can be said without the exchange: before signing in, and of orders that wait for a trigger. */
export interface Estimate {
  readonly notional: string;
  /** FUT-9: notional / leverage, rounded up. */
  readonly margin: string;
  /** FUT-15: rounded up, as taker. */
  readonly fee: string;
}

export function estimateOf(notional: Decimal, leverage: number, takerRate: Decimal): Estimate | undefined {
  if (notional.isZero()) return undefined;
  return {
    notional: notional.toString(),
    margin: notional.div(Decimal.parse(String(leverage)), MICRO_DIGITS, "ceil").toString(),
    fee: notional.mul(takerRate).round(MICRO_DIGITS, "ceil").toString(),
  };
}
