import type { PoolLine } from "@bourse/api/client";
import { PagedTable } from "../../kit/list.tsx";
import { Num } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { usePoolLedger } from "./queries.ts";
import { WalletLink } from "./wallet-link.tsx";
import { POOL_WORDS } from "./words.ts";

const COLUMNS: readonly Column<PoolLine>[] = [
  { key: "id", title: "Line", isNumber: true, width: "5rem", cell: ({ id }) => id },
  ["Time", ({ time }) => <Time at={time} precision="second" />],
  ["What", ({ kind }) => POOL_WORDS[kind]],
  [
    "Left the pool, USDT",
    ({ kind, amount }) => (kind === "GRANT" ? <Num value={amount} decimals={6} /> : ""),
    "number",
  ],
  ["Returned, USDT", ({ kind, amount }) => (kind === "GRANT" ? "" : <Num value={amount} decimals={6} />), "number"],
  ["Wallet", ({ address }) => <WalletLink address={address} />],
  ["Engine command", ({ command_number }) => command_number ?? "under way", "number", "secondary"],
];

/** What left the pool and what was returned, the newest first. */
export const PoolLedger = () => (
  <Panel title="The pool's ledger" isFlush>
    <PagedTable
      label="The pool's ledger"
      query={usePoolLedger()}
      keyOf={({ id }) => id}
      columns={COLUMNS}
      empty={<EmptyState title="Nothing has left the pool yet" />}
    />
  </Panel>
);
