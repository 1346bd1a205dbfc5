import type { PayoutBatchDetail } from "@bourse/api/client";
import { Link, useParams } from "@tanstack/react-router";
import { Hash } from "../../kit/hash.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Notice, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import type { Pages } from "../../lib/use-read.ts";
import { BatchActions } from "./batch-actions.tsx";
import { BATCH_TONES, BATCH_WORDS, exactUsdt, TRANSACTION_WORDS } from "./batch-words.ts";
import { CsvDownload } from "./csv-download.tsx";
import { useBatch } from "./queries.ts";

function Figures({ batch }: { readonly batch: PayoutBatchDetail }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Total" note={exactUsdt(batch.total_amount)} value={<Money value={batch.total_amount} />} />
      <Stat label="Payees" note="wallets that get something" value={<Num value={batch.payee_count} />} />
      <Stat label="Lines" note="parts of records behind it" value={<Num value={batch.line_count} />} />
      <Stat
        label="Days"
        note={`payees below ${exactUsdt(batch.min_amount)} left out`}
        value={batch.period ?? "all closed"}
      />
    </div>
  );
}

function Course({ batch }: { readonly batch: PayoutBatchDetail }) {
  return (
    <Panel title="Course">
      <Facts>
        <Fact name="Made" value={<Time at={batch.created_at} precision="second" />} />
        <Fact name="Paid" value={<Time at={batch.paid_at} precision="second" />} />
        <Fact
          name="Way"
          value={
            batch.way === null
              ? "not decided"
              : batch.way === "chain"
                ? "by the operator through the chain"
                : "by an outside transfer"
          }
        />
        {batch.transactions.map(({ tx_hash, kind, part, payees }) => (
          <Fact
            key={tx_hash}
            name={`${TRANSACTION_WORDS[kind]}${part === undefined ? "" : `, part ${part} (${payees ?? 0} payees)`}`}
            value={<Hash value={tx_hash} of="transaction hash" />}
          />
        ))}
      </Facts>
    </Panel>
  );
}

interface PayeesProps {
  readonly batch: PayoutBatchDetail;
  readonly query: Pages<PayoutBatchDetail>;
}

function Payees({ batch, query }: PayeesProps) {
  return (
    <Panel title="Payees" actions={<CsvDownload batch={batch} />} isFlush>
      <PagedTable
        label="Payees"
        query={query}
        keyOf={({ payee }) => payee}
        columns={[
          ["Wallet", ({ payee }) => <Hash value={payee} of="wallet" />],
          ["Amount, USDT", ({ amount }) => <Num value={amount} decimals={6} />, "number"],
          ["Lines", ({ line_count }) => line_count, "number"],
          ["Transaction", ({ tx_hash }) => <Hash value={tx_hash} of="transaction hash" />],
          ["Paid", ({ paid_at }) => <Time at={paid_at} />, "secondary"],
        ]}
      />
    </Panel>
  );
}

export function BatchPage() {
  const { batchId } = useParams({ from: "/admin/payouts/$batchId" });
  const query = useBatch(batchId);
  const batch = query.data?.pages[0];
  return (
    <Page
      title="Payout batch"
      lead={
        <>
          <Link to="/admin/payouts" className="text-accent underline underline-offset-2">
            All batches
          </Link>{" "}
          · <Hash value={batchId} of="batch id" />
        </>
      }
      {...(batch === undefined ? {} : { actions: <BatchActions batch={batch} /> })}
    >
      <Async query={query} rows={10} rowHeight={40}>
        {({ pages: [detail] }) =>
          detail && (
            <>
              <div className="flex flex-wrap items-center gap-2 text-sm text-muted" role="status">
                <Badge tone={BATCH_TONES[detail.status]}>{detail.status}</Badge> {BATCH_WORDS[detail.status]}
              </div>
              {detail.hold_up !== null && <Notice>The payout is stuck: {detail.hold_up}.</Notice>}
              <Figures batch={detail} />
              <Course batch={detail} />
              <Payees batch={detail} query={query} />
            </>
          )
        }
      </Async>
    </Page>
  );
}
