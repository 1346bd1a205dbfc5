import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Select } from "../kit/field.tsx";
import { Hash } from "../kit/hash.tsx";
import { Num } from "../kit/number.tsx";
import { Pager } from "../kit/pager.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { VirtualTable } from "../kit/table.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { Time } from "../kit/time.tsx";
import { formatLocal } from "../lib/time.ts";
import { type Board, type BoardEntry, type BoardKind, useBoard, useOwnPoints, useSeasons } from "./queries.ts";
import { epochChoices, epochStart_ms, seasonInFocus } from "./season-time.ts";

const PAGE = 100;
/** Rows shown above the wallet's own rank. */
const ABOVE_OWN = 5;
const HEIGHT = "26rem";

export function Boards({ address }: { readonly address: string | undefined }) {
  const [kind, setKind] = useState<BoardKind>("daily");
  const [epoch, setEpoch] = useState<number>();
  return (
    <Panel title="Leaderboards" isFlush>
      <Tabs
        label="Leaderboards"
        value={kind}
        onChange={setKind}
        end={<EpochPicker epoch={epoch} onChange={setEpoch} />}
        items={[
          {
            value: "daily",
            label: "Day",
            content: <BoardView key={epoch} kind="daily" epoch={epoch} address={address} />,
          },
          {
            value: "epoch",
            label: "Epoch",
            content: <BoardView key={epoch} kind="epoch" epoch={epoch} address={address} />,
          },
        ]}
      />
    </Panel>
  );
}

interface EpochPickerProps {
  readonly epoch: number | undefined;
  readonly onChange: (epoch: number | undefined) => void;
}

function EpochPicker({ epoch, onChange }: EpochPickerProps) {
  const { data: now } = useBoard("epoch", undefined, 0, PAGE);
  const { data: seasons } = useSeasons();
  const season = seasons === undefined ? undefined : seasonInFocus(seasons);
  const current = now?.epoch_number;
  const nameOf = (number: number) => {
    const start_ms = season === undefined ? undefined : epochStart_ms(number, season);
    return start_ms === undefined ? `Epoch ${number}` : `Epoch ${number}, from ${formatLocal(start_ms, "day")}`;
  };
  return (
    <Select
      aria-label="Epoch of the list"
      className="max-w-52 shrink-0"
      value={epoch ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
    >
      <option value="">Now{current === undefined ? "" : ` (epoch ${current})`}</option>
      {epochChoices((current ?? 1) - 1).map((number) => (
        <option key={number} value={number}>
          {nameOf(number)}
        </option>
      ))}
    </Select>
  );
}

interface BoardViewProps {
  readonly kind: BoardKind;
  readonly epoch: number | undefined;
  readonly address: string | undefined;
}

function BoardView({ kind, epoch, address }: BoardViewProps) {
  const [offset, setOffset] = useState(0);
  const board = useBoard(kind, epoch, offset, PAGE);
  const { data: mine } = useOwnPoints(address);
  // Ranks of past epochs are only in the list.
  const ownRank = epoch === undefined ? (kind === "daily" ? mine?.rank_today : mine?.rank_epoch) : undefined;
  return (
    <Async query={board} rows={10} rowHeight={40}>
      {(shown) => (
        <div className="flex flex-col">
          <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-1 text-xs text-muted">
            <BoardFacts board={shown} isPast={epoch !== undefined} />
            <span className="flex flex-wrap items-center gap-2">
              {ownRank !== null && ownRank !== undefined && (
                <Button size="small" onClick={() => setOffset(Math.max(0, ownRank - 1 - ABOVE_OWN))}>
                  To my rank {ownRank}
                </Button>
              )}
              <Pager label="the list" offset={offset} pageSize={PAGE} total={shown.total} onChange={setOffset} />
            </span>
          </div>
          <Ranks board={shown} kind={kind} address={address} />
        </div>
      )}
    </Async>
  );
}

function BoardFacts({ board, isPast }: { readonly board: Board; readonly isPast: boolean }) {
  const what = board.date === undefined ? `Epoch ${board.epoch_number}` : `${board.date} UTC`;
  return (
    <span>
      {what}, <Num value={board.total} /> wallets.{" "}
      {isPast ? (
        "Final."
      ) : (
        <>
          Ranked at <Time at={board.refreshed_at} precision="clock" />, every five minutes.
        </>
      )}
    </span>
  );
}

interface RanksProps {
  readonly board: Board;
  readonly kind: BoardKind;
  readonly address: string | undefined;
}

function Ranks({ board, kind, address }: RanksProps) {
  const isOwn = (entry: BoardEntry) => entry.user_address === address;
  return (
    <VirtualTable<BoardEntry>
      label={kind === "daily" ? "Daily leaderboard" : "Epoch leaderboard"}
      height={HEIGHT}
      className="px-1"
      rows={board.entries}
      keyOf={({ rank }) => rank}
      rowClass={(entry) => isOwn(entry) && "bg-accent-soft"}
      empty={
        <EmptyState title="No wallet has scored here yet">
          The list begins with the first fee paid, or the next midnight with an earn position.
        </EmptyState>
      }
      columns={[
        { key: "rank", title: "Rank", width: "3.5rem", isNumber: true, cell: ({ rank }) => <Num value={rank} /> },
        [
          "Wallet",
          (entry) => (
            <span className="flex items-center gap-2">
              <Hash value={entry.user_address} /> {isOwn(entry) && <Badge tone="accent">you</Badge>}
            </span>
          ),
        ],
        ["Level", ({ tier }) => tier ?? <span className="text-faint">–</span>],
        ["Points", ({ points }) => <Num value={points} decimals={2} />, "number"],
      ]}
    />
  );
}
