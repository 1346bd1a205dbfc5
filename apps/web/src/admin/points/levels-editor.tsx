import type { EarnLevel } from "@bourse/api/client";
import { useId, useState } from "react";
import { TextInput } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { groupDigits } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { reasonOf } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { EditorFoot } from "./editor-foot.tsx";
import {
  changesOfLevels,
  draftOfLevels,
  type LevelDraft,
  type LevelProblems,
  lastPointsOf,
  levelsOf,
  problemsOfLevels,
} from "./level-draft.ts";
import { useLevels } from "./queries.ts";

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function Cell({ label, value, problem, onChange }: CellProps) {
  const noteId = useId();
  return (
    <td className="px-2 py-1.5 align-top">
      <TextInput
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : noteId}
        inputMode="numeric"
        className="num text-right"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined && (
        <span id={noteId} className="block text-right text-xs text-bad">
          {problem}
        </span>
      )}
    </td>
  );
}

interface LevelRowProps {
  readonly row: LevelDraft;
  readonly last: bigint | undefined;
  readonly problems: LevelProblems;
  readonly onChange: (row: LevelDraft) => void;
}

function LevelRow({ row, last, problems, onChange }: LevelRowProps) {
  const name = `L${row.level}`;
  return (
    <tr>
      <th scope="row" className="px-2 text-left font-medium">
        {name}
      </th>
      {row.level === 0 ? (
        <td className="num px-4 text-right">0</td>
      ) : (
        <Cell
          label={`${name} begins at`}
          value={row.from}
          problem={problems.from}
          onChange={(from) => onChange({ ...row, from })}
        />
      )}
      <td className="num px-2 text-right text-muted">{last === undefined ? "and more" : groupDigits(String(last))}</td>
      <Cell
        label={`Weight of ${name}`}
        value={row.weight}
        problem={problems.weight}
        onChange={(weight) => onChange({ ...row, weight })}
      />
    </tr>
  );
}

function Editor({ levels }: { readonly levels: readonly EarnLevel[] }) {
  const write = useWrite();
  const [rows, setRows] = useState(() => draftOfLevels(levels));
  const problems = problemsOfLevels(rows);
  const next = levelsOf(rows);
  const save = async (reason: string) => {
    if (next === undefined) return;
    await write(
      () => staffApi.pointsAdmin.setLevels({ levels: next, ...reasonOf(reason) }),
      () => "The new levels hold from now on.",
    );
  };
  return (
    <>
      <div className="overflow-x-auto">
        <table aria-label="Levels" className="w-full max-w-xl table-fixed border-collapse text-sm">
          <thead className="text-xs text-faint">
            <tr>
              <th scope="col" className="h-8 w-11 px-2 text-left font-medium">
                Level
              </th>
              <th scope="col" className="px-4 text-right font-medium">
                From, points
              </th>
              <th scope="col" className="px-2 text-right font-medium">
                Up to
              </th>
              <th scope="col" className="w-20 px-4 text-right font-medium">
                Weight
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <LevelRow
                key={row.level}
                row={row}
                last={lastPointsOf(rows, place)}
                problems={problems[place] ?? {}}
                onChange={(changed) => setRows(rows.map((each) => (each.level === row.level ? changed : each)))}
              />
            ))}
          </tbody>
        </table>
      </div>
      <EditorFoot
        of="levels"
        hasProblems={next === undefined}
        changes={next === undefined ? [] : changesOfLevels(levels, next)}
        warning="Levels on all lists change at once. A season that is not over is shared out by the weights that hold at its snapshot."
        onUndo={() => setRows(draftOfLevels(levels))}
        onSave={save}
      />
    </>
  );
}

/** From which points of a season on which weight holds. */
export function LevelsEditor() {
  const query = useLevels();
  return (
    <Panel title="Levels">
      <Async query={query} skeleton={<Skeleton rows={7} rowHeight={44} />}>
        {({ levels }) => <Editor key={JSON.stringify(levels)} levels={levels} />}
      </Async>
    </Panel>
  );
}
