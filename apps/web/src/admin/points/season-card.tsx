import type { AdminPointsSeason, SeasonAllocation } from "@bourse/api/client";
import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Column } from "../../kit/column.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { useServerNow } from "../../lib/server-time.ts";
import { SEASON_TONES, SEASON_WORDS } from "../../points/season-panel.tsx";
import { seasonClock } from "../../points/season-time.ts";
import { walletOf } from "../bonus/addresses.ts";
import { useAllocation } from "./queries.ts";
import { ChangeSeasonDialog, CompleteSeasonDialog } from "./season-dialogs.tsx";

const DIALOGS = { change: ChangeSeasonDialog, complete: CompleteSeasonDialog };

/** What happens by itself, and what an operator waits for. */
function Next({ season }: { readonly season: AdminPointsSeason }) {
  const clock = seasonClock(season, useServerNow(60_000));
  switch (season.status) {
    case "pending":
      return clock === undefined ? null : (
        <>
          Begins by itself in <Countdown until={clock.start_ms} />.
        </>
      );
    case "active":
      return season.snapshot_at === null ? null : (
        <>
          Its snapshot is taken by itself in <Countdown until={season.snapshot_at} done="a moment" />: points are
          frozen, tokens allocated, the root published.
        </>
      );
    case "snapshot":
      return season.distribution_at === null ? null : (
        <>
          Handing out begins by itself in <Countdown until={season.distribution_at} done="a moment" />. It can be
          completed after that.
        </>
      );
    case "distributing":
      return <>Complete it once everybody can claim; 90 days after its handing out began it completes itself.</>;
    case "completed":
      return <>Over.</>;
  }
}

function Course({ season }: { readonly season: AdminPointsSeason }) {
  const clock = seasonClock(season, useServerNow(60_000));
  return (
    <Column title="Course">
      {clock !== undefined && (
        <Progress
          label="Time of the season"
          fraction={clock.fraction}
          figure={clock.epochOfSeason === 0 ? "not begun" : `epoch ${clock.epochOfSeason} of ${clock.epochs}`}
        />
      )}
      <Facts>
        <Fact name="Epochs">
          {season.start_epoch} – {season.end_epoch}
        </Fact>
        <Fact name="Begins">
          <Time at={clock?.start_ms} />
        </Fact>
        <Fact name="Snapshot due">
          <Time at={season.snapshot_at} />
        </Fact>
        <Fact name="Handed out from">
          <Time at={season.distribution_at} />
        </Fact>
      </Facts>
    </Column>
  );
}

function Shares({ season }: { readonly season: AdminPointsSeason }) {
  return (
    <Column title="Snapshot">
      <Facts>
        <Fact name="Taken">
          <Time at={season.snapshot_taken_at} />
        </Fact>
        <Fact name="Wallets with a share">
          <Num value={season.leaf_count} />
        </Fact>
        <Fact name="Root">
          <Hash value={season.root} of="root" />
        </Fact>
        <Fact name="Handing out began">
          <Time at={season.distribution_started_at} />
        </Fact>
        <Fact name="Completed">
          <Time at={season.completed_at} />
        </Fact>
      </Facts>
    </Column>
  );
}

function Pools({ season }: { readonly season: AdminPointsSeason }) {
  return (
    <Column title="Tokens">
      <Facts>
        <Fact name="Pool of everybody">
          <Num value={season.user_pool_tokens} />
        </Fact>
        <Fact name="Pool of market makers">
          <Num value={season.mm_pool_tokens} />
        </Fact>
      </Facts>
      {season.root !== null && <Lookup season={season} />}
    </Column>
  );
}

/** One click from the sum to how a wallet's part of it came about. */
function Lookup({ season }: { readonly season: AdminPointsSeason }) {
  const [text, setText] = useState("");
  const [wallet, setWallet] = useState<string>();
  const typed = walletOf(text.trim());
  const query = useAllocation(season.season_id, wallet);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWallet(typed);
  };
  return (
    <form className="flex flex-col gap-2" onSubmit={submit}>
      <Field
        label="Share of a wallet"
        error={text === "" || typed !== undefined ? undefined : "An address is 0x and 40 hex digits."}
      >
        {(ids) => (
          <span className="flex gap-2">
            <TextInput
              {...ids}
              className="font-mono"
              placeholder="0x…"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" disabled={typed === undefined}>
              Look up
            </Button>
          </span>
        )}
      </Field>
      {wallet !== undefined && (
        <Async query={query} skeleton={<Skeleton rows={4} rowHeight={24} />}>
          {(allocation) =>
            allocation === null ? (
              <p className="text-sm text-muted">This wallet has no share of the season.</p>
            ) : (
              <Allocation allocation={allocation} />
            )
          }
        </Async>
      )}
    </form>
  );
}

function Allocation({ allocation }: { readonly allocation: SeasonAllocation }) {
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact name={`Points, weighed by L${allocation.level}`}>
        <Num value={allocation.points} decimals={2} /> × {allocation.weight}
      </Fact>
      <Fact name="Of everybody's pool">
        <Num value={allocation.user_tokens} />
      </Fact>
      <Fact name="Traded as a maker">
        <Num value={allocation.maker_volume} decimals={2} unit="USDT" />
      </Fact>
      <Fact name="Of the makers' pool">
        <Num value={allocation.mm_tokens} />
      </Fact>
      <Fact name="Tokens">
        <Num value={allocation.tokens} className="font-semibold" />
      </Fact>
      <Fact name={`Leaf ${allocation.index}`}>
        <Hash value={allocation.leaf} of="leaf" />
      </Fact>
    </Facts>
  );
}

interface SeasonCardProps {
  readonly season: AdminPointsSeason;
  readonly seasons: readonly AdminPointsSeason[];
}

export function SeasonCard({ season, seasons }: SeasonCardProps) {
  const [wish, setWish] = useState<keyof typeof DIALOGS>();
  const Asked = wish && DIALOGS[wish];
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          {season.label} <Badge tone={SEASON_TONES[season.status]}>{SEASON_WORDS[season.status]}</Badge>
          <span className="num text-xs font-normal text-faint">season {season.season_no}</span>
        </span>
      }
      actions={
        <>
          <Button look="quiet" onClick={() => setWish("change")}>
            Change
          </Button>
          {season.status === "distributing" && (
            <Button look="primary" onClick={() => setWish("complete")}>
              Complete
            </Button>
          )}
        </>
      }
    >
      <p className="pb-3 text-sm text-muted">
        <Next season={season} />
      </p>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2 xl:grid-cols-3">
        <Course season={season} />
        <Shares season={season} />
        <Pools season={season} />
      </div>
      {Asked !== undefined && <Asked season={season} seasons={seasons} onClose={() => setWish(undefined)} />}
    </Panel>
  );
}
