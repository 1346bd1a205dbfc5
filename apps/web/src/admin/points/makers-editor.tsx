import type { PointsMakers } from "@bourse/api/client";
import { Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { TextInput } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { staffApi } from "../../session/session.ts";
import { reasonOf } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { EditorFoot } from "./editor-foot.tsx";
import {
  changesOfMakers,
  draftOfMakers,
  type MakerDraft,
  type MakerProblems,
  MOST_MAKERS,
  problemsOfMakers,
  requestOfMakers,
} from "./maker-draft.ts";
import { useMakers } from "./queries.ts";

interface MakerRowProps {
  readonly row: MakerDraft;
  readonly place: number;
  readonly since: string | undefined;
  readonly problems: MakerProblems;
  readonly onChange: (row: MakerDraft) => void;
  readonly onRemove: () => void;
}

function MakerRow({ row, place, since, problems, onChange, onRemove }: MakerRowProps) {
  const noteId = useId();
  const cell = (field: "address" | "label", name: string) => (
    <td className="px-2 py-1.5 align-top">
      <TextInput
        aria-label={`${name} of maker ${place}`}
        aria-invalid={problems[field] !== undefined && row[field] !== ""}
        aria-describedby={problems[field] === undefined ? undefined : `${noteId}-${field}`}
        className={field === "address" ? "font-mono" : ""}
        spellCheck={false}
        placeholder={field === "address" ? "0x…" : "no name"}
        value={row[field]}
        onChange={(event) => onChange({ ...row, [field]: event.target.value })}
      />
      {problems[field] !== undefined && row[field] !== "" && (
        <span id={`${noteId}-${field}`} className="text-xs text-bad">
          {problems[field]}
        </span>
      )}
    </td>
  );
  return (
    <tr>
      {cell("address", "Address")}
      {cell("label", "Name")}
      <td className="px-2 whitespace-nowrap text-muted">{since === undefined ? "new" : <Time at={since} />}</td>
      <td className="text-right">
        <IconButton label={`Remove maker ${place}`} icon={<Trash2 size={15} />} onClick={onRemove} />
      </td>
    </tr>
  );
}

const Head = () => (
  <thead className="text-left text-xs text-faint">
    <tr>
      <th scope="col" className="h-8 px-2 font-medium">
        Wallet
      </th>
      <th scope="col" className="w-56 px-2 font-medium">
        Name
      </th>
      <th scope="col" className="w-40 px-2 font-medium">
        Listed since
      </th>
      <th scope="col" className="w-12">
        <span className="sr-only">Remove</span>
      </th>
    </tr>
  </thead>
);

function Editor({ makers }: { readonly makers: PointsMakers }) {
  const write = useWrite();
  const [rows, setRows] = useState(() => draftOfMakers(makers));
  const [lastKey, setLastKey] = useState(rows.length);
  const problems = problemsOfMakers(rows);
  const next = problems.size === 0 ? requestOfMakers(rows) : undefined;
  const save = async (reason: string) => {
    if (next === undefined) return;
    await write(
      () => staffApi.pointsAdmin.setMakers({ wallets: next, ...reasonOf(reason) }),
      ({ wallets }) => `${counted(wallets.length, "market maker")} listed now.`,
    );
  };
  const add = () => {
    setRows([...rows, { key: lastKey + 1, address: "", label: "" }]);
    setLastKey(lastKey + 1);
  };
  return (
    <>
      {/* Positioned: what only screen readers see must not lie beside the scrolling part, or the page grows wider. */}
      <div className="relative overflow-x-auto">
        <table aria-label="Market makers" className="w-full min-w-2xl border-collapse text-sm">
          <Head />
          <tbody>
            {rows.map((row, place) => (
              <MakerRow
                key={row.key}
                row={row}
                place={place + 1}
                since={makers.wallets.find(({ address }) => address === row.address)?.created_at}
                problems={problems.get(row.key) ?? {}}
                onChange={(changed) => setRows(rows.map((each) => (each.key === row.key ? changed : each)))}
                onRemove={() => setRows(rows.filter((each) => each.key !== row.key))}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && (
          <EmptyState title="Nobody is listed">
            Everybody scores, and the makers' pool of a season goes to nobody.
          </EmptyState>
        )}
      </div>
      <EditorFoot
        of="list of market makers"
        hasProblems={next === undefined}
        changes={next === undefined ? [] : changesOfMakers(makers, next)}
        warning="Fills from now on are judged by the new list. Listed wallets score nothing, neither for themselves nor for who invited them; what their resting orders trade shares the makers' pool."
        onUndo={() => setRows(draftOfMakers(makers))}
        onSave={save}
        start={
          <Button onClick={add} disabled={rows.length >= MOST_MAKERS}>
            <Plus size={15} aria-hidden="true" /> Add wallet
          </Button>
        }
      />
    </>
  );
}

export function MakersEditor() {
  const query = useMakers();
  return (
    <Panel title="Market makers">
      <Async query={query} skeleton={<Skeleton rows={5} rowHeight={44} />}>
        {(makers) => <Editor key={JSON.stringify(makers)} makers={makers} />}
      </Async>
    </Panel>
  );
}
