import { Link } from "@tanstack/react-router";
import { PagedTable } from "../../kit/list.tsx";
import { Money } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { BATCH_TONES } from "./batch-words.ts";
import { NewBatch } from "./new-batch.tsx";
import { useBatches } from "./queries.ts";

function Batches() {
  return (
    <Panel title="Batches" isFlush>
      <PagedTable
        query={useBatches()}
        label="Payout batches"
        keyOf={(batch) => batch.id}
        columns={[
          [
            "Made",
            (batch) => (
              <Link
                to="/admin/payouts/$batchId"
                params={{ batchId: batch.id }}
                className="text-accent underline-offset-2 hover:underline"
              >
                <Time at={batch.created_at} />
              </Link>
            ),
          ],
          ["Status", ({ status }) => <Badge tone={BATCH_TONES[status]}>{status}</Badge>],
          ["Days", ({ period }) => period ?? "all closed", "secondary"],
          ["Total", (batch) => <Money value={batch.total_amount} />, "number"],
          ["Payees", (batch) => batch.payee_count, "number"],
          ["Lines", (batch) => batch.line_count, "number", "secondary"],
          ["Paid", (batch) => <Time at={batch.paid_at} />, "secondary"],
        ]}
        loadingRows={6}
        empty={
          <EmptyState title="No batch has been made yet">
            A batch sums what each payee is owed. Nothing moves until it is paid.
          </EmptyState>
        }
      />
    </Panel>
  );
}

/** Payout batches: from what is owed to what is paid. */
export function BatchesPage() {
  return (
    <Page
      title="Payout batches"
      lead="Make a batch of what is owed, check it, pay it. A line is paid by exactly one batch."
    >
      <NewBatch />
      <Batches />
    </Page>
  );
}
