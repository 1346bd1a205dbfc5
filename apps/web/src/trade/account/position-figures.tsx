import { Button } from "../../kit/button.tsx";
import { Num, Percent, Signed } from "../../kit/number.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { percentOf } from "../../lib/format.ts";
import { ticketIntent } from "../intents.ts";
import { type Market, useMarket, useMarkPrice } from "../market/market-data.ts";
import { isolatedRatio, magnitude, maintenanceMargin, type Position, pnlAt, returnOnMargin } from "./margin.ts";
import type { WaitingOrder } from "./orders-model.ts";
import { roleOf, triggersOf } from "./triggers.ts";
import { asWritten } from "./words.ts";

/* The figures of a position. Each follows the mark price separately. */

/** The market's rules beside the position, once known. */
function useLive(position: Position): { readonly market: Market | undefined; readonly mark: string } {
  const market = useMarket(position.symbol);
  return { market, mark: useMarkPrice(position.symbol) ?? position.mark_price };
}

export function Price({ symbol, value }: { readonly symbol: string; readonly value: string | null }) {
  const market = useMarket(symbol);
  if (market === undefined) return <Num value={value} />;
  return <Num value={value} decimals={market.price_decimals} rounding="halfUp" />;
}

export function Mark({ position }: { readonly position: Position }) {
  return <Price symbol={position.symbol} value={useLive(position).mark} />;
}

export function Pnl({ position }: { readonly position: Position }) {
  const pnl = pnlAt(position, useLive(position).mark);
  const roe = returnOnMargin(pnl, position);
  const tone = pnl.isZero() ? "text-muted" : pnl.isNegative() ? "text-down" : "text-up";
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Signed value={pnl.toString()} />
      {roe !== undefined && (
        <span className={`num text-xs ${tone}`} title="Return on the margin it was opened with">
          {percentOf(roe)} %
        </span>
      )}
    </span>
  );
}

/** FUT-9: what the position itself holds; open orders hold more. */
const marginOf = (notional: Decimal, leverage: number): string =>
  notional.div(Decimal.parse(String(leverage)), 6, "ceil").toString();

export function Margin({ position, crossRatio }: { readonly position: Position; readonly crossRatio: string }) {
  const { market, mark } = useLive(position);
  const isIsolated = position.margin_mode === "isolated";
  const notional = magnitude(Decimal.parse(position.quantity).mul(Decimal.parse(mark)));
  const ratio =
    isIsolated && market !== undefined
      ? isolatedRatio(position, pnlAt(position, mark), maintenanceMargin(market.brackets, notional))
      : crossRatio;
  return (
    <span
      className="inline-flex items-baseline gap-1.5"
      title="Margin, and maintenance margin as a part of the margin balance"
    >
      <Num value={isIsolated ? position.isolated_margin : marginOf(notional, position.leverage)} decimals={2} />
      <span className="text-xs text-faint">
        <Percent fraction={ratio} decimals={1} />
      </span>
    </span>
  );
}

export function Size({ position, isShown }: { readonly position: Position; readonly isShown: boolean }) {
  const size = magnitude(Decimal.parse(position.quantity)).toString();
  const tone = position.side === "LONG" ? "text-up" : "text-down";
  const figure = <span className={`num ${tone}`}>{asWritten(position.quantity)}</span>;
  if (!isShown) return figure;
  const take = () =>
    ticketIntent.set({
      side: position.side === "LONG" ? "SELL" : "BUY",
      quantity: size,
      isReduceOnly: true,
      takesFocus: true,
    });
  return (
    <button type="button" onClick={take} title="Close it with the order form" className="hover:underline">
      {figure}
    </button>
  );
}

const SHORT_NAMES = { take_profit: "TP", stop_loss: "SL", trailing: "Trail" } as const;

export function Triggers({ position, waiting, onOpen }: TriggersProps) {
  const triggers = triggersOf(position, waiting);
  const told = triggers.slice(0, 2).map((order) => {
    const at = order.stop_price === undefined ? `${order.callback_rate ?? ""} %` : asWritten(order.stop_price);
    return `${SHORT_NAMES[roleOf(order)]} ${at}`;
  });
  const more = triggers.length > 2 ? ` +${triggers.length - 2}` : "";
  const shown = told.length === 0 ? "Add TP / SL" : told.join(" · ") + more;
  return (
    <Button
      size="small"
      look="quiet"
      className="num -ml-2"
      aria-label={`${shown}: take profit and stop loss of ${position.symbol}`}
      onClick={onOpen}
    >
      {shown}
    </Button>
  );
}
interface TriggersProps {
  readonly position: Position;
  readonly waiting: readonly WaitingOrder[];
  readonly onOpen: () => void;
}
