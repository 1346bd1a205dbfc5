import type { BrokerOverview, RebateTrend } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Money, Num } from "../kit/number.tsx";
import { Sparkline } from "../kit/sparkline.tsx";
import { Skeleton } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import type { Owed } from "./owed.ts";
import { useMyPayouts, useOverview, usePerformance, useRebateTrend } from "./queries.ts";
import { runningCounts } from "./running-counts.ts";
import { TierProgress } from "./tier-progress.tsx";
import { Trends } from "./trends.tsx";
import { UnpaidFigure, useOwed } from "./unpaid.tsx";

/** The first figures of a partner: earned, unpaid, today, fees, invited. */
export function Overview() {
  const { data: overview } = useOverview();
  const { data: trend } = useRebateTrend();
  const owed = useOwed(overview);
  if (!overview) return <Skeleton rows={8} rowHeight={40} />;
  return (
    <>
      <Headlines overview={overview} trend={trend ?? []} owed={owed} />
      <TierProgress overview={overview} />
      <Trends trend={trend} />
    </>
  );
}

interface HeadlinesProps {
  readonly overview: BrokerOverview;
  readonly trend: RebateTrend;
  readonly owed: Owed | undefined;
}

function Headlines({ overview, trend, owed }: HeadlinesProps) {
  const { data: payouts = [] } = useMyPayouts();
  const { data: performance } = usePerformance();
  const paid = payouts.map(({ amount }) => amount).toReversed();
  const signUps = performance?.days.map(({ sign_ups }) => sign_ups) ?? [];
  const today = trend.at(-1);
  return (
    <section aria-label="Your figures" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
      <Card
        label="Net rebate in all"
        note={<Leads to="/partner/records">Records</Leads>}
        values={trend.map(({ total_kol_net_rebate }) => total_kol_net_rebate)}
        trendLabel="Net rebate by day, 30 days"
      >
        <Money value={overview.total_rebate} />
      </Card>
      <Card
        label="Unpaid"
        note={<Leads to="/partner/payouts">How it is calculated</Leads>}
        values={paid}
        trendLabel="Payouts so far"
      >
        {owed === undefined ? <span className="text-faint">…</span> : <UnpaidFigure owed={owed} />}
      </Card>
      <Card
        label="Today, provisional"
        note="final after midnight, UTC"
        values={trend.map(earnedOf)}
        trendLabel="Earned by day, 30 days"
      >
        <Money value={today === undefined ? undefined : earnedOf(today)} />
      </Card>
      <Card
        label="Fees of your downlines"
        note={
          <>
            traded <Num value={overview.traded_volume} decimals={0} />
          </>
        }
        values={trend.map(({ total_fee }) => total_fee)}
        trendLabel="Fees by day, 30 days"
      >
        <Money value={overview.total_fee} />
      </Card>
      <Card
        label="Invited"
        note={<Leads to="/partner/downlines">Downlines</Leads>}
        values={runningCounts(overview.total_invited, signUps).map(String)}
        trendLabel="Downlines by day, 30 days"
      >
        <Num value={overview.total_invited} />
      </Card>
    </section>
  );
}

const earnedOf = ({ total_kol_net_rebate, share_income }: RebateTrend[number]): string =>
  Decimal.parse(total_kol_net_rebate).add(Decimal.parse(share_income)).toString();

interface LeadsProps {
  readonly to: "/partner/records" | "/partner/payouts" | "/partner/downlines";
  readonly children: ReactNode;
}

const Leads = ({ to, children }: LeadsProps) => (
  <Link to={to} className="text-accent underline-offset-2 hover:underline">
    {children}
  </Link>
);

interface CardProps {
  readonly label: string;
  readonly note: ReactNode;
  readonly values: readonly string[];
  readonly trendLabel: string;
  readonly children: ReactNode;
}

/** One headline figure with its trend beside it, on a wide screen below it. */
function Card({ label, note, values, trendLabel, children }: CardProps) {
  return (
    <div className="flex min-w-0 items-end justify-between gap-3 rounded-lg bg-panel px-4 py-3 xl:flex-col xl:items-stretch">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="text-xs text-muted">{label}</span>
        <span className="num truncate text-lg font-semibold">{children}</span>
        <span className="truncate text-xs text-faint">{note}</span>
      </div>
      <Sparkline values={values} label={trendLabel} className="xl:w-full" />
    </div>
  );
}
