import { CircleHelp } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../../../kit/button.tsx";
import { Num, Signed } from "../../../kit/number.tsx";
import { Countdown } from "../../../kit/time.tsx";
import { cx } from "../../../lib/cx.ts";
import { Decimal } from "../../../lib/decimal.ts";
import { formatCompact, formatDecimal, percentOf } from "../../../lib/format.ts";
import { useStreamState } from "../../../streams/page-stream.ts";
import { FlowBadge } from "../flow.tsx";
import { type Market, useMark, useTicker } from "../market-data.ts";
import { helpDialog } from "./help.tsx";
import { MarketSwitcher, StatusBadge } from "./switcher.tsx";

interface HeaderProps {
  readonly market: Market;
  readonly onChoose: (symbol: string) => void;
  /** On a phone the figures have a line of their own. */
  readonly isCompact: boolean;
}

/** The market, what it costs, and how it has been, in lines that never change their height. */
export function MarketHeader({ market, onChoose, isCompact }: HeaderProps) {
  const isStale = useStreamState().kind === "stale";
  const dimmed = cx("transition-opacity", isStale && "opacity-50");
  return (
    <header className="flex shrink-0 flex-col rounded-lg bg-panel px-1.5">
      <div className="flex h-13 items-center gap-2">
        <MarketSwitcher symbol={market.symbol} onChoose={onChoose} />
        <StatusBadge status={market.status} />
        <div className={cx("flex min-w-0 flex-1 items-center gap-5", dimmed)}>
          <LastPrice market={market} />
          {!isCompact && <Figures market={market} />}
        </div>
        <FlowBadge />
        <IconButton
          label="Keyboard shortcuts"
          icon={<CircleHelp size={16} />}
          aria-keyshortcuts="?"
          onClick={() => helpDialog.set(true)}
          className="max-md:hidden"
        />
      </div>
      {isCompact && (
        <div className={cx("flex h-10 items-center px-2 pb-1", dimmed)}>
          <Figures market={market} />
        </div>
      )}
    </header>
  );
}

/** Coloured by the way it went last. */
export function LastPrice({ market }: { readonly market: Market }) {
  const ticker = useTicker(market.symbol);
  const last = ticker?.last_price ?? market.last_price ?? undefined;
  const tone = useDirection(last);
  usePriceInTitle(last, market);
  return (
    <div className="flex min-w-0 shrink-0 flex-col leading-tight">
      <span
        role="img"
        aria-label={`Last price ${last ?? "unknown"}`}
        className={cx("text-lg font-semibold", tone)}
        style={{ minWidth: `${(market.last_price?.length ?? 7) + 1}ch` }}
      >
        <Num value={last} decimals={market.price_decimals} />
      </span>
      <span className="text-xs">
        <Signed value={ticker?.price_change_percent} decimals={2} rounding="halfUp" />
        {ticker !== undefined && <span className="text-faint"> %</span>}
      </span>
    </div>
  );
}

function useDirection(price: string | undefined): string {
  const before = useRef(price);
  const [tone, setTone] = useState("");
  useEffect(() => {
    const [from, to] = [before.current, price];
    before.current = price;
    if (from === undefined || to === undefined || from === to) return;
    setTone(Decimal.parse(to).gt(Decimal.parse(from)) ? "text-up" : "text-down");
  }, [price]);
  return tone;
}

/** So that a glance at the tab is enough. */
function usePriceInTitle(price: string | undefined, { symbol, price_decimals }: Market): void {
  useEffect(() => {
    document.title = `${price === undefined ? "" : `${formatDecimal(price, { decimals: price_decimals })} `}${symbol} · Bourse`;
  }, [price, symbol, price_decimals]);
  useEffect(
    () => () => {
      document.title = "Bourse";
    },
    [],
  );
}

function Figure({
  name,
  children,
  width,
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly width: string;
}) {
  return (
    <div className="flex shrink-0 flex-col gap-0.5 leading-tight" style={{ minWidth: width }}>
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="num text-xs">{children}</dd>
    </div>
  );
}

const RATE_DECIMALS = 4;

/** The figures scroll sideways where they do not fit. */
function Figures({ market }: { readonly market: Market }) {
  const { symbol, price_decimals, base_asset } = market;
  const ticker = useTicker(symbol);
  const mark = useMark(symbol);
  const priceWidth = `${(market.mark_price?.length ?? 7) + 2}ch`;
  return (
    <dl
      tabIndex={0}
      aria-label={`Figures of ${symbol}`}
      className="flex min-w-0 flex-1 items-center gap-5 overflow-x-auto [scrollbar-width:none]"
    >
      <Figure name="Mark" width={priceWidth}>
        <Num value={mark?.mark_price} decimals={price_decimals} />
      </Figure>
      <Figure name="Index" width={priceWidth}>
        <Num value={mark?.index_price} decimals={price_decimals} />
      </Figure>
      <Figure name="Funding, next in" width="19ch">
        {mark === undefined ? (
          "–"
        ) : (
          <>
            <span title={mark.funding_rate}>{percentOf(mark.funding_rate, RATE_DECIMALS)} %</span>
            <span className="text-faint"> · </span>
            <Countdown until={mark.next_funding_time} />
          </>
        )}
      </Figure>
      <Figure name="24 h high" width={priceWidth}>
        <Num value={ticker?.high_price} decimals={price_decimals} />
      </Figure>
      <Figure name="24 h low" width={priceWidth}>
        <Num value={ticker?.low_price} decimals={price_decimals} />
      </Figure>
      <Figure name={`24 h volume (${base_asset})`} width="12ch">
        {ticker === undefined ? "–" : <span title={ticker.volume}>{formatCompact(ticker.volume)}</span>}
      </Figure>
      <Figure name="24 h volume (USDT)" width="12ch">
        {ticker === undefined ? "–" : <span title={ticker.quote_volume}>{formatCompact(ticker.quote_volume)}</span>}
      </Figure>
    </dl>
  );
}
