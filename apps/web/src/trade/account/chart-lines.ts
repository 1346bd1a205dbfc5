import { useMemo } from "react";
import { Decimal } from "../../lib/decimal.ts";
import { formatDecimal, formatMoney } from "../../lib/format.ts";
import type { ChartLine } from "../chart-line.ts";
import { useMarket, useMarkPrice } from "../market/market-data.ts";
import { textOnStep } from "../ticket/steps.ts";
import { type Position, pnlAt } from "./margin.ts";
import { moveOrder, moveTrigger } from "./moves.tsx";
import { type OpenOrder, type OwnOrders, remainingOf, type WaitingOrder } from "./orders-model.ts";
import { useOwnOrders, useUnifiedAccount } from "./queries.ts";
import { useAccountFeed } from "./state.ts";
import { isMovable, roleOf } from "./triggers.ts";

const NONE: readonly ChartLine[] = [];
const NAMES = { take_profit: "TP", stop_loss: "SL", trailing: "Trail" } as const;

/** Prices between ticks (entry, liquidation) are drawn on the nearest one. */
const onTick = (price: string, tick: string) => textOnStep(Decimal.parse(price), tick, "halfUp");

export function positionLines(position: Position, mark: string, tick: string): readonly ChartLine[] {
  const pnl = formatMoney(pnlAt(position, mark).toString(), { signed: true });
  const isLong = position.side === "LONG";
  const entry: ChartLine = {
    id: "position",
    kind: "position",
    price: onTick(position.entry_price, tick),
    title: `${isLong ? "Long" : "Short"} ${formatDecimal(position.quantity)} · ${pnl}`,
    tone: isLong ? "up" : "down",
  };
  if (position.liquidation_price === null) return [entry];
  const price = onTick(position.liquidation_price, tick);
  return [entry, { id: "liquidation", kind: "liquidation", price, title: "Liquidation", tone: "warn" }];
}

const orderLine = (order: OpenOrder): ChartLine => ({
  id: `order-${order.id}`,
  kind: "order",
  price: order.price,
  title: `${order.side === "BUY" ? "Buy" : "Sell"} ${formatDecimal(remainingOf(order).toString())}`,
  tone: order.side === "BUY" ? "up" : "down",
  onDrop: (price) => price !== order.price && void moveOrder(order, price, order.quantity),
});

function triggerLine(order: WaitingOrder, open: readonly OpenOrder[]): readonly ChartLine[] {
  const price = order.stop_price ?? order.activate_price;
  if (price === undefined) return [];
  const size = order.quantity === undefined ? "" : ` ${formatDecimal(order.quantity)}`;
  const name =
    order.reduce_only || order.close_position ? NAMES[roleOf(order)] : order.side === "BUY" ? "Stop buy" : "Stop sell";
  const line = { id: `trigger-${order.id}`, kind: "trigger", price, title: name + size, tone: "accent" } as const;
  const onDrop = (to: string) => to !== order.stop_price && void moveTrigger(order, to);
  return [isMovable(order, open) ? { ...line, onDrop } : line];
}

export function orderLines(symbol: string, { open, waiting }: OwnOrders): readonly ChartLine[] {
  const ofMarket = <T extends { readonly symbol: string }>(orders: readonly T[]) =>
    orders.filter((order) => order.symbol === symbol);
  return [...ofMarket(open).map(orderLine), ...ofMarket(waiting).flatMap((order) => triggerLine(order, open))];
}

/** The wallet's positions and orders of this market as lines of the chart. */
export function useChartLines(symbol: string): readonly ChartLine[] {
  useAccountFeed();
  const { data: account } = useUnifiedAccount();
  const { data: orders } = useOwnOrders();
  const mark = useMarkPrice(symbol);
  const tick = useMarket(symbol)?.tick_size;
  const position = account?.positions.find((held) => held.symbol === symbol);
  const held = useMemo(
    () =>
      position === undefined || tick === undefined ? NONE : positionLines(position, mark ?? position.mark_price, tick),
    [position, mark, tick],
  );
  const ordered = useMemo(() => (orders === undefined ? NONE : orderLines(symbol, orders)), [orders, symbol]);
  return useMemo(() => (held.length + ordered.length === 0 ? NONE : [...held, ...ordered]), [held, ordered]);
}
