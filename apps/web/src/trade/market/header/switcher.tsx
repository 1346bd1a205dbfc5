import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type KeyboardEvent, useMemo, useState } from "react";
import { TextInput } from "../../../kit/field.tsx";
import { Num, Signed } from "../../../kit/number.tsx";
import { Badge } from "../../../kit/panel.tsx";
import { Async, EmptyState } from "../../../kit/states.tsx";
import { cx } from "../../../lib/cx.ts";
import { formatCompact } from "../../../lib/format.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { useRead } from "../../../lib/use-read.ts";
import { api } from "../../../session/session.ts";
import { type Market, useMarkets } from "../market-data.ts";
import { type MarketRow, pressed, rowsOf, type Sorting, type SortKey, searched, sorted } from "./market-rows.ts";

/** Whether the list of markets is open: also asked for by a key. */
export const marketSearch = createStore(false);

const REFRESH_MS = 5_000;
const COLUMNS = "grid grid-cols-[1.3fr_1fr_0.8fr_0.9fr] items-center gap-2 px-3";
const HEADINGS: readonly { readonly key: SortKey; readonly label: string }[] = [
  { key: "symbol", label: "Market" },
  { key: "last", label: "Last" },
  { key: "change", label: "24 h" },
  { key: "volume", label: "Volume" },
];
const LIST_ID = "markets";
const optionId = (symbol: string) => `market-${symbol}`;

interface SwitcherProps {
  readonly symbol: string;
  readonly onChoose: (symbol: string) => void;
}

/** The market's name, which opens the list of all of them. */
export function MarketSwitcher({ symbol, onChoose }: SwitcherProps) {
  const isOpen = useStore(marketSearch);
  return (
    <Popover.Root open={isOpen} onOpenChange={marketSearch.set}>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={`Market ${symbol}, choose another`}
          aria-keyshortcuts="/"
          className="flex h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-base font-semibold hover:bg-hover"
        >
          {symbol}
          <ChevronDown size={15} aria-hidden="true" className="text-muted" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Markets"
          className="z-50 data-[state=open]:slide-in flex max-h-[70dvh] w-[26rem] max-w-[calc(100vw-1rem)] flex-col gap-2 rounded-lg bg-panel py-3 shadow-float"
        >
          <MarketSearch
            symbol={symbol}
            onChoose={(chosen) => {
              marketSearch.set(false);
              onChoose(chosen);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function useMarketRows() {
  const markets = useMarkets();
  const tickers = useRead(["market", "tickers"], (call) => api.market.tickers24h(call), {
    refetchInterval: REFRESH_MS,
  });
  const [search, setSearch] = useState("");
  const [sorting, setSorting] = useState<Sorting>({ by: "volume", isDescending: true });
  const rows = useMemo(
    () => sorted(searched(rowsOf(markets.data ?? [], tickers.data ?? []), search), sorting),
    [markets.data, tickers.data, search, sorting],
  );
  return { markets, rows, search, setSearch, sorting, setSorting };
}

function MarketSearch({ symbol, onChoose }: SwitcherProps) {
  const { markets, rows, search, setSearch, sorting, setSorting } = useMarketRows();
  const [pointed, setPointed] = useState<string>();
  const first = rows[0]?.market.symbol;
  const active = rows.some(({ market }) => market.symbol === pointed) ? pointed : first;

  const onKeyDown = (event: KeyboardEvent) => {
    const place = rows.findIndex(({ market }) => market.symbol === active);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = rows[(place + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length]?.market.symbol;
      setPointed(next);
      if (next !== undefined) document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      onChoose(active);
    }
  };

  return (
    <>
      <div className="px-3">
        <TextInput
          role="combobox"
          aria-label="Search markets"
          aria-expanded="true"
          aria-controls={LIST_ID}
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          placeholder="Search markets"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Headings sorting={sorting} onPress={(by) => setSorting((now) => pressed(now, by))} />
      <div className="min-h-0 overflow-y-auto">
        <Async query={markets} rows={4} rowHeight={36} loadingLabel="Loading markets">
          {() => (
            <div id={LIST_ID} role="listbox" aria-label="Markets">
              {rows.map((row) => (
                <Option
                  key={row.market.symbol}
                  row={row}
                  isActive={row.market.symbol === active}
                  isCurrent={row.market.symbol === symbol}
                  onChoose={onChoose}
                  onPoint={setPointed}
                />
              ))}
            </div>
          )}
        </Async>
        {markets.data !== undefined && rows.length === 0 && (
          <EmptyState title="No market has that name">Try a part of it, such as BTC.</EmptyState>
        )}
      </div>
    </>
  );
}

function Headings({ sorting, onPress }: { readonly sorting: Sorting; readonly onPress: (by: SortKey) => void }) {
  return (
    <fieldset className={`${COLUMNS} text-xs text-faint`}>
      <legend className="sr-only">Sort by</legend>
      {HEADINGS.map(({ key, label }) => {
        const isBy = sorting.by === key;
        return (
          <button
            key={key}
            type="button"
            aria-pressed={isBy}
            onClick={() => onPress(key)}
            className={cx("hover:text-text", key === "symbol" ? "text-left" : "text-right", isBy && "text-text")}
          >
            {label} {isBy && <span aria-hidden="true">{sorting.isDescending ? "↓" : "↑"}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}

interface OptionProps {
  readonly row: MarketRow;
  readonly isActive: boolean;
  readonly isCurrent: boolean;
  readonly onChoose: (symbol: string) => void;
  readonly onPoint: (symbol: string) => void;
}

function Option({ row: { market, last, change, volume }, isActive, isCurrent, onChoose, onPoint }: OptionProps) {
  const { symbol } = market;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search field above
    <div
      id={optionId(symbol)}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onClick={() => onChoose(symbol)}
      onPointerMove={() => onPoint(symbol)}
      className={cx(COLUMNS, "h-9 cursor-pointer text-sm", isActive && "bg-hover")}
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <span className={cx("truncate", isCurrent && "font-semibold text-accent")}>{symbol}</span>
        <StatusBadge status={market.status} />
      </span>
      <span className="text-right">
        <Num value={last} decimals={market.price_decimals} />
      </span>
      <span className="text-right">
        <Signed value={change} decimals={2} rounding="halfUp" />
        {change !== undefined && <span className="text-faint"> %</span>}
      </span>
      <span className="num text-right text-muted" title={volume === undefined ? undefined : `${volume} USDT`}>
        {volume === undefined ? "–" : formatCompact(volume)}
      </span>
    </div>
  );
}

/** Nothing for a market on which everything is possible. */
export function StatusBadge({ status }: { readonly status: Market["status"] }) {
  if (status === "trading") return null;
  return <Badge tone="warn">{status === "halted" ? "Halted" : "Reduce only"}</Badge>;
}
