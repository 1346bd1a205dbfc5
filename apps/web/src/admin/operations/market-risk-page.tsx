import type { FundMarket, FundReport, UnfairTransfer } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Money, Num, Percent } from "../../kit/number.tsx";
import { Badge, Notice, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { fractionForDrawing } from "../../lib/decimal.ts";
import { staffApi } from "../../session/session.ts";
import { WalletLink } from "../bonus/wallet-link.tsx";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { MarketRulesDialog } from "./market-rules-dialog.tsx";
import { toneOfMarket } from "./market-rules-words.ts";
import { STATUS_LABELS, STATUS_TONES } from "./market-words.ts";
import { useFund, useTransfers } from "./queries.ts";

/** From this version of the rules on there are caps and rules of markets. */
const FAIR_RULES = 5;

type Task = { readonly kind: "resume" | "rules"; readonly symbol: string };

export function FundFigures({ report }: { readonly report: FundReport }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Equity" note="principal and positions at the index" value={<Money value={report.equity} />} />
      <Stat label="Principal" value={<Money value={report.principal} />} />
      <Stat
        label="Highest in 24 hours"
        note="30 % below it stops all markets"
        value={<Money value={report.highest_24h} />}
      />
      <Stat label="Lost in this hour" note="20 % stops all markets" value={<Money value={report.outflow} />} />
    </div>
  );
}

const Outflow = ({ market }: { readonly market: FundMarket }) => (
  <div className="min-w-40">
    <Progress
      label={`Lost in ${market.symbol}`}
      fraction={fractionForDrawing(market.outflow, market.cap)}
      tone={toneOfMarket(market)}
      figure={
        <>
          <Num value={market.outflow} decimals={2} /> of <Money value={market.cap} />
        </>
      }
    />
  </div>
);

function Capped({ market }: { readonly market: FundMarket }) {
  if (!market.capped) return <Badge>no</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone="warn">capped</Badge> since <Time at={market.capped_since} />
      {market.capped_until === null ? (
        ", until it is resumed"
      ) : (
        <>
          , until <Time at={market.capped_until} />
        </>
      )}
    </span>
  );
}

const marketColumns = (isFair: boolean, onTask: (task: Task) => void): readonly Column<FundMarket>[] => [
  ["Market", ({ symbol }) => <span className="font-medium">{symbol}</span>],
  ["Status", ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>],
  ["Outflow and cap", (market) => <Outflow market={market} />],
  ["Position", (market) => <Num value={market.inventory} />, "number"],
  ["Worth", (market) => <Money value={market.inventory_value} />, "number", "secondary"],
  ["Held since", (market) => <Time at={market.inventory_since} />, "secondary"],
  ["Capped", (market) => <Capped market={market} />],
  [
    "Actions",
    ({ symbol, capped }) => (
      <span className="inline-flex gap-2">
        {capped && <Button onClick={() => onTask({ kind: "resume", symbol })}>Resume</Button>}
        <Button look="quiet" disabled={!isFair} onClick={() => onTask({ kind: "rules", symbol })}>
          Rules
        </Button>
      </span>
    ),
    "number",
    "untitled",
  ],
];

/** INV-10: the fund in every market. */
export function FundMarkets({
  report,
  onTask,
}: {
  readonly report: FundReport;
  readonly onTask: (task: Task) => void;
}) {
  const isFair = report.rules_version >= FAIR_RULES;
  return (
    <Panel title="The fund by market" isFlush>
      <Table
        label="The fund by market"
        rows={report.items}
        keyOf={({ symbol }) => symbol}
        columns={marketColumns(isFair, onTask)}
      />
    </Panel>
  );
}

const Party = ({ account, wallet }: { readonly account: number; readonly wallet: string | null }) => (
  <span className="inline-flex items-baseline gap-1.5">
    {wallet === null ? account === 0 ? "the fund" : "–" : <WalletLink address={wallet} />}
    <span className="text-xs text-faint">{account}</span>
  </span>
);

const TRANSFER_COLUMNS: readonly Column<UnfairTransfer>[] = [
  ["From", (row) => <Party account={row.from_account} wallet={row.from_wallet} />],
  ["To", (row) => <Party account={row.to_account} wallet={row.to_wallet} />],
  ["Moved", (row) => <Money value={row.moved} />, "number"],
  ["Back", (row) => <Money value={row.moved_back} />, "number", "secondary"],
  ["Traded", (row) => <Money value={row.volume} />, "number", "secondary"],
  ["Of it", (row) => <Percent fraction={row.share} />, "number", "secondary"],
  ["Alarm", ({ alarm }) => (alarm ? <Badge tone="warn">1,000 USDT or more</Badge> : <Badge>listed</Badge>)],
];

/** INV-11: who moved money to whom far from the mark. */
function Transfers() {
  const query = useTransfers();
  return (
    <Panel title="Transfers far from the mark, 24 hours" isFlush>
      <PagedTable
        query={query}
        label="Transfers far from the mark"
        keyOf={(row) => `${row.from_account}-${row.to_account}`}
        columns={TRANSFER_COLUMNS}
        loadingRows={4}
        empty={
          <EmptyState title="Nobody is listed">
            No two wallets have moved 100 USDT and 1 % of their volume by trades far from the mark.
          </EmptyState>
        }
      />
    </Panel>
  );
}

function ResumeDialog({ symbol, onClose }: { readonly symbol: string; readonly onClose: () => void }) {
  const write = useWrite();
  return (
    <ConfirmWithReason
      title={`Resume ${symbol}`}
      changes={[
        { what: "Status", after: STATUS_LABELS.trading },
        { what: "The fund's losses so far", after: "no longer count" },
      ]}
      actionLabel={`Resume ${symbol}`}
      onClose={onClose}
      onConfirm={(reason) =>
        write(
          () => staffApi.exchangeAdmin.setMarketStatus(symbol, { status: "trading", ...reason }),
          () => `${symbol} trades again.`,
        )
      }
    />
  );
}

/** INV-10, INV-11: what the fund loses and holds, and who gains far from the mark. */
export function MarketRiskPage() {
  const fund = useFund();
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  return (
    <Page
      title="Market risk"
      lead="The insurance fund against its caps, money moved far from the mark, and the bounds of each market."
    >
      <Async query={fund} rows={8} rowHeight={48}>
        {(report) => (
          <div className="flex flex-col gap-4">
            <FundFigures report={report} />
            {report.rules_version < FAIR_RULES && (
              <Notice tone="neutral">
                Rules version {report.rules_version} holds: caps and rules of markets begin with version {FAIR_RULES}.
              </Notice>
            )}
            <FundMarkets report={report} onTask={setTask} />
          </div>
        )}
      </Async>
      <Transfers />
      {task?.kind === "resume" && <ResumeDialog symbol={task.symbol} onClose={close} />}
      {task?.kind === "rules" && <MarketRulesDialog symbol={task.symbol} onClose={close} />}
    </Page>
  );
}
