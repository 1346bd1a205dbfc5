import type { EarnLevel, OwnPoints, PointsSeason } from "@bourse/api/client";
import { Num, Percent } from "../kit/number.tsx";
import { Fact, Facts, Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { Time } from "../kit/time.tsx";
import { formatDecimal } from "../lib/format.ts";
import { levelOf } from "./ladder.ts";
import { projectionOf } from "./projection.ts";
import { useLevels, useOwnPoints, useSeasons } from "./queries.ts";

/** What the season would bring if it ended now, with the figures it is made of. */
export function ProjectionPanel({ address }: { readonly address: string | undefined }) {
  return (
    <Panel title="If the season ended now">
      {address === undefined ? (
        <EmptyState title="Tokens = pool × your weighted points ÷ all weighted points">
          Sign in to see the formula with your own figures.
        </EmptyState>
      ) : (
        <Projected address={address} />
      )}
    </Panel>
  );
}

function Projected({ address }: { readonly address: string }) {
  const mine = useOwnPoints(address);
  const { data: seasons } = useSeasons();
  const { data: levels } = useLevels();
  return (
    <Async query={mine} rows={7}>
      {(own) => {
        const season = seasons?.find(({ season_id }) => season_id === own.season_id);
        const level = levels === undefined ? undefined : levelOf(levels, own.points_season);
        if (own.season_id === null || own.projected_tokens === null) {
          return (
            <EmptyState title="No season runs">
              Points count for their day and epoch; tokens come with a season.
            </EmptyState>
          );
        }
        if (season === undefined || level === undefined) return <Skeleton rows={7} />;
        return <Calculation own={own} season={season} level={level} projected={own.projected_tokens} />;
      }}
    </Async>
  );
}

interface CalculationProps {
  readonly own: OwnPoints;
  readonly season: PointsSeason;
  readonly level: EarnLevel;
  readonly projected: number;
}

function Calculation({ own, season, level, projected }: CalculationProps) {
  const { weighted, share, all } = projectionOf({
    points: own.points_season,
    weight: level.weight,
    pool: season.user_pool_tokens,
    projected,
  });
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Num value={projected} className="text-2xl font-semibold" /> <span className="text-muted">tokens</span>
      </p>
      <Facts>
        <Fact name="Your points" value={<Num value={own.points_season} decimals={2} />} />
        <Fact
          name={`Weight of L${level.level}`}
          value={
            <>
              × <Num value={level.weight} />
            </>
          }
        />
        <Fact
          name="Your weighted points"
          value={
            <>
              = <Num value={weighted} decimals={0} />
            </>
          }
        />
        <Fact
          name="All weighted points"
          value={
            all === undefined ? (
              <span className="text-faint">–</span>
            ) : (
              <>
                ÷ ≈ <Num value={all} />
              </>
            )
          }
        />
        <Fact
          name="Your share"
          value={
            <>
              ≈ <Percent fraction={share} />
            </>
          }
        />
        <Fact
          name="Pool"
          value={
            <>
              × <Num value={season.user_pool_tokens} unit="tokens" />
            </>
          }
        />
      </Facts>
      <p className="text-xs text-faint">
        {`Tokens = pool × your weighted points ÷ all weighted points, rounded down to ${formatDecimal(String(projected))}. `}
        The exchange's projection of <Time at={own.refreshed_at} precision="clock" />; points scored since then count in
        the next one. The final shares can be checked against a published root.
      </p>
    </div>
  );
}
