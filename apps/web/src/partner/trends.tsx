import type { BrokerPerformance, RebateTrend } from "@bourse/api/client";
import { useState } from "react";
import { Chart, type Point } from "../kit/chart.tsx";
import { Segmented } from "../kit/field.tsx";
import { Money, Num } from "../kit/number.tsx";
import { Fact, Facts, Panel } from "../kit/panel.tsx";
import { Async, Skeleton } from "../kit/states.tsx";
import { Decimal, sum } from "../lib/decimal.ts";
import { usePerformance } from "./queries.ts";

const CHART_HEIGHT = 200;

const MEASURES = {
  net: { label: "Net rebate", of: (day: RebateTrend[number]) => day.total_kol_net_rebate },
  share: { label: "Shares", of: (day: RebateTrend[number]) => day.share_income },
  fee: { label: "Fees", of: (day: RebateTrend[number]) => day.total_fee },
  volume: { label: "Traded", of: (day: RebateTrend[number]) => day.traded_volume },
} as const;
type Measure = keyof typeof MEASURES;

const MEASURE_OPTIONS = (Object.keys(MEASURES) as Measure[]).map((value) => ({ value, label: MEASURES[value].label }));

/** Thirty days of rebates, and who came and traded in them. */
export function Trends({ trend }: { readonly trend: RebateTrend | undefined }) {
  const [measure, setMeasure] = useState<Measure>("net");
  const points = trend?.map((day): Point => ({ label: day.date, value: MEASURES[measure].of(day) }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel
        title="The last 30 days"
        actions={<Segmented label="What is drawn" options={MEASURE_OPTIONS} value={measure} onChange={setMeasure} />}
      >
        {points === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <div className="flex flex-col gap-2">
            <Chart
              label={`${MEASURES[measure].label} by day`}
              kind="bars"
              points={points}
              height={CHART_HEIGHT}
              axis="Day (UTC)"
            />
            <Sums trend={trend ?? []} />
          </div>
        )}
      </Panel>
      <Performance />
    </div>
  );
}

/** All four measures over the thirty days. */
function Sums({ trend }: { readonly trend: RebateTrend }) {
  return (
    <Facts>
      {MEASURE_OPTIONS.map(({ value, label }) => (
        <Fact
          key={value}
          name={`${label}, 30 days`}
          value={<Money value={sum(trend.map(MEASURES[value].of)).toString()} />}
        />
      ))}
    </Facts>
  );
}

type CountName = "active_traders" | "sign_ups" | "first_traders";
const COUNTS: readonly { readonly value: CountName; readonly label: string }[] = [
  { value: "active_traders", label: "Active" },
  { value: "sign_ups", label: "Sign-ups" },
  { value: "first_traders", label: "First trades" },
];

function Performance() {
  const performance = usePerformance();
  const [count, setCount] = useState<CountName>("active_traders");
  return (
    <Panel
      title="Your downlines"
      actions={<Segmented label="What is counted" options={COUNTS} value={count} onChange={setCount} />}
    >
      <Async query={performance} rows={8}>
        {({ totals, days }) => (
          <div className="flex flex-col gap-2">
            <Chart
              label={`${COUNTS.find(({ value }) => value === count)?.label ?? ""} by day`}
              kind="bars"
              unit="wallets"
              decimals={0}
              height={CHART_HEIGHT}
              points={days.map((day) => ({ label: day.date, value: String(day[count]) }))}
              axis="Day (UTC)"
            />
            <Totals totals={totals} />
          </div>
        )}
      </Async>
    </Panel>
  );
}

function Totals({ totals }: { readonly totals: BrokerPerformance["totals"] }) {
  return (
    <Facts>
      <Fact name="Sign-ups, 30 days" value={<Num value={totals.sign_ups} />} />
      <Fact name="First trades, 30 days" value={<Num value={totals.first_traders} />} />
      <Fact name="Active, each once" value={<Num value={totals.active_traders} />} />
      <Fact name="Fees of an active one" value={<Money value={meanFee(totals)} />} />
    </Facts>
  );
}

const meanFee = ({ fee, active_traders }: BrokerPerformance["totals"]): string | undefined =>
  active_traders === 0
    ? undefined
    : Decimal.parse(fee)
        .div(Decimal.parse(String(active_traders)), 2, "halfUp")
        .toString();
