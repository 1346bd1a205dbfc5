import { Page } from "../kit/panel.tsx";
import { useSession } from "../session/session.ts";
import { SignInFirst } from "../session/sign-in-first.tsx";
import { Boards } from "./boards.tsx";
import { Ladder } from "./ladder-panel.tsx";
import { Ledger } from "./ledger.tsx";
import { OwnStanding } from "./own-standing.tsx";
import { PastSeasons } from "./past-seasons.tsx";
import { ProjectionPanel } from "./projection-panel.tsx";
import { SeasonPanel } from "./season-panel.tsx";

/** Everything about points; what is public is shown without a sign-in. */
export function PointsPage() {
  const address = useSession("wallet")?.name.toLowerCase();
  return (
    <Page
      title="Points"
      lead="Trade, save and invite to score. Each season's tokens are distributed by points and level."
    >
      <SeasonPanel />
      {address !== undefined && <OwnStanding address={address} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Ladder address={address} />
        <ProjectionPanel address={address} />
      </div>
      <Boards address={address} />
      <SignInFirst reason="Your points, your rank and where every point came from are shown once you are signed in.">
        {(session) => <Ledger address={session.name.toLowerCase()} />}
      </SignInFirst>
      <PastSeasons address={address} />
    </Page>
  );
}
