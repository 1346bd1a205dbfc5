import type { PointsMakers } from "@bourse/api/client";
import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../kit/button.tsx";
import { CellField } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { staffApi } from "../../session/session.ts";
import { EditorFoot, useRows } from "../frame/editor.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import {
  changesOfMakers,
  draftOfMakers,
  MAX_MAKERS,
  type MakerDraft,
  problemsOfMakers,
  requestOfMakers,
} from "./maker-draft.ts";
import { useMakers } from "./queries.ts";

function Editor({ makers }: { readonly makers: PointsMakers }) {
  const write = useWrite();
  const { rows, change, remove, add, undo } = useRows(draftOfMakers(makers));
  const problems = problemsOfMakers(rows);
  const next = problems.size === 0 ? requestOfMakers(rows) : undefined;
  const sinceOf = (row: MakerDraft) => makers.wallets.find(({ address }) => address === row.address)?.created_at;
  const cell = (title: string, name: string, field: "address" | "label"): Column<MakerDraft> => [
    title,
    (row) => (
      <CellField
        label={`${name} of maker ${rows.indexOf(row) + 1}`}
        kind={field === "address" ? "code" : "text"}
        placeholder={field === "address" ? "0x…" : "no name"}
        value={row[field]}
        error={row[field] === "" ? undefined : problems.get(row.key)?.[field]}
        onChange={(text) => change(row, { [field]: text })}
      />
    ),
  ];
  return (
    <>
      <Table
        label="Market makers"
        className="relative"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          cell("Wallet", "Address", "address"),
          cell("Name", "Name", "label"),
          ["Listed since", (row) => (sinceOf(row) === undefined ? "new" : <Time at={sinceOf(row)} />)],
          [
            "Remove",
            (row) => (
              <IconButton
                label={`Remove maker ${rows.indexOf(row) + 1}`}
                icon={<Trash2 size={15} />}
                onClick={() => remove(row)}
              />
            ),
            "number",
            "untitled",
          ],
        ]}
        empty={
          <EmptyState title="No wallet is listed">
            All wallets score, and the market makers' pool of a season goes to no one.
          </EmptyState>
        }
      />
      <EditorFoot
        of="list of market makers"
        changes={next && changesOfMakers(makers, next)}
        warning="The new list applies to fills from now on. Listed wallets score nothing, neither for themselves nor for their inviter; the volume of their resting orders shares the market makers' pool."
        onUndo={undo}
        onSave={async (reason) =>
          next &&
          write(
            () => staffApi.pointsAdmin.setMakers({ wallets: next, ...reason }),
            ({ wallets }) => `${counted(wallets.length, "market maker")} listed now.`,
          )
        }
        start={
          <Button onClick={() => add((key) => ({ key, address: "", label: "" }))} disabled={rows.length >= MAX_MAKERS}>
            <Plus size={15} aria-hidden="true" /> Add wallet
          </Button>
        }
      />
    </>
  );
}

export function MakersEditor() {
  return (
    <Panel title="Market makers">
      <Async query={useMakers()} rows={5} rowHeight={44}>
        {(makers) => <Editor key={JSON.stringify(makers)} makers={makers} />}
      </Async>
    </Panel>
  );
}
