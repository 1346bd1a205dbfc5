import { Link } from "@tanstack/react-router";
import { Button } from "../kit/button.tsx";
import { Hash } from "../kit/hash.tsx";
import { Num } from "../kit/number.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { groupDigits } from "../lib/format.ts";
import { type PointsLine, reckoningOf, SOURCE_WORDS } from "./ledger-words.ts";
import { useLedger } from "./queries.ts";

/** Every line of one's points with where it came from, the newest first. */
export function Ledger({ address }: { readonly address: string }) {
  const ledger = useLedger(address);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = ledger;
  return (
    <Panel title="Where your points came from" isFlush>
      <Async
        query={ledger}
        skeleton={<Skeleton rows={6} rowHeight={40} />}
        isEmpty={({ pages }) => pages[0]?.items.length === 0}
        empty={
          <EmptyState title="No points yet" action={<TradeLink />}>
            Each USDT of fee brings points at once; an earn position brings some at every midnight, UTC.
          </EmptyState>
        }
      >
        {({ pages }) => {
          const lines = pages.flatMap(({ items }) => items);
          return (
            <div className="flex flex-col">
              <Lines lines={lines} />
              <div className="flex items-center justify-between gap-2 px-4 py-2 text-xs text-muted">
                <span className="num">
                  {groupDigits(String(lines.length))} of {groupDigits(String(pages[0]?.total ?? lines.length))} lines
                </span>
                {hasNextPage && (
                  <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    Show earlier lines
                  </Button>
                )}
              </div>
            </div>
          );
        }}
      </Async>
    </Panel>
  );
}

const TradeLink = () => (
  <Link to="/trade" className="text-sm text-accent underline">
    To trading
  </Link>
);

function Lines({ lines }: { readonly lines: readonly PointsLine[] }) {
  return (
    <Table<PointsLine>
      label="Your points, line by line"
      rows={lines}
      keyOf={({ id }) => id}
      className="max-h-[32rem] px-1"
      columns={[
        { key: "time", title: "Time", cell: ({ time }) => <Time at={time} /> },
        {
          key: "points",
          title: "Points",
          isNumber: true,
          cell: ({ points }) => <Num value={points} signed decimals={2} />,
        },
        {
          key: "source",
          title: "Source",
          isSecondary: true,
          cell: ({ source }) => <Badge>{SOURCE_WORDS[source]}</Badge>,
        },
        { key: "from", title: "Came from", cell: (line) => <Origin line={line} /> },
        { key: "reckoned", title: "Reckoned", isSecondary: true, cell: (line) => <Reckoned line={line} /> },
        {
          key: "rule",
          title: "Rule",
          isSecondary: true,
          cell: ({ rule_version }) => <span className="text-muted">version {rule_version}</span>,
        },
      ]}
    />
  );
}

/** The fill, the earn position or the invitee behind a line. */
function Origin({ line }: { readonly line: PointsLine }) {
  const { source, symbol, trade_id, side, subscription_id, invitee } = line;
  const fill = symbol !== undefined && (
    <Link to="/trade/$symbol" params={{ symbol }} className="text-accent underline-offset-2 hover:underline">
      {symbol} #{trade_id} {side?.toLowerCase()}
    </Link>
  );
  const position = subscription_id !== undefined && (
    <span className="inline-flex items-center gap-1.5">
      <Link to="/earn" className="text-accent underline-offset-2 hover:underline">
        Earn position
      </Link>
      <Hash value={subscription_id} of="subscription" />
    </span>
  );
  if (source !== "referral") return fill || position || null;
  return (
    <span className="inline-flex items-center gap-1.5 max-md:flex-col max-md:items-start max-md:gap-0">
      <Hash value={invitee} of="invitee" /> {fill || position || null}
    </span>
  );
}

function Reckoned({ line }: { readonly line: PointsLine }) {
  const { base, baseWords, factor } = reckoningOf(line);
  return (
    <span className="text-muted">
      <Num value={base} decimals={2} /> {baseWords} × <Num value={factor} />
    </span>
  );
}
