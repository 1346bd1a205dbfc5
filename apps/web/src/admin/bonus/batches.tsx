import type { BonusBatch } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Money } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { MoreRows } from "./more-rows.tsx";
import { useBatches } from "./queries.ts";

const NoBatches = () => (
  <EmptyState title="No batch has been granted yet">
    A batch gives a bonus to wallets at once; codes for others belong to a batch as well.{" "}
    <Link to="/admin/bonus" search={{ tab: "grant" }} className="text-accent hover:underline">
      Grant the first one
    </Link>
    .
  </EmptyState>
);

function BatchTable({ batches }: { readonly batches: readonly BonusBatch[] }) {
  return (
    <Table
      label="Batches"
      rows={batches}
      keyOf={({ grant_batch_id }) => grant_batch_id}
      columns={[
        {
          key: "name",
          title: "Batch",
          cell: (batch) => (
            <Link
              to="/admin/bonus"
              search={{ tab: "batches", batch: batch.grant_batch_id }}
              className="text-accent underline-offset-2 hover:underline"
            >
              {batch.batch_name}
            </Link>
          ),
        },
        { key: "tier", title: "Tier", isSecondary: true, cell: ({ grant_tier }) => grant_tier },
        {
          key: "amount",
          title: "Each",
          isNumber: true,
          cell: ({ per_address_amount }) => <Money value={per_address_amount} />,
        },
        { key: "created", title: "Granted", isNumber: true, cell: ({ created }) => created },
        { key: "failed", title: "Failed", isNumber: true, cell: ({ failed }) => failed },
        {
          key: "unused",
          title: "Codes unused",
          isNumber: true,
          cell: ({ codes }) => codes.unused,
        },
        { key: "redeemed", title: "Codes redeemed", isNumber: true, cell: ({ codes }) => codes.redeemed },
        {
          key: "ended",
          title: "Codes ended",
          isNumber: true,
          isSecondary: true,
          cell: ({ codes }) => codes.expired + codes.void,
        },
        {
          key: "campaign",
          title: "Campaign",
          isNumber: true,
          isSecondary: true,
          cell: ({ campaign_id }) => campaign_id,
        },
        { key: "time", title: "Made", cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}

/** All batches, the newest first. */
export function Batches() {
  const query = useBatches();
  return (
    <Panel title="Batches" isFlush>
      <Async
        query={query}
        skeleton={<Skeleton rows={6} rowHeight={40} />}
        isEmpty={({ pages }) => pages[0]?.batches.length === 0}
        empty={<NoBatches />}
      >
        {({ pages }) => {
          const batches = pages.flatMap((page) => page.batches);
          return (
            <>
              <BatchTable batches={batches} />
              <MoreRows of="batch" many="batches" shown={batches.length} total={pages[0]?.total} query={query} />
            </>
          );
        }}
      </Async>
    </Panel>
  );
}
