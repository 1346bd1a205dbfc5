import type { BrokerOverview, Tier } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { Money, Percent } from "../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../kit/panel.tsx";
import { Progress } from "../kit/progress.tsx";
import { Table } from "../kit/table.tsx";
import { formatMoney } from "../lib/format.ts";
import { tierStanding } from "./tier-standing.ts";

export function TierProgress({ overview }: { readonly overview: BrokerOverview }) {
  if (overview.parent_broker !== null) return <SubKol overview={overview} />;
  return (
    <Panel title={`Your tier: ${overview.current_level_label}`}>
      <div className="grid gap-x-8 gap-y-4 *:min-w-0 lg:grid-cols-2">
        <Standing overview={overview} />
        <Tiers tiers={overview.tiers} level={overview.level} />
      </div>
    </Panel>
  );
}

function Standing({ overview }: { readonly overview: BrokerOverview }) {
  const { next, missing, fraction } = tierStanding(overview);
  return (
    <div className="flex flex-col gap-3">
      <Facts>
        <Fact name="Your rate of every fee" value={<Percent fraction={overview.rebate_rate} />} />
        <Fact name="Fees of the last 30 days" value={<Money value={overview.fee_30d} />} />
      </Facts>
      {next !== undefined && (
        <Progress
          label={`To ${next.label}`}
          fraction={fraction}
          figure={`${formatMoney(overview.fee_30d)} of ${formatMoney(next.min_fee_30d)} USDT`}
        />
      )}
      <p className="text-sm text-muted">
        {next === undefined ? (
          overview.tiers.length === 0 ? (
            "No tiers are configured."
          ) : (
            "There is no tier above yours."
          )
        ) : missing === undefined ? (
          <>You have the fees of {next.label}. Your BD can ask for the tier.</>
        ) : (
          <>
            <Money value={missing} /> of fees are missing to {next.label}, which gets{" "}
            <Percent fraction={next.rebate_rate} />.
          </>
        )}
      </p>
    </div>
  );
}

function Tiers({ tiers, level }: { readonly tiers: readonly Tier[]; readonly level: number | null }) {
  if (tiers.length === 0) return null;
  return (
    <Table<Tier>
      label="Tiers"
      isDense
      rows={tiers}
      keyOf={(tier) => tier.level}
      rowClass={(tier) => tier.level === level && "bg-accent-soft"}
      columns={[
        [
          "Tier",
          (tier) => (
            <span className="flex items-center gap-2">
              {tier.label} {tier.level === level && <Badge tone="accent">you</Badge>}
            </span>
          ),
        ],
        ["Rate", (tier) => <Percent fraction={tier.rebate_rate} decimals={0} />, "number"],
        ["30-day fees from", (tier) => <Money value={tier.min_fee_30d} decimals={0} />, "number"],
      ]}
    />
  );
}

/** A sub-KOL's rate is fixed by the code it used; it has no tier. */
function SubKol({ overview }: { readonly overview: BrokerOverview }) {
  return (
    <Panel title="You are a sub-KOL">
      <Facts className="max-w-md">
        <Fact name="Your rate of every fee" value={<Percent fraction={overview.rebate_rate} />} />
        <Fact name="Invited by" value={<Hash value={overview.parent_broker} />} />
        <Fact name="Fees of the last 30 days" value={<Money value={overview.fee_30d} />} />
        <Fact name="Given to your inviter" value={<Money value={overview.total_share} />} />
      </Facts>
      <p className="mt-2 text-sm text-muted">
        Your rate was fixed by the code you joined by. If your inviter's rate falls below it, theirs applies.
      </p>
    </Panel>
  );
}
