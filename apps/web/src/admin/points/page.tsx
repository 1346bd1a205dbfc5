import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { type TabItem, Tabs } from "../../kit/tabs.tsx";
import { LevelsEditor } from "./levels-editor.tsx";
import { MakersEditor } from "./makers-editor.tsx";
import { useSeasons } from "./queries.ts";
import { RulesEditor } from "./rules-editor.tsx";
import { SeasonCard } from "./season-card.tsx";
import { NewSeasonDialog } from "./season-dialogs.tsx";

function Seasons() {
  const query = useSeasons();
  return (
    <Async
      query={query}
      rows={8}
      rowHeight={56}
      empty={
        <Panel>
          <EmptyState title="There is no season yet">
            Points already count for their day and epoch. A season includes the points scored in its epochs.
          </EmptyState>
        </Panel>
      }
    >
      {(seasons) => (
        <div className="flex flex-col gap-4">
          {seasons
            .toSorted((one, other) => other.start_epoch - one.start_epoch)
            .map((season) => (
              <SeasonCard key={season.season_id} season={season} seasons={seasons} />
            ))}
        </div>
      )}
    </Async>
  );
}

type Tab = "seasons" | "levels" | "rule" | "makers";

const padded = (content: TabItem<Tab>["content"]) => <div className="pt-3">{content}</div>;

const TABS: readonly TabItem<Tab>[] = [
  { value: "seasons", label: "Seasons", content: padded(<Seasons />) },
  { value: "levels", label: "Levels", content: padded(<LevelsEditor />) },
  { value: "rule", label: "Rule", content: padded(<RulesEditor />) },
  { value: "makers", label: "Market makers", content: padded(<MakersEditor />) },
];

/** Points: seasons, levels, the rule and market makers. */
export function SeasonsAdminPage() {
  const [tab, setTab] = useState<Tab>("seasons");
  const [isCreating, setCreating] = useState(false);
  const seasons = useSeasons().data;
  return (
    <Page
      title="Seasons"
      lead="Points are scored with every fill. A season distributes its tokens by points."
      actions={
        <Button look="primary" disabled={seasons === undefined} onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden="true" /> New season
        </Button>
      }
    >
      <Tabs label="Points" items={TABS} value={tab} onChange={setTab} />
      {isCreating && <NewSeasonDialog seasons={seasons ?? []} onClose={() => setCreating(false)} />}
    </Page>
  );
}
