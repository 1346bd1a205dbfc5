import type { MyPayout } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { Money, Num } from "../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { useSession } from "../session/session.ts";
import { ClaimRebates } from "./claim-rebates.tsx";
import type { Owed } from "./owed.ts";
import { useMyPayouts, useOverview } from "./queries.ts";
import { UnpaidFigure, useOwed } from "./unpaid.tsx";

const STATES: Readonly<Record<MyPayout["status"], string>> = {
  open: "put together",
  paying: "on its way",
  paid: "paid",
  cancelled: "cancelled",
};

const COLUMNS: readonly Column<MyPayout>[] = [
  { key: "made", title: "Put together", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: "amount",
    title: "Amount",
    isNumber: true,
    cell: ({ amount }) => <Money value={amount} className="font-medium" />,
  },
  {
    key: "lines",
    title: "Lines",
    isNumber: true,
    isSecondary: true,
    cell: ({ line_count }) => <Num value={line_count} />,
  },
  {
    key: "status",
    title: "State",
    cell: ({ status }) => <Badge tone={status === "paid" ? "accent" : "neutral"}>{STATES[status]}</Badge>,
  },
  {
    key: "way",
    title: "Way",
    isSecondary: true,
    cell: ({ way }) => (way === null ? "–" : way === "chain" ? "referral contract" : "transfer"),
  },
  { key: "tx", title: "Transaction", cell: ({ tx_hash }) => <Hash value={tx_hash} of="transaction" /> },
  { key: "paid", title: "Paid", isSecondary: true, cell: ({ paid_at }) => <Time at={paid_at} /> },
];

/** What was paid to this wallet, by which transaction, and what is still owed. */
export function Payouts() {
  const payouts = useMyPayouts();
  const { data: overview } = useOverview();
  const owed = useOwed(overview);
  const session = useSession("wallet");
  return (
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-3">
      <Panel title="Payouts to you" isFlush className="lg:col-span-2">
        <Async
          query={payouts}
          skeleton={<Skeleton rows={6} rowHeight={40} />}
          isEmpty={(all) => all.length === 0}
          empty={
            <EmptyState title="Nothing was paid yet">
              Records of closed days are put together into payouts by the operators.
            </EmptyState>
          }
        >
          {(all) => (
            <>
              <Table label="Payouts" className="px-1" rows={all} keyOf={({ batch_id }) => batch_id} columns={COLUMNS} />
            </>
          )}
        </Async>
      </Panel>
      <div className="flex flex-col gap-4">
        {session !== undefined && <ClaimRebates wallet={session.name} />}
        <Panel title="How unpaid comes about">
          {owed === undefined ? <Skeleton rows={6} /> : <OwedFacts owed={owed} />}
        </Panel>
      </div>
    </div>
  );
}

function OwedFacts({ owed }: { readonly owed: Owed }) {
  return (
    <div className="flex flex-col gap-3">
      <Facts>
        <Fact name="Net rebates of downlines">
          <Money value={owed.net} />
        </Fact>
        <Fact name="+ shares of sub-KOLs">
          <Money value={owed.shares} />
        </Fact>
        <Fact name="+ rebates of own trades">
          <Money value={owed.own} />
        </Fact>
        <Fact name="+ rewards of an on-chain code">
          <Money value={owed.affiliate} />
        </Fact>
        <Fact name="− paid">
          <Money value={owed.paid} />
        </Fact>
        <div className="my-1 h-px bg-line" />
        <Fact name="Unpaid">
          <span className="font-semibold">
            <UnpaidFigure owed={owed} />
          </span>
        </Fact>
      </Facts>
      <p className="text-xs text-faint">
        {owed.isWhole
          ? "Today's provisional records are in it; they are paid after their day is closed."
          : "Lists end after 100 entries, and one of these is full: the figure leaves older entries out. The export has them."}
      </p>
    </div>
  );
}
