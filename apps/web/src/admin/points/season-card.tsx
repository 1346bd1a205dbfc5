import type { AdminPointsSeason, SeasonAllocation } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Column } from "../../kit/column.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { useServerNow } from "../../lib/server-time.ts";
import { SEASON_TONES, SEASON_WORDS } from "../../points/season-panel.tsx";
import { seasonClock } from "../../points/season-time.ts";
import { walletOf } from "../bonus/addresses.ts";
import { ADDRESS_PROBLEM } from "../frame/typed.ts";
import { useAllocation } from "./queries.ts";
import { ChangeSeasonDialog, CompleteSeasonDialog } from "./season-dialogs.tsx";

const DIALOGS = { change: ChangeSeasonDialog, complete: CompleteSeasonDialog };

/** What happens automatically, and what an admin has to do. */
function Next({ season }: { readonly season: AdminPointsSeason }) {
  const clock = seasonClock(season, useServerNow(60_000));
  switch (season.status) {
    case "pending":
      return clock === undefined ? null : (
        <>
          Begins automatically in <Countdown until={clock.start_ms} />.
        </>
      );
    case "active":
      return season.snapshot_at === null ? null : (
        <>
          Its snapshot is taken automatically in <Countdown until={season.snapshot_at} done="a moment" />: points are
          fixed, tokens allocated, the root published.
        </>
      );
    case "snapshot":
      return season.distribution_at === null ? null : (
        <>
          Distribution begins automatically in <Countdown until={season.distribution_at} done="a moment" />. It can be
          completed after that.
        </>
      );
    case "distributing":
      return (
        <>Complete it once all wallets can claim. It completes automatically 90 days after the distribution began.</>
      );
    case "completed":
      return <>Completed.</>;
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
        <Fact
          name="Epochs"
          value={
            <>
              {season.start_epoch} – {season.end_epoch}
            </>
          }
        />
        <Fact name="Begins" value={<Time at={clock?.start_ms} />} />
        <Fact name="Snapshot due" value={<Time at={season.snapshot_at} />} />
        <Fact name="Distribution from" value={<Time at={season.distribution_at} />} />
      </Facts>
    </Column>
  );
}

function Shares({ season }: { readonly season: AdminPointsSeason }) {
  return (
    <Column title="Snapshot">
      <Facts>
        <Fact name="Taken" value={<Time at={season.snapshot_taken_at} />} />
        <Fact name="Wallets with a share" value={<Num value={season.leaf_count} />} />
        <Fact name="Root" value={<Hash value={season.root} of="root" />} />
        <Fact name="Distribution began" value={<Time at={season.distribution_started_at} />} />
        <Fact name="Completed" value={<Time at={season.completed_at} />} />
      </Facts>
    </Column>
  );
}

function Pools({ season }: { readonly season: AdminPointsSeason }) {
  return (
    <Column title="Tokens">
      <Facts>
        <Fact name="Traders' pool" value={<Num value={season.user_pool_tokens} />} />
        <Fact name="Market makers' pool" value={<Num value={season.mm_pool_tokens} />} />
      </Facts>
      {season.root !== null && <Lookup season={season} />}
    </Column>
  );
}

/** Shows how the share of one wallet was computed. */
function Lookup({ season }: { readonly season: AdminPointsSeason }) {
  const [text, setText] = useState("");
  const [wallet, setWallet] = useState<string>();
  const typed = walletOf(text.trim());
  const query = useAllocation(season.season_id, wallet);
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => setWallet(typed)}>
      <span className="flex items-start gap-2">
        <TextField
          label="Share of a wallet"
          className="flex-1"
          kind="code"
          placeholder="0x…"
          error={text === "" || typed !== undefined ? undefined : ADDRESS_PROBLEM}
          value={text}
          onChange={setText}
        />
        <Button type="submit" className="mt-5" disabled={typed === undefined}>
          Look up
        </Button>
      </span>
      {wallet !== undefined && (
        <Async query={query} rows={4} rowHeight={24}>
          {(allocation) =>
            allocation === null ? (
              <p className="text-sm text-muted">This wallet has no share of the season.</p>
            ) : (
              <Allocation allocation={allocation} />
            )
          }
        </Async>
      )}
    </Form>
  );
}

function Allocation({ allocation }: { readonly allocation: SeasonAllocation }) {
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact
        name={`Points, weighed by L${allocation.level}`}
        value={
          <>
            <Num value={allocation.points} decimals={2} /> × {allocation.weight}
          </>
        }
      />
      <Fact name="Of the traders' pool" value={<Num value={allocation.user_tokens} />} />
      <Fact name="Traded as a maker" value={<Num value={allocation.maker_volume} decimals={2} unit="USDT" />} />
      <Fact name="Of the market makers' pool" value={<Num value={allocation.mm_tokens} />} />
      <Fact name="Tokens" value={<Num value={allocation.tokens} className="font-semibold" />} />
      <Fact name={`Leaf ${allocation.index}`} value={<Hash value={allocation.leaf} of="leaf" />} />
    </Facts>
  );
}

interface SeasonCardProps {
  readonly season: AdminPointsSeason;
  readonly seasons: readonly AdminPointsSeason[];
}

export function SeasonCard({ season, seasons }: SeasonCardProps) {
  const [action, setAction] = useState<keyof typeof DIALOGS>();
  const Asked = action && DIALOGS[action];
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
          <Button look="quiet" onClick={() => setAction("change")}>
            Change
          </Button>
          {season.status === "distributing" && (
            <Button look="primary" onClick={() => setAction("complete")}>
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
      {Asked !== undefined && <Asked season={season} seasons={seasons} onClose={() => setAction(undefined)} />}
    </Panel>
  );
}
