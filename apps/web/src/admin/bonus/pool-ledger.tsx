import { Num } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { MoreRows } from "./more-rows.tsx";
import { usePoolLedger } from "./queries.ts";
import { WalletLink } from "./wallet-link.tsx";
import { POOL_WORDS } from "./words.ts";

/** What left the pool and what came back, the newest first. */
export function PoolLedger() {
  const query = usePoolLedger();
  return (
    <Panel title="The pool's ledger" isFlush>
      <Async
        query={query}
        skeleton={<Skeleton rows={8} rowHeight={40} />}
        isEmpty={({ pages }) => pages[0]?.lines.length === 0}
        empty={<EmptyState title="Nothing has left the pool yet" />}
      >
        {({ pages }) => {
          const lines = pages.flatMap((page) => page.lines);
          return (
            <>
              <Table
                label="The pool's ledger"
                rows={lines}
                keyOf={({ id }) => id}
                columns={[
                  { key: "id", title: "Line", isNumber: true, width: "5rem", cell: ({ id }) => id },
                  { key: "time", title: "Time", cell: ({ time }) => <Time at={time} precision="second" /> },
                  { key: "kind", title: "What", cell: ({ kind }) => POOL_WORDS[kind] },
                  {
                    key: "out",
                    title: "Left the pool, USDT",
                    isNumber: true,
                    cell: ({ kind, amount }) => (kind === "GRANT" ? <Num value={amount} decimals={6} /> : ""),
                  },
                  {
                    key: "back",
                    title: "Came back, USDT",
                    isNumber: true,
                    cell: ({ kind, amount }) => (kind === "GRANT" ? "" : <Num value={amount} decimals={6} />),
                  },
                  {
                    key: "address",
                    title: "Wallet",
                    cell: ({ address }) => <WalletLink address={address} />,
                  },
                  {
                    key: "command",
                    title: "Engine's command",
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ command_number }) => command_number ?? "on its way",
                  },
                ]}
              />
              <MoreRows of="line" shown={lines.length} total={pages[0]?.total} query={query} />
            </>
          );
        }}
      </Async>
    </Panel>
  );
}
