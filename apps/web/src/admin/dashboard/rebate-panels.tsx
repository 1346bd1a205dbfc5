import type { AdminDashboard } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Chart } from "../../kit/chart.tsx";
import { Money, Num, Percent } from "../../kit/number.tsx";
import { Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { useAllRecords } from "../settlement/queries.ts";
import { owedOf, sumsByDay } from "../settlement/sums.ts";
import { useRebateDashboard } from "./queries.ts";

const DAYS_SHOWN = 30;
const RATE_DECIMALS = 6;

/** Its part of all referred fees. */
function PartOfFees({ part, of }: { readonly part: string; readonly of: string }) {
  const whole = Decimal.parse(of);
  if (whole.isZero()) return null;
  return (
    <span className="text-faint">
      <Percent fraction={Decimal.parse(part).div(whole, RATE_DECIMALS, "halfUp").toString()} decimals={1} />
    </span>
  );
}

function Split({ figures }: { readonly figures: AdminDashboard }) {
  const rows: readonly (readonly [string, string])[] = [
    ["To KOLs", figures.total_kol_rebate],
    ["Back to downlines", figures.total_customer_rebate],
    ["To parent KOLs", figures.total_share],
    ["To affiliates", figures.total_affiliate_reward],
    ["Left for the platform", figures.true_net_revenue],
  ];
  return (
    <Facts>
      <Fact name="Referred fees" value={<Money value={figures.total_fee} className="font-medium" />} />
      {rows.map(([name, amount]) => (
        <Fact
          key={name}
          name={name}
          value={
            <span className="inline-grid grid-cols-[1fr_3.5rem] gap-2">
              <Money value={amount} />
              <PartOfFees part={amount} of={figures.total_fee} />
            </span>
          }
        />
      ))}
      <Fact
        name="Partners"
        value={
          <>
            <Link to="/admin/bds" className="text-accent underline underline-offset-2">
              <Num value={figures.bd_count} /> BDs
            </Link>
            ,{" "}
            <Link to="/admin/kols" className="text-accent underline underline-offset-2">
              <Num value={figures.kol_count} /> KOLs
            </Link>{" "}
            (<Num value={figures.sub_kol_count} /> sub-KOLs)
          </>
        }
      />
    </Facts>
  );
}

function Trend() {
  const records = useAllRecords("all");
  return (
    <Async
      query={records}
      rows={7}
      rowHeight={32}
      empty={<EmptyState title="No rebates yet">Records come with the first fees of invited traders.</EmptyState>}
    >
      {({ records: all }) => (
        <Chart
          label="Rebates by day"
          kind="bars"
          height={180}
          points={sumsByDay(all)
            .slice(0, DAYS_SHOWN)
            .map((day) => ({ label: day.period, value: owedOf(day) }))
            .toReversed()}
        />
      )}
    </Async>
  );
}

const settlementLink = (
  <Link to="/admin/settlement" className="text-sm text-accent hover:underline">
    Settlement
  </Link>
);

/** What the broker program costs and what is left. */
export function RebatePanels() {
  const dashboard = useRebateDashboard();
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Panel title="Where referred fees go">
        <Async query={dashboard} rows={7} rowHeight={24}>
          {(figures) => <Split figures={figures} />}
        </Async>
      </Panel>
      <Panel title={`Rebates of the last ${DAYS_SHOWN} days`} actions={settlementLink}>
        <Trend />
      </Panel>
    </div>
  );
}
