import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Money } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { Pager } from "../frame/pager.tsx";
import { BATCH_TONES } from "./batch-words.ts";
import { NewBatch } from "./new-batch.tsx";
import { useBatches } from "./queries.ts";

const PER_PAGE = 20;

function Batches() {
  const [page, setPage] = useState(1);
  const query = useBatches(page, PER_PAGE);
  return (
    <Panel title="Batches" isFlush>
      <Async
        query={query}
        skeleton={<Skeleton rows={6} rowHeight={40} />}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title="No batch has been made yet">
            A batch sums what each payee is owed. Nothing moves until it is paid.
          </EmptyState>
        }
      >
        {({ batches, total }) => (
          <>
            <Table
              label="Payout batches"
              rows={batches}
              keyOf={(batch) => batch.id}
              columns={[
                {
                  key: "created",
                  title: "Made",
                  cell: (batch) => (
                    <Link
                      to="/admin/payouts/$batchId"
                      params={{ batchId: batch.id }}
                      className="text-accent underline-offset-2 hover:underline"
                    >
                      <Time at={batch.created_at} />
                    </Link>
                  ),
                },
                {
                  key: "status",
                  title: "Status",
                  cell: ({ status }) => <Badge tone={BATCH_TONES[status]}>{status}</Badge>,
                },
                { key: "period", title: "Days", isSecondary: true, cell: ({ period }) => period ?? "all closed" },
                { key: "total", title: "Total", isNumber: true, cell: (batch) => <Money value={batch.total_amount} /> },
                { key: "payees", title: "Payees", isNumber: true, cell: (batch) => batch.payee_count },
                { key: "lines", title: "Lines", isNumber: true, isSecondary: true, cell: (batch) => batch.line_count },
                { key: "paid", title: "Paid", isSecondary: true, cell: (batch) => <Time at={batch.paid_at} /> },
              ]}
            />
            <Pager of="batches" page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
          </>
        )}
      </Async>
    </Panel>
  );
}

/** From what is owed to what is paid. */
export function BatchesPage() {
  return (
    <Page
      title="Payout batches"
      lead="Put what is owed together, look at it, pay it. A line is paid by exactly one batch."
    >
      <NewBatch />
      <Batches />
    </Page>
  );
}
