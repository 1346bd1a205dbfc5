import type { MyPayout } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { QueryTable } from "../kit/list.tsx";
import { Money, Num } from "../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../kit/panel.tsx";
import { EmptyState, Skeleton } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { useSession } from "../session/session.ts";
import { ClaimRebates } from "./claim-rebates.tsx";
import type { Owed } from "./owed.ts";
import { useMyPayouts, useOverview } from "./queries.ts";
import { UnpaidFigure, useOwed } from "./unpaid.tsx";

const STATES: Readonly<Record<MyPayout["status"], string>> = {
  open: "made",
  paying: "under way",
  paid: "paid",
  cancelled: "cancelled",
};

const COLUMNS: readonly Column<MyPayout>[] = [
  ["Made", ({ created_at }) => <Time at={created_at} />],
  ["Amount", ({ amount }) => <Money value={amount} className="font-medium" />, "number"],
  ["Lines", ({ line_count }) => <Num value={line_count} />, "number", "secondary"],
  ["State", ({ status }) => <Badge tone={status === "paid" ? "accent" : "neutral"}>{STATES[status]}</Badge>],
  ["Way", ({ way }) => (way === null ? "–" : way === "chain" ? "referral contract" : "transfer"), "secondary"],
  ["Transaction", ({ tx_hash }) => <Hash value={tx_hash} of="transaction" />],
  ["Paid", ({ paid_at }) => <Time at={paid_at} />, "secondary"],
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
        <QueryTable
          query={payouts}
          rowsOf={(all) => all}
          label="Payouts"
          className="px-1"
          keyOf={({ batch_id }) => batch_id}
          columns={COLUMNS}
          loadingRows={6}
          empty={<EmptyState title="Nothing was paid yet">Records of closed days are paid out in batches.</EmptyState>}
        />
      </Panel>
      <div className="flex flex-col gap-4">
        {session !== undefined && <ClaimRebates wallet={session.name} />}
        <Panel title="How unpaid is calculated">
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
        <Fact name="Net rebates of downlines" value={<Money value={owed.net} />} />
        <Fact name="+ shares of sub-KOLs" value={<Money value={owed.shares} />} />
        <Fact name="+ rebates of own trades" value={<Money value={owed.own} />} />
        <Fact name="+ rewards of an on-chain code" value={<Money value={owed.affiliate} />} />
        <Fact name="− paid" value={<Money value={owed.paid} />} />
        <div className="my-1 h-px bg-line" />
        <Fact
          name="Unpaid"
          value={
            <span className="font-semibold">
              <UnpaidFigure owed={owed} />
            </span>
          }
        />
      </Facts>
      <p className="text-xs text-faint">
        {owed.isWhole
          ? "It includes today's provisional records, which are paid after the day is closed."
          : "One of these lists is cut at 100 entries, so older entries are left out. The export has them."}
      </p>
    </div>
  );
}
