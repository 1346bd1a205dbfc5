import type { EarnLevel } from "@bourse/api/client";
import { Num } from "../kit/number.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { Progress } from "../kit/progress.tsx";
import { Async } from "../kit/states.tsx";
import { Table } from "../kit/table.tsx";
import { formatDecimal } from "../lib/format.ts";
import { type Rung, standingOf } from "./ladder.ts";
import { useLevels, useOwnPoints } from "./queries.ts";

const RUNG_HEIGHT = 40;

/** The six levels, where one stands, and how far it is to the next. */
export function Ladder({ address }: { readonly address: string | undefined }) {
  const levels = useLevels();
  return (
    <Panel title="Levels" isFlush>
      <Async query={levels} rows={8} rowHeight={RUNG_HEIGHT}>
        {(all) => <Rungs levels={all} address={address} />}
      </Async>
    </Panel>
  );
}

function Rungs({ levels, address }: { readonly levels: readonly EarnLevel[]; readonly address: string | undefined }) {
  const { data: mine } = useOwnPoints(address);
  const standing = standingOf(levels, mine?.points_season ?? "0");
  const { here, next } = standing;
  const rungs =
    mine === undefined ? standing.rungs.map((rung) => ({ ...rung, state: "reached" as const })) : standing.rungs;
  return (
    <div className="flex flex-col gap-2 pb-2">
      {mine !== undefined && here !== undefined && (
        <div className="px-4">
          <Progress
            label={next === undefined ? `Level L${here.level}, the highest` : `L${here.level} to L${next.level}`}
            fraction={standing.fraction}
            figure={
              next === undefined
                ? `${formatDecimal(mine.points_season, { decimals: 2 })} points`
                : `${formatDecimal(mine.points_season, { decimals: 2 })} of ${formatDecimal(String(next.points_min))} points`
            }
          />
        </div>
      )}
      <Table<Rung>
        label="Levels of points"
        className="px-1"
        rows={rungs}
        keyOf={({ level }) => level}
        rowClass={({ state }) => state === "here" && "bg-accent-soft"}
        columns={[
          [
            "Level",
            ({ level, state }) => (
              <span className="flex items-center gap-2">
                L{level} {state === "here" && <Badge tone="accent">you</Badge>}
              </span>
            ),
          ],
          ["Points from", ({ points_min }) => <Num value={points_min} />, "number"],
          ["Weight", ({ weight }) => <Num value={weight} />, "number"],
          [
            "Missing",
            ({ missing, state }) =>
              mine === undefined || state !== "ahead" ? (
                <span className="text-faint">–</span>
              ) : (
                <Num value={missing} decimals={2} rounding="ceil" />
              ),
            "number",
          ],
        ]}
      />
      <p className="px-4 text-xs text-faint">
        The weight multiplies all your points of the season when its tokens are distributed.
      </p>
    </div>
  );
}
