import type { PointsSeason, SeasonAllocation } from "@bourse/api/client";
import { useCallback, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Hash } from "../kit/hash.tsx";
import { Num } from "../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../kit/panel.tsx";
import { ProofView } from "../kit/proof-view.tsx";
import { Async } from "../kit/states.tsx";
import { Time } from "../kit/time.tsx";
import { checkAllocationProof } from "./allocation-proof.ts";
import { useAllocation, useSeasons } from "./queries.ts";
import { SEASON_TONES, SEASON_WORDS } from "./season-panel.tsx";

type FixedSeason = PointsSeason & { readonly root: string };

const isFixed = (season: PointsSeason): season is FixedSeason => season.root !== null;

/** Seasons whose shares are fixed, each with what this wallet got and the proof of it. */
export function PastSeasons({ address }: { readonly address: string | undefined }) {
  const { data: seasons = [] } = useSeasons();
  const fixed = seasons.filter(isFixed).toReversed();
  if (fixed.length === 0) return null;
  return (
    <Panel title="Seasons whose shares are fixed">
      <ul className="flex flex-col gap-3">
        {fixed.map((season) => (
          <li
            key={season.season_id}
            className="flex flex-col gap-3 rounded-md bg-raised p-4 md:flex-row md:justify-between"
          >
            <div className="flex min-w-0 flex-col gap-1">
              <h3 className="flex flex-wrap items-center gap-2 font-medium">
                {season.label} <Badge tone={SEASON_TONES[season.status]}>{SEASON_WORDS[season.status]}</Badge>
              </h3>
              <p className="text-sm text-muted">
                Snapshot <Time at={season.snapshot_taken_at} />, pool{" "}
                <Num value={season.user_pool_tokens} unit="tokens" />
              </p>
              <p className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
                Root <Hash value={season.root} of="root" />
              </p>
            </div>
            {address !== undefined && <OwnShare season={season} address={address} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function OwnShare({ season, address }: { readonly season: FixedSeason; readonly address: string }) {
  return (
    <Async query={useAllocation(season.season_id, address)} rows={2} rowHeight={32}>
      {(allocation) =>
        allocation === null ? (
          <p className="text-sm text-muted">This wallet scored nothing in the season.</p>
        ) : (
          <Share season={season} allocation={allocation} />
        )
      }
    </Async>
  );
}

function Share({ season, allocation }: { readonly season: FixedSeason; readonly allocation: SeasonAllocation }) {
  const [isOpen, setOpen] = useState(false);
  const check = useCallback(() => checkAllocationProof(allocation, season), [allocation, season]);
  return (
    <div className="flex flex-col gap-2 md:items-end">
      <p className="text-sm text-muted">
        You got <Num value={allocation.tokens} unit="tokens" className="text-lg font-semibold text-text" />
      </p>
      <Button look="primary" onClick={() => setOpen(true)}>
        Check the proof
      </Button>
      <Dialog
        title={`Your tokens of ${season.label}`}
        description="Worked out in this browser; nothing of the exchange's own code takes part."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
      >
        <Facts>
          <Fact name="Points" value={<Num value={allocation.points} />} />
          <Fact name={`Weight of L${allocation.level}`} value={<Num value={allocation.weight} />} />
          <Fact name="Of the traders' pool" value={<Num value={allocation.user_tokens} unit="tokens" />} />
          {allocation.mm_tokens > 0 && (
            <Fact name="Of the market makers' pool" value={<Num value={allocation.mm_tokens} unit="tokens" />} />
          )}
        </Facts>
        <ProofView check={check} elsewhere="Check it yourself: node scripts/verify-allocation.mjs" />
      </Dialog>
    </div>
  );
}
