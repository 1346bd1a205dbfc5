import type { EarnLevel } from "@bourse/api/client";
import { useState } from "react";
import { CellField } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { groupDigits } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { EditorFoot } from "../frame/editor.tsx";
import { useWrite } from "../frame/write.ts";
import {
  changesOfLevels,
  draftOfLevels,
  type LevelDraft,
  lastPointsOf,
  levelsOf,
  problemsOfLevels,
} from "./level-draft.ts";
import { useLevels } from "./queries.ts";

function Editor({ levels }: { readonly levels: readonly EarnLevel[] }) {
  const write = useWrite();
  const [rows, setRows] = useState(() => draftOfLevels(levels));
  const problems = problemsOfLevels(rows);
  const next = levelsOf(rows);
  const upTo = ({ level }: LevelDraft) => {
    const last = lastPointsOf(rows, level);
    return last === undefined ? "and more" : groupDigits(String(last));
  };
  const cell = (title: string, labelOf: (level: string) => string, field: "from" | "weight"): Column<LevelDraft> => [
    title,
    (row) =>
      field === "from" && row.level === 0 ? (
        0
      ) : (
        <CellField
          label={labelOf(`L${row.level}`)}
          kind="whole"
          inputClass="text-right"
          value={row[field]}
          error={problems[row.level]?.[field]}
          onChange={(text) => setRows(rows.map((each) => (each === row ? { ...row, [field]: text } : each)))}
        />
      ),
    "number",
  ];
  return (
    <>
      <Table
        label="Levels"
        className="max-w-xl"
        rows={rows}
        keyOf={({ level }) => level}
        columns={[
          ["Level", ({ level }) => <span className="font-medium">L{level}</span>],
          cell("From, points", (level) => `${level} begins at`, "from"),
          ["Up to", (row) => <span className="text-muted">{upTo(row)}</span>, "number"],
          cell("Weight", (level) => `Weight of ${level}`, "weight"),
        ]}
      />
      <EditorFoot
        of="levels"
        changes={next && changesOfLevels(levels, next)}
        warning="Levels change on all lists at once. A season that has not ended is shared out by the weights at its snapshot."
        onUndo={() => setRows(draftOfLevels(levels))}
        onSave={async (reason) =>
          next &&
          write(
            () => staffApi.pointsAdmin.setLevels({ levels: next, ...reason }),
            () => "The new levels apply from now on.",
          )
        }
      />
    </>
  );
}

/** The season points from which a weight applies. */
export function LevelsEditor() {
  return (
    <Panel title="Levels">
      <Async query={useLevels()} rows={7} rowHeight={44}>
        {({ levels }) => <Editor key={JSON.stringify(levels)} levels={levels} />}
      </Async>
    </Panel>
  );
}
