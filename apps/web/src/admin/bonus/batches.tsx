import type { BonusBatch } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { PagedTable } from "../../kit/list.tsx";
import { Money } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { useBatches } from "./queries.ts";

const NoBatches = () => (
  <EmptyState title="No batch has been granted yet">
    A batch grants a bonus to many wallets. Codes belong to a batch too.{" "}
    <Link to="/admin/bonus" search={{ tab: "grant" }} className="text-accent hover:underline">
      Grant the first one
    </Link>
    .
  </EmptyState>
);

const COLUMNS: readonly Column<BonusBatch>[] = [
  [
    "Batch",
    (batch) => (
      <Link
        to="/admin/bonus"
        search={{ tab: "batches", batch: batch.grant_batch_id }}
        className="text-accent underline-offset-2 hover:underline"
      >
        {batch.batch_name}
      </Link>
    ),
  ],
  ["Tier", ({ grant_tier }) => grant_tier, "secondary"],
  ["Each", ({ per_address_amount }) => <Money value={per_address_amount} />, "number"],
  ["Granted", ({ created }) => created, "number"],
  ["Failed", ({ failed }) => failed, "number"],
  ["Codes unused", ({ codes }) => codes.unused, "number"],
  ["Codes redeemed", ({ codes }) => codes.redeemed, "number"],
  ["Codes ended", ({ codes }) => codes.expired + codes.void, "number", "secondary"],
  ["Campaign", ({ campaign_id }) => campaign_id, "number", "secondary"],
  ["Made", ({ created_at }) => <Time at={created_at} />],
];

/** All batches, the newest first. */
export function Batches() {
  return (
    <Panel title="Batches" isFlush>
      <PagedTable
        label="Batches"
        query={useBatches()}
        keyOf={({ grant_batch_id }) => grant_batch_id}
        columns={COLUMNS}
        empty={<NoBatches />}
      />
    </Panel>
  );
}
