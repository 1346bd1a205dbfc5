import type { Tier } from "@bourse/api/client";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { CellField } from "../../kit/field.tsx";
import { Notice, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { staffApi } from "../../session/session.ts";
import { EditorFoot, useRows } from "../frame/editor.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { useTiers } from "./queries.ts";
import {
  changesOfTiers,
  draftOfTier,
  MAX_TIERS,
  nextDraft,
  problemsOfTiers,
  requestOfTiers,
  type TierDraft,
  type TierField,
} from "./tier-draft.ts";

/** The rows as typed. What would change is confirmed before it is sent. */
function TierEditor({ tiers }: { readonly tiers: readonly Tier[] }) {
  const write = useWrite();
  const { rows, change, remove, add, undo } = useRows(tiers.map(draftOfTier));
  const problems = problemsOfTiers(rows);
  const next = problems.size === 0 && rows.length > 0 ? requestOfTiers(rows) : undefined;
  const cell = (title: string, field: TierField, unit?: string): Column<TierDraft> => [
    title,
    (row) => (
      <CellField
        label={`${title} of level ${row.level}`}
        kind={field === "label" ? "text" : "decimal"}
        end={unit}
        value={row[field]}
        error={problems.get(row.key)?.[field]}
        onChange={(text) => change(row, { [field]: text })}
      />
    ),
  ];
  return (
    <>
      <Table
        label="Tiers"
        className="relative"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          cell("Level", "level"),
          cell("Name", "label"),
          cell("Rate", "rate", "%"),
          cell("Fees of 30 days from", "minFee", "USDT"),
          [
            "Remove",
            (row) => (
              <IconButton label={`Remove level ${row.level}`} icon={<Trash2 size={15} />} onClick={() => remove(row)} />
            ),
            "number",
            "untitled",
          ],
        ]}
        empty={
          <EmptyState title="No tiers are configured">
            Without tiers, no tier can be set for a KOL. Add the first below.
          </EmptyState>
        }
      />
      <EditorFoot
        of="tiers"
        changes={next && changesOfTiers(tiers, next)}
        warning="KOLs keep the rate they have. Only tiers that are set from now on get the new rates."
        onUndo={undo}
        onSave={async (reason) =>
          next &&
          write(
            () => staffApi.brokerAdmin.setTierThresholds({ tiers: next, ...reason }),
            (reply) => `${counted(reply.tiers.length, "tier")} apply now.`,
          )
        }
        start={
          <Button onClick={() => add((key) => nextDraft(rows, key))} disabled={rows.length >= MAX_TIERS}>
            <Plus size={15} aria-hidden="true" /> Add tier
          </Button>
        }
      />
    </>
  );
}

function RemoveAll({ tiers }: { readonly tiers: readonly Tier[] }) {
  const write = useWrite();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="quiet" disabled={tiers.length === 0} onClick={() => setAsking(true)}>
        Remove all tiers
      </Button>
      <ConfirmAction
        title="Remove all tiers"
        changes={changesOfTiers(tiers, [])}
        warning="Until tiers are configured again, no tier can be set. Rates do not change."
        actionLabel={`Remove ${counted(tiers.length, "tier")}`}
        typed="REMOVE"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          write(
            () => staffApi.brokerAdmin.unsetTierThresholds(),
            () => "No tiers are configured now.",
          )
        }
      />
    </>
  );
}

/** BRK-6: the referred fees from which a KOL gets a rate. */
export function TiersPage() {
  const tiers = useTiers();
  return (
    <Page
      title="Tiers"
      lead="The referred fees of 30 days from which a KOL is due a rate."
      {...(tiers.data === undefined ? {} : { actions: <RemoveAll tiers={tiers.data} /> })}
    >
      <Panel title="Thresholds">
        <Async query={tiers} rows={6} rowHeight={44}>
          {(rows) => <TierEditor key={JSON.stringify(rows)} tiers={rows} />}
        </Async>
      </Panel>
      <Notice tone="neutral">
        A tier shows a KOL its present rate and the next one. It is set on the KOL's row (“Set tier”) or by a BD's code.
        Changed thresholds do not change existing KOLs.
      </Notice>
    </Page>
  );
}
