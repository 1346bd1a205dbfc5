import type { OwnPoints } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Num } from "../kit/number.tsx";
import { Stat } from "../kit/panel.tsx";
import { Async } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import { formatDecimal } from "../lib/format.ts";
import { type BoardKind, useBoard, useOwnPoints } from "./queries.ts";

/** Points of today, of the epoch and of the season, with the ranks of the last refresh. */
export function OwnStanding({ address }: { readonly address: string }) {
  return (
    <Async query={useOwnPoints(address)} rows={2} rowHeight={44} loadingLabel="Loading your points">
      {(mine) => <Figures mine={mine} />}
    </Async>
  );
}

function Figures({ mine }: { readonly mine: OwnPoints }) {
  return (
    <section aria-label="Your points" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        label="Today"
        note={<Rank kind="daily" rank={mine.rank_today} points={mine.points_today} />}
        value={<Points value={mine.points_today} />}
      />
      <Stat
        label={`Epoch ${mine.epoch_number}`}
        note={<Rank kind="epoch" rank={mine.rank_epoch} points={mine.points_epoch} />}
        value={<Points value={mine.points_epoch} />}
      />
      <Stat
        label="This season"
        note={mine.season_id === null ? "no season runs" : `level L${mine.level}`}
        value={<Points value={mine.points_season} />}
      />
      <Stat label="All time" note="of all epochs" value={<Points value={mine.points_total} />} />
    </section>
  );
}

const Points = ({ value }: { readonly value: string }) => <Num value={value} decimals={2} />;

interface RankProps {
  readonly kind: BoardKind;
  readonly rank: number | null;
  readonly points: string;
}

/** The wallet's rank, and the points missing to the next one. */
function Rank({ kind, rank, points }: RankProps) {
  const isBehind = rank !== null && rank > 1;
  const { data } = useBoard(kind, undefined, isBehind ? rank - 2 : 0, 1, isBehind);
  if (rank === null) return "not on the list yet";
  if (rank === 1) return "rank 1, the top";
  return (
    <>
      rank {formatDecimal(String(rank))}
      <Distance ahead={data?.entries[0]?.points} points={points} rank={rank} />
    </>
  );
}

function Distance({ ahead, points, rank }: { ahead: string | undefined; points: string; rank: number }): ReactNode {
  if (ahead === undefined) return null;
  const missing = Decimal.parse(ahead).sub(Decimal.parse(points));
  if (!missing.gt(Decimal.ZERO)) return ", moving up with the next refresh";
  return `, ${formatDecimal(missing.toString(), { decimals: 2, rounding: "ceil" })} to rank ${rank - 1}`;
}
