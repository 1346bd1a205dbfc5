import type { PayoutBatchDetail } from "@bourse/api/client";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Hash } from "../../kit/hash.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Notice, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { Pager } from "../frame/pager.tsx";
import { BatchActions } from "./batch-actions.tsx";
import { BATCH_TONES, BATCH_WORDS, exactUsdt, TRANSACTION_WORDS } from "./batch-words.ts";
import { CsvDownload } from "./csv-download.tsx";
import { useBatch } from "./queries.ts";

const PER_PAGE = 100;

function Figures({ batch }: { readonly batch: PayoutBatchDetail }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Total" note={exactUsdt(batch.total_amount)}>
        <Money value={batch.total_amount} />
      </Stat>
      <Stat label="Payees" note="wallets that get something">
        <Num value={batch.payee_count} />
      </Stat>
      <Stat label="Lines" note="parts of records behind it">
        <Num value={batch.line_count} />
      </Stat>
      <Stat label="Days" note={`payees below ${exactUsdt(batch.min_amount)} left out`}>
        {batch.period ?? "all closed"}
      </Stat>
    </div>
  );
}

function Course({ batch }: { readonly batch: PayoutBatchDetail }) {
  return (
    <Panel title="Course">
      <Facts>
        <Fact name="Made">
          <Time at={batch.created_at} precision="second" />
        </Fact>
        <Fact name="Paid">
          <Time at={batch.paid_at} precision="second" />
        </Fact>
        <Fact name="Way">
          {batch.way === null
            ? "not decided"
            : batch.way === "chain"
              ? "by the operator through the chain"
              : "by a transfer made elsewhere"}
        </Fact>
        {batch.transactions.map(({ tx_hash, kind, part, payees }) => (
          <Fact
            key={tx_hash}
            name={`${TRANSACTION_WORDS[kind]}${part === undefined ? "" : `, part ${part} (${payees ?? 0} payees)`}`}
          >
            <Hash value={tx_hash} of="transaction hash" />
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

interface PayeesProps {
  readonly batch: PayoutBatchDetail;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Payees({ batch, page, onPage }: PayeesProps) {
  return (
    <Panel title="Payees" actions={<CsvDownload batch={batch} />} isFlush>
      <Table
        label="Payees"
        rows={batch.payees}
        keyOf={({ payee }) => payee}
        columns={[
          { key: "payee", title: "Wallet", cell: ({ payee }) => <Hash value={payee} of="wallet" /> },
          {
            key: "amount",
            title: "Amount, USDT",
            isNumber: true,
            cell: ({ amount }) => <Num value={amount} decimals={6} />,
          },
          { key: "lines", title: "Lines", isNumber: true, cell: ({ line_count }) => line_count },
          {
            key: "tx",
            title: "Transaction",
            cell: ({ tx_hash }) => <Hash value={tx_hash} of="transaction hash" />,
          },
          { key: "paid", title: "Paid", isSecondary: true, cell: ({ paid_at }) => <Time at={paid_at} /> },
        ]}
      />
      <Pager of="payees" page={page} perPage={PER_PAGE} total={batch.payee_count} onPage={onPage} />
    </Panel>
  );
}

export function BatchPage() {
  const { batchId } = useParams({ from: "/admin/payouts/$batchId" });
  const [page, setPage] = useState(1);
  const query = useBatch(batchId, page, PER_PAGE);
  const batch = query.data;
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
      <Async query={query} skeleton={<Skeleton rows={10} rowHeight={40} />}>
        {(detail) => (
          <>
            <div className="flex flex-wrap items-center gap-2 text-sm text-muted" role="status">
              <Badge tone={BATCH_TONES[detail.status]}>{detail.status}</Badge> {BATCH_WORDS[detail.status]}
            </div>
            {detail.hold_up !== null && <Notice>It does not go on: {detail.hold_up}.</Notice>}
            <Figures batch={detail} />
            <Course batch={detail} />
            <Payees batch={detail} page={page} onPage={setPage} />
          </>
        )}
      </Async>
    </Page>
  );
}
