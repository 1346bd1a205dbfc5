import type { UnifiedAccount } from "@bourse/api/client";
import { useState } from "react";
import { Chart } from "../../kit/chart.tsx";
import { Segmented } from "../../kit/field.tsx";
import { Signed } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { formatMoney } from "../../lib/format.ts";
import { serverNow } from "../../lib/server-time.ts";
import { useEquity, useTransfers } from "../queries.ts";
import { chartPoints, equityNow, profitOver, RANGES, type RangeName, rangeOf } from "./equity.ts";

const CHART_HEIGHT = 240;
const waiting = <Skeleton rows={6} rowHeight={(CHART_HEIGHT + 28) / 6} label="Loading the equity of the past" />;

/** Equity over time, and what of its change is profit. */
export function EquityPanel({ account }: { readonly account: UnifiedAccount | undefined }) {
  const [range, setRange] = useState<RangeName>("7d");
  const history = useEquity(rangeOf(range).ms, range);
  const flows = useTransfers();
  const equity = account === undefined ? undefined : equityNow(account);
  return (
    <Panel
      title="Equity over time"
      actions={<Segmented label="Range" options={RANGES} value={range} onChange={setRange} />}
    >
      {equity === undefined ? (
        waiting
      ) : (
        <Async query={history} skeleton={waiting}>
          {(points) => (
            <div className="flex flex-col gap-2">
              {points.length === 0 ? (
                <EmptyState title="Nothing was recorded in this range yet" className="min-h-[268px]">
                  Equity is recorded at every full hour. It is {formatMoney(equity)} USDT now.
                </EmptyState>
              ) : (
                <Chart
                  label="Equity over time"
                  kind="area"
                  axis="Time"
                  height={CHART_HEIGHT}
                  points={chartPoints(points, { time: serverNow(), equity })}
                />
              )}
              {flows.data !== undefined && (
                <ProfitLine
                  profit={profitOver(range === "all" ? undefined : points[0], equity, [
                    ...flows.data.transfers,
                    ...flows.data.bonus,
                  ])}
                />
              )}
            </div>
          )}
        </Async>
      )}
    </Panel>
  );
}

function ProfitLine({ profit }: { readonly profit: ReturnType<typeof profitOver> }) {
  return (
    <p className="text-sm text-muted">
      Profit and loss{" "}
      {profit.since === undefined ? (
        "since the account began"
      ) : (
        <>
          since <Time at={profit.since} />
        </>
      )}
      , without deposits, withdrawals and bonus: <Signed value={profit.amount} unit="USDT" className="font-medium" />
    </p>
  );
}
