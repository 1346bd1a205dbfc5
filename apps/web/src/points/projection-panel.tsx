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
        <EmptyState title="Tokens = pool × your weighted points ÷ everybody's">
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
    <Async query={mine} skeleton={<Skeleton rows={7} />}>
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
        return <Reckoning own={own} season={season} level={level} projected={own.projected_tokens} />;
      }}
    </Async>
  );
}

interface ReckoningProps {
  readonly own: OwnPoints;
  readonly season: PointsSeason;
  readonly level: EarnLevel;
  readonly projected: number;
}

function Reckoning({ own, season, level, projected }: ReckoningProps) {
  const { weighted, share, everybody } = projectionOf({
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
        <Fact name="Your points">
          <Num value={own.points_season} decimals={2} />
        </Fact>
        <Fact name={`Weight of L${level.level}`}>
          × <Num value={level.weight} />
        </Fact>
        <Fact name="Your weighted points">
          = <Num value={weighted} decimals={0} />
        </Fact>
        <Fact name="Everybody's weighted points">
          {everybody === undefined ? (
            <span className="text-faint">–</span>
          ) : (
            <>
              ÷ ≈ <Num value={everybody} />
            </>
          )}
        </Fact>
        <Fact name="Your share">
          ≈ <Percent fraction={share} />
        </Fact>
        <Fact name="Pool">
          × <Num value={season.user_pool_tokens} unit="tokens" />
        </Fact>
      </Facts>
      <p className="text-xs text-faint">
        {`Tokens = pool × your weighted points ÷ everybody's, rounded down to ${formatDecimal(String(projected))}. `}
        The exchange's projection of <Time at={own.refreshed_at} precision="clock" />; points scored since then count in
        the next one. What is fixed at the snapshot can be checked against a published root.
      </p>
    </div>
  );
}
