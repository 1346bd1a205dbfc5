import type { OrderEvent } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { formatDecimal, formatMoney } from "../../lib/format.ts";

/** Fills of one market, side and cause, added up. */
export interface FillSum {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly cause: string;
  readonly count: number;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fee: Decimal;
  readonly realized_pnl: Decimal;
  /** Of a single price, to know how many decimals the average may show. */
  readonly price: string;
}

const keyOf = ({ symbol, side }: { symbol: string; side: string }, cause: string) => `${symbol} ${side} ${cause}`;

/** One more fill. Events without a trade change nothing. */
export function addFill(sums: ReadonlyMap<string, FillSum>, event: OrderEvent): ReadonlyMap<string, FillSum> {
  const { trade, symbol, side } = event;
  if (trade === null) return sums;
  const key = keyOf(event, trade.cause);
  const before = sums.get(key);
  const quantity = Decimal.parse(trade.quantity);
  const next: FillSum = {
    symbol,
    side,
    cause: trade.cause,
    count: (before?.count ?? 0) + 1,
    quantity: quantity.add(before?.quantity ?? Decimal.ZERO),
    value: quantity.mul(Decimal.parse(trade.price)).add(before?.value ?? Decimal.ZERO),
    fee: Decimal.parse(trade.fee).add(before?.fee ?? Decimal.ZERO),
    realized_pnl: Decimal.parse(trade.realized_pnl).add(before?.realized_pnl ?? Decimal.ZERO),
    price: trade.price,
  };
  return new Map([...sums, [key, next]]);
}

/** BTC of BTCUSDT: everything here is quoted in USDT. */
export const baseOf = (symbol: string): string => symbol.replace(/USDT$/, "");

const VERBS: Readonly<Record<string, readonly [bought: string, sold: string]>> = {
  trade: ["Bought", "Sold"],
  bonus_expiry: ["The bonus has ended: bought", "The bonus has ended: sold"],
  liquidation: ["Liquidated: bought back", "Liquidated: sold"],
  takeover: ["Liquidated: the insurance fund took", "Liquidated: the insurance fund took"],
  adl: ["Deleveraged: bought back", "Deleveraged: sold"],
};

export const isForced = ({ cause }: FillSum): boolean => cause !== "trade";

/** "Bought 0.25 BTC at 60,012.3", and what it cost. */
export function fillWords(sum: FillSum): { readonly title: string; readonly detail: string } {
  const [bought, sold] = VERBS[sum.cause] ?? ["Bought", "Sold"];
  const decimals = sum.price.split(".")[1]?.length ?? 0;
  const average = sum.value.div(sum.quantity, decimals, "halfUp").toString();
  const title = `${sum.side === "BUY" ? bought : sold} ${formatDecimal(sum.quantity.toString())} ${baseOf(sum.symbol)} at ${formatDecimal(average, { decimals })}`;
  const parts = [
    `Fee ${formatMoney(sum.fee.toString(), { rounding: "ceil" })} USDT`,
    ...(sum.realized_pnl.isZero()
      ? []
      : [`realised ${formatMoney(sum.realized_pnl.toString(), { signed: true })} USDT`]),
    ...(sum.count === 1 ? [] : [`${sum.count} fills`]),
  ];
  return { title, detail: parts.join(" · ") };
}
