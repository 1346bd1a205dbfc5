import type { BonusLedgerLine } from "@bourse/api/client";
import { useState } from "react";
import { Dialog } from "../../kit/dialog.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Num } from "../../kit/number.tsx";
import { Fact, Facts, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { msOf } from "../../lib/time.ts";
import { howColumn } from "../how-column.tsx";
import { useBonusLedger } from "../queries.ts";
import { TradesAt } from "../trades-at.tsx";
import { WhatAndWhen } from "../what-and-when.tsx";
import { isMove, isOfTrades, lineHow, lineName, signedAmount } from "./bonus-words.ts";

function columnsOf(onHow: (row: BonusLedgerLine) => void): readonly Column<BonusLedgerLine>[] {
  return [
    ["Time", ({ time }) => <Time at={time} precision="second" />, "secondary"],
    ["What happened", ({ kind, time }) => <WhatAndWhen what={lineName(kind)} at={time} />],
    [
      "Amount, USDT",
      (row) => (
        <Num
          value={signedAmount(row)}
          decimals={6}
          signed={!isMove(row.kind)}
          {...(isMove(row.kind) ? { className: "text-muted" } : {})}
        />
      ),
      "number",
    ],
    ["Bonus after", ({ bonus_after }) => <Num value={bonus_after} decimals={2} />, "number"],
    ["In margin after", ({ locked_after }) => <Num value={locked_after} decimals={2} />, "number", "secondary"],
    ["Consumed after", ({ consumed_after }) => <Num value={consumed_after} decimals={2} />, "number", "secondary"],
    howColumn(onHow),
  ];
}

/** Every line of the bonus, each with its explanation. */
export function Ledger() {
  const [explained, setExplained] = useState<BonusLedgerLine>();
  return (
    <Panel title="Ledger of the bonus" isFlush>
      <PagedTable
        label="Ledger of the bonus"
        query={useBonusLedger()}
        // Lines have no id: their index tells apart those of one moment.
        keyOf={(_, index) => index}
        columns={columnsOf(setExplained)}
        empty={
          <EmptyState title="Nothing yet">Every change of a bonus is listed here: costs it paid, margin.</EmptyState>
        }
      />
      <Dialog
        title={explained === undefined ? "" : `How it is calculated: ${lineName(explained.kind)}`}
        description={explained === undefined ? "" : lineHow(explained.kind)}
        isOpen={explained !== undefined}
        onClose={() => setExplained(undefined)}
      >
        {explained !== undefined && (
          <>
            <Facts>
              <Fact name="Amount" value={<Num value={explained.amount} unit="USDT" />} />
              <Fact name="Bonus after it" value={<Num value={explained.bonus_after} unit="USDT" />} />
              <Fact name="Of it in margin" value={<Num value={explained.locked_after} unit="USDT" />} />
              <Fact name="Time" value={<Time at={explained.time} precision="second" />} />
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
