import type { BonusLedgerLine } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Num } from "../../kit/number.tsx";
import { Fact, Facts, Panel } from "../../kit/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { msOf } from "../../lib/time.ts";
import { useBonusLedger } from "../queries.ts";
import { TradesAt } from "../trades-at.tsx";
import { WhatAndWhen } from "../what-and-when.tsx";
import { isMove, isOfTrades, lineHow, lineName, signedAmount } from "./bonus-words.ts";

/** Lines have no number of their own: their place in the list tells those of one moment apart. */
interface Row extends BonusLedgerLine {
  readonly place: number;
}

function columnsOf(onHow: (row: Row) => void): readonly Column<Row>[] {
  return [
    { key: "time", title: "Time", isSecondary: true, cell: ({ time }) => <Time at={time} precision="second" /> },
    { key: "kind", title: "What happened", cell: ({ kind, time }) => <WhatAndWhen what={lineName(kind)} at={time} /> },
    {
      key: "amount",
      title: "Amount, USDT",
      isNumber: true,
      cell: (row) => (
        <Num
          value={signedAmount(row)}
          decimals={6}
          signed={!isMove(row.kind)}
          {...(isMove(row.kind) ? { className: "text-muted" } : {})}
        />
      ),
    },
    {
      key: "after",
      title: "Bonus after",
      isNumber: true,
      cell: ({ bonus_after }) => <Num value={bonus_after} decimals={2} />,
    },
    {
      key: "locked",
      title: "In margin after",
      isNumber: true,
      isSecondary: true,
      cell: ({ locked_after }) => <Num value={locked_after} decimals={2} />,
    },
    {
      key: "consumed",
      title: "Consumed after",
      isNumber: true,
      isSecondary: true,
      cell: ({ consumed_after }) => <Num value={consumed_after} decimals={2} />,
    },
    {
      key: "how",
      title: <span className="sr-only">How it came about</span>,
      cell: (row) => (
        <Button size="small" look="quiet" onClick={() => onHow(row)}>
          How?
        </Button>
      ),
    },
  ];
}

/** Every line of the bonus, each with what stands behind it. */
export function Ledger() {
  const query = useBonusLedger();
  const [explained, setExplained] = useState<Row>();
  const rows = (query.data?.pages.flatMap(({ lines }) => lines) ?? []).map((line, place) => ({ ...line, place }));
  return (
    <Panel title="Ledger of the bonus" isFlush>
      {query.isPending && <Skeleton rows={4} rowHeight={40} />}
      {query.isError && rows.length === 0 && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <Table
          label="Ledger of the bonus"
          rows={rows}
          keyOf={({ place }) => place}
          columns={columnsOf(setExplained)}
          empty={
            <EmptyState title="Nothing yet">
              Every line of a bonus shows here: what it paid, what is in margin.
            </EmptyState>
          }
        />
      )}
      {query.hasNextPage && (
        <div className="flex justify-center p-3">
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      <Dialog
        title={explained === undefined ? "" : `How this came about: ${lineName(explained.kind)}`}
        description={explained === undefined ? "" : lineHow(explained.kind)}
        isOpen={explained !== undefined}
        onOpenChange={(isOpen) => !isOpen && setExplained(undefined)}
      >
        {explained !== undefined && (
          <>
            <Facts>
              <Fact name="Amount">
                <Num value={explained.amount} unit="USDT" />
              </Fact>
              <Fact name="Bonus after it">
                <Num value={explained.bonus_after} unit="USDT" />
              </Fact>
              <Fact name="Of it in margin">
                <Num value={explained.locked_after} unit="USDT" />
              </Fact>
              <Fact name="Time">
                <Time at={explained.time} precision="second" />
              </Fact>
            </Facts>
            {isOfTrades(explained.kind) && (
              <TradesAt
                time={msOf(explained.time)}
                {...(explained.kind === "CONSUME_FEE" ? { feeFromBonus: explained.amount } : {})}
              />
            )}
          </>
        )}
      </Dialog>
    </Panel>
  );
}
