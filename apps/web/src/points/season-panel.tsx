import type { PointsSeason } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Num } from "../kit/number.tsx";
import { Badge, Panel, type Tone } from "../kit/panel.tsx";
import { Progress } from "../kit/progress.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { Countdown, Time } from "../kit/time.tsx";
import { useServerNow } from "../lib/server-time.ts";
import { useSeasons } from "./queries.ts";
import { type SeasonClock, seasonClock, seasonInFocus } from "./season-time.ts";

export const SEASON_TONES: Readonly<Record<PointsSeason["status"], Tone>> = {
  pending: "neutral",
  active: "accent",
  snapshot: "neutral",
  distributing: "accent",
  completed: "neutral",
};

export const SEASON_WORDS: Readonly<Record<PointsSeason["status"], string>> = {
  pending: "not begun",
  active: "running",
  snapshot: "over, shares fixed",
  distributing: "distributing tokens",
  completed: "completed",
};

export function SeasonPanel() {
  const seasons = useSeasons();
  return (
    <Panel>
      <Async
        query={seasons}
        rows={3}
        rowHeight={40}
        empty={<EmptyState title="No season yet">Points count for their day and epoch until one begins.</EmptyState>}
      >
        {(all) => {
          const season = seasonInFocus(all);
          return season === undefined ? null : <Season season={season} />;
        }}
      </Async>
    </Panel>
  );
}

function Season({ season }: { readonly season: PointsSeason }) {
  const clock = seasonClock(season, useServerNow());
  return (
    <div className="flex flex-col gap-4 pt-2">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
            {season.label} <Badge tone={SEASON_TONES[season.status]}>{SEASON_WORDS[season.status]}</Badge>
          </h2>
          <p className="text-sm text-muted">
            {clock === undefined ? null : (
              <>
                <Time at={clock.start_ms} precision="day" /> to <Time at={clock.end_ms} precision="day" />
              </>
            )}
          </p>
        </div>
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <Figure name="Traders' pool">
            <Num value={season.user_pool_tokens} unit="tokens" />
          </Figure>
          <Figure name="Market makers' pool">
            <Num value={season.mm_pool_tokens} unit="tokens" />
          </Figure>
          <NextMoment season={season} clock={clock} />
        </dl>
      </div>
      {clock !== undefined && (
        <Progress
          label="Time of the season"
          fraction={clock.fraction}
          figure={clock.epochOfSeason === 0 ? "not begun" : `epoch ${clock.epochOfSeason} of ${clock.epochs}`}
        />
      )}
    </div>
  );
}

function NextMoment({ season, clock }: { readonly season: PointsSeason; readonly clock: SeasonClock | undefined }) {
  if (season.status === "pending" && clock !== undefined) {
    return (
      <Figure name="Begins in">
        <Countdown until={clock.start_ms} />
      </Figure>
    );
  }
  if (season.status === "active" && season.snapshot_at !== null) {
    return (
      <Figure name="Snapshot in">
        <Countdown until={season.snapshot_at} done="being taken" />
      </Figure>
    );
  }
  if (season.status === "snapshot" && season.distribution_at !== null) {
    return (
      <Figure name="Distribution in">
        <Countdown until={season.distribution_at} done="soon" />
      </Figure>
    );
  }
  return (
    <Figure name="Snapshot taken">
      <Time at={season.snapshot_taken_at} precision="day" />
    </Figure>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="num text-lg font-semibold">{children}</dd>
    </div>
  );
}
