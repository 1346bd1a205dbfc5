import type { Tier } from "@bourse/api/client";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, TextInput } from "../../kit/field.tsx";
import { Notice, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { staffApi } from "../../session/session.ts";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { useTiers } from "./queries.ts";
import {
  changesOfTiers,
  draftOfTier,
  MOST_TIERS,
  nextDraft,
  problemsOfTiers,
  requestOfTiers,
  type TierDraft,
  type TierField,
} from "./tier-draft.ts";

const FIELDS: readonly { readonly field: TierField; readonly title: string; readonly unit?: string }[] = [
  { field: "level", title: "Level" },
  { field: "label", title: "Name" },
  { field: "rate", title: "Rate", unit: "%" },
  { field: "minFee", title: "Fees of 30 days from", unit: "USDT" },
];

interface RowProps {
  readonly row: TierDraft;
  readonly problems: Readonly<Partial<Record<TierField, string>>>;
  readonly onChange: (row: TierDraft) => void;
  readonly onRemove: () => void;
}

function TierRow({ row, problems, onChange, onRemove }: RowProps) {
  return (
    <tr className="align-top">
      {FIELDS.map(({ field, title, unit }) => {
        const Input = field === "label" ? TextInput : DecimalInput;
        const noteId = `tier-${row.key}-${field}`;
        const problem = problems[field];
        return (
          <td key={field} className="px-2 py-1.5">
            <Input
              aria-label={`${title} of level ${row.level}`}
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : noteId}
              {...(unit === undefined ? {} : { end: unit })}
              value={row[field]}
              onChange={(event) => onChange({ ...row, [field]: event.target.value })}
            />
            {problem !== undefined && (
              <span id={noteId} className="text-xs text-bad">
                {problem}
              </span>
            )}
          </td>
        );
      })}
      <td className="py-1.5 pr-2 text-right">
        <IconButton label={`Remove level ${row.level}`} icon={<Trash2 size={15} />} onClick={onRemove} />
      </td>
    </tr>
  );
}

/** The rows as they are typed; what would change is asked for once more before it is sent. */
function TierEditor({ tiers }: { readonly tiers: readonly Tier[] }) {
  const write = useWrite();
  const [rows, setRows] = useState<readonly TierDraft[]>(() => tiers.map(draftOfTier));
  const [lastKey, setLastKey] = useState(tiers.length);
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const problems = problemsOfTiers(rows);
  const next = problems.size === 0 ? requestOfTiers(rows) : undefined;
  const changes = next === undefined ? [] : changesOfTiers(tiers, next);
  const add = () => {
    setRows([...rows, nextDraft(rows, lastKey + 1)]);
    setLastKey(lastKey + 1);
  };
  const save = async () => {
    if (next === undefined) return;
    await write(
      () => staffApi.brokerAdmin.setTierThresholds({ tiers: next, ...reasonOf(reason) }),
      (reply) => `${counted(reply.tiers.length, "tier")} hold now.`,
    );
  };
  const state =
    problems.size > 0
      ? `${counted(problems.size, "row")} must be put right first.`
      : changes.length === 0
        ? "Nothing is changed."
        : `${counted(changes.length, "level")} would change.`;
  return (
    <>
      <div className="relative overflow-x-auto">
        <table aria-label="Tiers" className="w-full min-w-2xl border-collapse text-sm">
          <thead className="text-left text-xs text-faint">
            <tr>
              {FIELDS.map(({ field, title }) => (
                <th key={field} scope="col" className="h-8 px-2 font-medium">
                  {title}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TierRow
                key={row.key}
                row={row}
                problems={problems.get(row.key) ?? {}}
                onChange={(changed) => setRows(rows.map((each) => (each.key === row.key ? changed : each)))}
                onRemove={() => setRows(rows.filter((each) => each.key !== row.key))}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && (
          <EmptyState title="No tiers are configured">
            Without them no tier can be set and KOLs cannot rise. Add the first below.
          </EmptyState>
        )}
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <Button onClick={add} disabled={rows.length >= MOST_TIERS}>
          <Plus size={15} aria-hidden="true" /> Add tier
        </Button>
        <span className="flex flex-wrap items-center gap-3">
          <span role="status" className="text-sm text-muted">
            {state}
          </span>
          <Button
            look="quiet"
            disabled={changes.length === 0 && problems.size === 0}
            onClick={() => setRows(tiers.map(draftOfTier))}
          >
            Undo
          </Button>
          <Button look="primary" disabled={changes.length === 0 || rows.length === 0} onClick={() => setAsking(true)}>
            Review the change
          </Button>
        </span>
      </div>
      <ConfirmAction
        title="Change the tiers"
        changes={changes}
        warning="KOLs keep the rate they have. Only tiers that are set from now on get the new rates."
        actionLabel={`Change ${counted(changes.length, "level")} of the tiers`}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={save}
      >
        <ReasonField value={reason} onChange={setReason} />
      </ConfirmAction>
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
        warning="No tier can be set and no KOL rises until tiers are configured again. Rates stay as they are."
        actionLabel={`Remove ${counted(tiers.length, "tier")}`}
        typed="REMOVE"
        isOpen={isAsking}
        onOpenChange={setAsking}
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

/** BRK-6: from which referred fees on a KOL gets which rate. */
export function TiersPage() {
  const tiers = useTiers();
  return (
    <Page
      title="Tiers"
      lead="From which referred fees of 30 days on a KOL is due which rate."
      {...(tiers.data === undefined ? {} : { actions: <RemoveAll tiers={tiers.data} /> })}
    >
      <Panel title="Thresholds">
        <Async query={tiers} skeleton={<Skeleton rows={6} rowHeight={44} />}>
          {(rows) => <TierEditor key={JSON.stringify(rows)} tiers={rows} />}
        </Async>
      </Panel>
      <Notice tone="neutral">
        A tier shows a KOL where it stands and what comes next. It is given on the KOL's row (“Set tier”), or by the
        code of a BD; changed thresholds leave the KOLs that are there as they are.
      </Notice>
    </Page>
  );
}
