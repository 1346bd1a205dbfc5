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

interface BalancesTabProps {
  readonly account: UnifiedAccount;
  readonly live: LiveFigures;
}

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
      <Fact name="Free">
        <Money value={free} />
      </Fact>
      <Fact name="Locked in margin">
        <Money value={account.bonus_locked} />
      </Fact>
      <Fact name="Used for costs">
        <Money value={bonus?.bonus_consumed} />
      </Fact>
      <Fact name="Ends in">{bonus?.expires_at ? <Countdown until={bonus.expires_at} done="ended" /> : "–"}</Fact>
    </Group>
  );
}

/** What there is, what holds it, and how far liquidation is. */
export function BalancesTab({ account, live }: BalancesTabProps) {
  const ratio = Number(live.margin_ratio);
  const hasBonus = account.bonus_status !== "none" && account.bonus_status !== "recalled";
  return (
    <div className="grid gap-x-10 gap-y-4 px-3 py-2 md:grid-cols-2 xl:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
      <Group title="Balance">
        <Fact name="Principal">
          <Money value={account.principal} />
        </Fact>
        <Fact name="Unrealised PnL">
          <Signed value={live.unrealized_pnl.toString()} unit="USDT" />
        </Fact>
        <Fact name="Margin balance">
          <Money value={live.margin_balance.toString()} />
        </Fact>
        <Fact name="In isolated positions">
          <Money value={account.isolated_margin} />
        </Fact>
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
        <Fact name="Initial margin">
          <Money value={account.initial_margin} rounding="ceil" />
        </Fact>
        <Fact name="Available">
          <Money value={live.available.toString()} />
        </Fact>
        <Fact name="Maintenance margin">
          <Money value={live.maintenance_margin.toString()} rounding="ceil" />
        </Fact>
      </Group>
      <Group
        title="Out"
        below={
          <Link to="/portfolio" className="text-sm text-accent underline">
            Deposit, withdraw and see how it came about
          </Link>
        }
      >
        <Fact name="Withdrawable">
          <Money value={account.withdrawable} />
        </Fact>
        <Fact name="On its way out">
          <Money value={account.in_flight} />
        </Fact>
        <Fact name="Fee tier">
          VIP <Num value={account.tier} />
        </Fact>
      </Group>
    </div>
  );
}
