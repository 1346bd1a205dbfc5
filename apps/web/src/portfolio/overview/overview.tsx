import type { UnifiedAccount } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Money, Signed } from "../../kit/number.tsx";
import { Panel, Stat } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { percentOf } from "../../lib/format.ts";
import { useAccount } from "../queries.ts";
import { equityNow, isWithoutFunds, unrealisedNow } from "./equity.ts";
import { EquityPanel } from "./equity-panel.tsx";
import { OpenPositions } from "./open-positions.tsx";

const STAT_SKELETON = (
  <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
    {["a", "b", "c", "d", "e", "f"].map((stat) => (
      <div key={stat} className="rounded-lg bg-panel px-4 py-3">
        <Skeleton rows={3} rowHeight={20} />
      </div>
    ))}
  </div>
);

const isSome = (amount: string) => !Decimal.parse(amount).isZero();

/** What of the margin is in use, as a note below what is free. */
const usedNote = ({ initial_margin }: UnifiedAccount) =>
  isSome(initial_margin) ? (
    <>
      <Money value={initial_margin} /> in margin
    </>
  ) : (
    "No margin in use"
  );

function Headlines({ account }: { readonly account: UnifiedAccount }) {
  const { principal, bonus, bonus_locked, available, withdrawable, isolated_margin, in_flight, margin_ratio } = account;
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Stat
        label="Equity"
        note={`Margin ratio ${percentOf(margin_ratio)} %`}
        value={<Money value={equityNow(account)} unit="" />}
      />
      <Stat
        label="Principal"
        note={
          isSome(isolated_margin) ? (
            <>
              <Money value={isolated_margin} /> more isolated
            </>
          ) : (
            "Your own money"
          )
        }
        value={<Money value={principal} unit="" />}
      />
      <Stat
        label="Bonus"
        note={
          <Link to="/portfolio/$tab" params={{ tab: "bonus" }} className="text-accent hover:underline">
            {isSome(bonus) ? (
              <>
                <Money value={bonus_locked} /> in margin
              </>
            ) : (
              "Redeem a code"
            )}
          </Link>
        }
        value={<Money value={bonus} unit="" />}
      />
      <Stat label="Unrealised" note="At the mark price" value={<Signed value={unrealisedNow(account)} />} />
      <Stat label="Available" note={usedNote(account)} value={<Money value={available} unit="" />} />
      <Stat
        label="Withdrawable"
        note={
          <Link to="/portfolio/$tab" params={{ tab: "funds" }} className="text-accent hover:underline">
            {isSome(in_flight) ? (
              <>
                <Money value={in_flight} /> on its way
              </>
            ) : (
              "Deposit or withdraw"
            )}
          </Link>
        }
        value={<Money value={withdrawable} unit="" />}
      />
    </div>
  );
}

/** SEC-11: what a wallet sees whose account is not open yet. */
function FirstDeposit() {
  return (
    <Panel title="Welcome">
      <EmptyState
        title="Deposit to begin"
        action={
          <Link to="/portfolio/$tab" params={{ tab: "funds" }} className="font-medium text-accent hover:underline">
            Go to deposits
          </Link>
        }
      >
        Your account opens with your first deposit or bonus. Leverage and margin modes that you choose before are kept
        for it.
      </EmptyState>
    </Panel>
  );
}

export function Overview() {
  const account = useAccount();
  return (
    <div className="flex flex-col gap-4">
      {account.data !== undefined && isWithoutFunds(account.data) && <FirstDeposit />}
      <Async query={account} skeleton={STAT_SKELETON}>
        {(data) => <Headlines account={data} />}
      </Async>
      <EquityPanel account={account.data} />
      <Panel title="Open positions" isFlush>
        <Async query={account} rows={3} rowHeight={40}>
          {({ positions }) => <OpenPositions positions={positions} />}
        </Async>
      </Panel>
    </div>
  );
}
