import type { UnifiedAccount } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Money, Num, Signed } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Countdown } from "../../kit/time.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { percentOf } from "../../lib/format.ts";
import type { LiveFigures } from "./margin.ts";
import { useMyBonus } from "./queries.ts";

/** FUT-12: the margin call comes at 80 %, liquidation at 100 %. */
const CALL_RATIO = 0.8;

interface GroupProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What is no name with a value: a bar, a way on. */
  readonly below?: ReactNode;
}

function Group({ title, children, below }: GroupProps) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">{title}</h3>
      <Facts>{children}</Facts>
      {below}
    </section>
  );
}

function Bonus({ account }: { readonly account: UnifiedAccount }) {
  const { data: bonus } = useMyBonus(true);
  const free = Decimal.parse(account.bonus).sub(Decimal.parse(account.bonus_locked)).toString();
  return (
    <Group
      title="Bonus"
      below={
        account.bonus_status !== "active" && (
          <p className="text-xs text-warn">
            The bonus is {account.bonus_status.replaceAll("_", " ")}: only reducing is allowed.
          </p>
        )
      }
    >
      <Fact name="Free" value={<Money value={free} />} />
      <Fact name="Locked in margin" value={<Money value={account.bonus_locked} />} />
      <Fact name="Used for costs" value={<Money value={bonus?.bonus_consumed} />} />
      <Fact name="Ends in" value={bonus?.expires_at ? <Countdown until={bonus.expires_at} done="ended" /> : "–"} />
    </Group>
  );
}

/** What there is, what holds it, and how far liquidation is. */
export function BalancesTab({ account, live }: { readonly account: UnifiedAccount; readonly live: LiveFigures }) {
  const ratio = Number(live.margin_ratio);
  const hasBonus = account.bonus_status !== "none" && account.bonus_status !== "recalled";
  return (
    <div className="grid gap-x-10 gap-y-4 px-3 py-2 md:grid-cols-2 xl:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      <Group title="Balance">
        <Fact name="Principal" value={<Money value={account.principal} />} />
        <Fact name="Unrealised PnL" value={<Signed value={live.unrealized_pnl.toString()} unit="USDT" />} />
        <Fact name="Margin balance" value={<Money value={live.margin_balance.toString()} />} />
        <Fact name="In isolated positions" value={<Money value={account.isolated_margin} />} />
      </Group>
      {hasBonus && <Bonus account={account} />}
      <Group
        title="Margin"
        below={
          <Progress
            label="Margin ratio (liquidation at 100 %)"
            fraction={ratio}
            figure={`${percentOf(live.margin_ratio)} %`}
            tone={ratio >= CALL_RATIO ? "warn" : "accent"}
          />
        }
      >
        <Fact name="Initial margin" value={<Money value={account.initial_margin} rounding="ceil" />} />
        <Fact name="Available" value={<Money value={live.available.toString()} />} />
        <Fact name="Maintenance margin" value={<Money value={live.maintenance_margin.toString()} rounding="ceil" />} />
      </Group>
      <Group
        title="Out"
        below={
          <Link to="/portfolio" className="text-sm text-accent underline">
            Deposit, withdraw, history
          </Link>
        }
      >
        <Fact name="Withdrawable" value={<Money value={account.withdrawable} />} />
        <Fact name="On its way out" value={<Money value={account.in_flight} />} />
        <Fact
          name="Fee tier"
          value={
            <>
              VIP <Num value={account.tier} />
            </>
          }
        />
      </Group>
    </div>
  );
}
