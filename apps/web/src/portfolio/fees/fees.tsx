import type { FeeInfo } from "@bourse/api/client";
import { Money, Percent } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { formatCompact } from "../../lib/format.ts";
import { useSession } from "../../session/session.ts";
import { SignInFirst } from "../../session/sign-in-first.tsx";
import { useFees } from "../queries.ts";
import { Referral } from "./referral.tsx";
import { basisPoints, discountName, type FeeTier, tierProgress } from "./tier-progress.ts";

const Rate = ({ rate }: { readonly rate: string }) => (
  <span className="num" title={`${basisPoints(rate)} basis points`}>
    <Percent fraction={rate} decimals={4} />
  </span>
);

export function Fees() {
  const session = useSession("wallet");
  const query = useFees();
  return (
    <div className="flex flex-col gap-4">
      <Async query={query} rows={10} rowHeight={40}>
        {(info) => (
          <>
            {info.tier !== undefined && <Standing info={info} />}
            <div className="grid gap-4 lg:grid-cols-3">
              <Panel title="Schedule" isFlush className="lg:col-span-2">
                <Schedule info={info} />
              </Panel>
              <Panel title="Referral on chain">
                {session === undefined ? (
                  <SignInFirst reason="The referral contract has your wallet's code and discount.">
                    {() => null}
                  </SignInFirst>
                ) : (
                  <Referral address={session.name} />
                )}
              </Panel>
            </div>
          </>
        )}
      </Async>
    </div>
  );
}

function Standing({ info }: { readonly info: FeeInfo }) {
  const progress = tierProgress(info);
  if (progress === undefined) return null;
  const { current, next, fraction, missing } = progress;
  const { effective, volume_14d = "0", volume_30d = "0", pending_downgrade } = info;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Stat
          label="Your tier"
          note={next === undefined ? "The highest there is" : `Next: ${next.name}`}
          value={current.name}
        />
        <Stat
          label="You pay as taker"
          note="Of the value, after discounts"
          value={<Rate rate={effective?.taker_rate ?? current.taker_rate} />}
        />
        <Stat
          label="You pay as maker"
          note="Of the value, after discounts"
          value={<Rate rate={effective?.maker_rate ?? current.maker_rate} />}
        />
        <Stat
          label="Volume, 14 days"
          note={<>{formatCompact(volume_30d)} USDT in 30 days</>}
          value={<span title={`${volume_14d} USDT`}>{formatCompact(volume_14d)}</span>}
        />
      </div>
      {pending_downgrade !== null && pending_downgrade !== undefined && (
        <Notice>
          Your 14-day volume has fallen below {current.name}: from <Time at={pending_downgrade.effective_time} /> on (in{" "}
          <Countdown until={pending_downgrade.effective_time} />) you pay the rates of VIP {pending_downgrade.tier},
          unless you regain the volume before.
        </Notice>
      )}
      <Panel title={next === undefined ? "You have the highest tier" : `Progress to ${next.name}`}>
        <div className="grid gap-4 md:grid-cols-2">
          <div className="flex flex-col gap-2">
            <Progress
              label="Volume of the last 14 UTC days"
              fraction={fraction}
              figure={`${formatCompact(volume_14d)} of ${formatCompact(next?.min_volume_14d ?? current.min_volume_14d)} USDT`}
            />
            <p className="text-xs text-muted">
              {next === undefined ? (
                "There is no higher tier."
              ) : (
                <>
                  <Money value={missing} /> more, and you pay {basisPoints(next.taker_rate)} instead of{" "}
                  {basisPoints(current.taker_rate)} basis points as taker, from the fill that reaches it.
                </>
              )}
            </p>
          </div>
          <DiscountStack info={info} current={current} />
        </div>
      </Panel>
    </>
  );
}

/** Base rate, what is taken off, what is left. */
function DiscountStack({ info, current }: { readonly info: FeeInfo; readonly current: FeeTier }) {
  const { discounts = [], effective } = info;
  return (
    <Facts>
      <Fact
        name={`${current.name}, taker / maker`}
        value={
          <>
            <Rate rate={current.taker_rate} /> / <Rate rate={current.maker_rate} />
          </>
        }
      />
      {discounts.length === 0 && <Fact name="Discounts" value="none" />}
      {discounts.map(({ kind, discount }) => (
        <Fact
          key={kind}
          name={discountName(kind)}
          value={
            <>
              −<Percent fraction={discount} />
            </>
          }
        />
      ))}
      {effective !== undefined && (
        <Fact
          name="You pay, taker / maker"
          value={
            <strong className="font-semibold">
              <Rate rate={effective.taker_rate} /> / <Rate rate={effective.maker_rate} />
            </strong>
          }
        />
      )}
    </Facts>
  );
}

function Schedule({ info }: { readonly info: FeeInfo }) {
  const columns: readonly Column<FeeTier>[] = [
    [
      "Tier",
      ({ name, tier }) => (
        <span className="flex items-center gap-2">
          <span className="font-medium">{name}</span> {tier === info.tier && <Badge tone="accent">You</Badge>}
        </span>
      ),
    ],
    [
      "14-day volume, USDT",
      ({ min_volume_14d }) => (
        <span title={min_volume_14d}>
          {min_volume_14d === "0.00" ? "any" : `from ${formatCompact(min_volume_14d)}`}
        </span>
      ),
      "number",
    ],
    ["Maker", ({ maker_rate }) => <Rate rate={maker_rate} />, "number"],
    ["Taker", ({ taker_rate }) => <Rate rate={taker_rate} />, "number"],
  ];
  return (
    <>
      <Table label="Fee schedule" rows={info.tiers} keyOf={({ tier }) => tier} columns={columns} />
      <p className="px-4 py-3 text-xs text-muted">
        You rise with the fill that reaches a tier's volume. You fall at the next 00:00 UTC, after an announcement.
      </p>
    </>
  );
}
