import type { MarketInfo, PriceReport } from "@bourse/api/client";
import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { decimalsOf } from "../../lib/format.ts";
import { DefinitionDialog, MarketStatusDialog, NewMarketDialog, PushPriceDialog } from "./market-dialogs.tsx";
import {
  freshSources,
  guardWords,
  MARKET_STATUSES,
  type MarketStatus,
  STATUS_LABELS,
  STATUS_TONES,
  STATUS_VERBS,
  wordsOfUse,
} from "./market-words.ts";
import { useMarkets, usePrices } from "./queries.ts";

type Task =
  | { readonly kind: "create" }
  | { readonly kind: "definition" | "push"; readonly market: MarketInfo }
  | { readonly kind: "status"; readonly market: MarketInfo; readonly status: MarketStatus };

function MarketActions({ market, onTask }: { readonly market: MarketInfo; readonly onTask: (task: Task) => void }) {
  return (
    <Menu trigger={<IconButton label={`Actions for ${market.symbol}`} icon={<MoreHorizontal size={16} />} />}>
      {MARKET_STATUSES.filter((status) => status !== market.status).map((status) => (
        <MenuItem key={status} onSelect={() => onTask({ kind: "status", market, status })}>
          {STATUS_VERBS[status]}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => onTask({ kind: "definition", market })}>Definition and brackets</MenuItem>
      <MenuItem onSelect={() => onTask({ kind: "push", market })}>Submit a price</MenuItem>
    </Menu>
  );
}

const price = (
  key: string,
  title: string,
  of: (market: MarketInfo) => string | null,
  isSecondary = true,
): Column<MarketInfo> => ({
  key,
  title,
  isNumber: true,
  isSecondary,
  cell: (market) => <Num value={of(market)} decimals={decimalsOf(market.tick_size)} />,
});

const columnsOf = (onTask: (task: Task) => void): readonly Column<MarketInfo>[] => [
  ["Market", ({ symbol }) => <span className="font-medium">{symbol}</span>],
  ["Status", ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>],
  price("mark", "Mark", (market) => market.mark_price, false),
  price("index", "Index", (market) => market.index_price),
  price("last", "Last", (market) => market.last_price),
  ["Tick", ({ tick_size }) => tick_size, "number", "secondary"],
  ["Lot", ({ lot_size }) => lot_size, "number", "secondary"],
  ["Leverage", (market) => `${market.max_leverage}×`, "number", "secondary"],
  ["Actions", (market) => <MarketActions market={market} onTask={onTask} />, "number", "untitled"],
];

function Sources({ report }: { readonly report: PriceReport }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 py-1.5">
      {report.sources.map((source) => {
        const words = wordsOfUse(source);
        return (
          <li key={source.name} className="num flex items-baseline md:min-w-56 gap-1.5">
            <span className="text-muted">{source.name}</span> <Num value={source.price} />{" "}
            {words === undefined ? (
              <span className="text-xs text-faint">{Math.max(0, Math.round(source.age_ms / 1000))} s</span>
            ) : (
              <Badge tone="warn">{words}</Badge>
            )}
          </li>
        );
      })}
      {report.sources.length === 0 && <li className="text-muted">none</li>}
    </ul>
  );
}

function IndexState({ report }: { readonly report: PriceReport }) {
  if (report.pinned) return <Badge tone="warn">pinned</Badge>;
  const words = guardWords(report);
  if (words === undefined) {
    return (
      <Badge>
        {freshSources(report)} of {report.sources.length} fresh
      </Badge>
    );
  }
  const since = report.guard?.since ?? null;
  return (
    <span className="flex flex-wrap items-baseline gap-1.5">
      <Badge tone="warn">{words}</Badge>
      {since !== null && (
        <span className="text-xs text-faint">
          no index since <Time at={since} />
        </span>
      )}
    </span>
  );
}

/** FUT-13: the sources of each market's index. */
function Prices() {
  const prices = usePrices();
  const { data: markets = [] } = useMarkets();
  const tickOf = (symbol: string) => markets.find((market) => market.symbol === symbol)?.tick_size;
  const indexOf = ({ symbol, index_price }: PriceReport) => {
    const tick = tickOf(symbol);
    return <Num value={index_price} {...(tick === undefined ? {} : { decimals: decimalsOf(tick) })} />;
  };
  return (
    <Panel title="Index prices" isFlush>
      <QueryTable
        query={prices}
        rowsOf={(reports) => reports}
        label="Index prices"
        keyOf={({ symbol }) => symbol}
        columns={[
          ["Market", ({ symbol }) => <span className="font-medium">{symbol}</span>],
          ["Index", indexOf, "number"],
          ["State", (report) => <IndexState report={report} />],
          ["Sources", (report) => <Sources report={report} />],
        ]}
        loadingRows={4}
      />
    </Panel>
  );
}

function Tasks({ task, onClose }: { readonly task: Task | undefined; readonly onClose: () => void }) {
  if (task === undefined) return null;
  if (task.kind === "create") return <NewMarketDialog onClose={onClose} />;
  if (task.kind === "status") return <MarketStatusDialog market={task.market} status={task.status} onClose={onClose} />;
  if (task.kind === "definition") return <DefinitionDialog market={task.market} onClose={onClose} />;
  return <PushPriceDialog market={task.market} onClose={onClose} />;
}

/** FUT-2: markets at run time. */
export function MarketsPage() {
  const markets = useMarkets();
  const [task, setTask] = useState<Task>();
  return (
    <Page
      title="Markets and prices"
      lead="A market needs two fresh price sources that agree; without them it only lets positions be reduced, and after five minutes it is halted."
      actions={
        <Button look="primary" onClick={() => setTask({ kind: "create" })}>
          <Plus size={15} aria-hidden="true" /> Add market
        </Button>
      }
    >
      <Panel title="Markets" isFlush>
        <QueryTable
          query={markets}
          rowsOf={(rows) => rows}
          label="Markets"
          keyOf={({ symbol }) => symbol}
          columns={columnsOf(setTask)}
          loadingRows={5}
        />
      </Panel>
      <Prices />
      <Tasks task={task} onClose={() => setTask(undefined)} />
    </Page>
  );
}
