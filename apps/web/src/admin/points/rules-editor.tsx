import type { PointsRule, PointsRules } from "@bourse/api/client";
import { useState } from "react";
import { DecimalInput, Field } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { reasonOf } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { EditorFoot } from "./editor-foot.tsx";
import { useRules } from "./queries.ts";
import {
  changesOfRule,
  draftOfRule,
  linesOfRule,
  problemsOfRule,
  type RuleDraft,
  requestOfRule,
} from "./rule-draft.ts";

const NUMBERS = [
  { field: "perFee", label: "Points for each USDT of fee", unit: "points" },
  { field: "maker", label: "Makers' points are multiplied by", unit: "×" },
  { field: "perEarnPoint", label: "Savings that score a point a day", unit: "USDT" },
  { field: "share", label: "Inviter's share of an invitee's points", unit: "%" },
] as const;

interface EditorProps {
  readonly rule: PointsRule;
  readonly markets: readonly string[];
}

function Editor({ rule, markets }: EditorProps) {
  const write = useWrite();
  const [draft, setDraft] = useState<RuleDraft>(() => draftOfRule(rule, markets));
  const problems = problemsOfRule(draft);
  const next = requestOfRule(draft);
  const save = async (reason: string) => {
    if (next === undefined) return;
    await write(
      () => staffApi.pointsAdmin.setRules({ ...next, ...reasonOf(reason) }),
      ({ version }) => `Version ${version} of the rule holds from now on.`,
    );
  };
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {NUMBERS.map(({ field, label, unit }) => (
          <Field key={field} label={label} error={problems[field]}>
            {(ids) => (
              <DecimalInput
                {...ids}
                end={unit}
                value={draft[field]}
                onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <h3 className="pt-4 pb-2 text-xs font-medium text-faint">Boosts, by market: 1 to 2, empty for none</h3>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
        {Object.entries(draft.boosts).map(([symbol, boost]) => (
          <Field key={symbol} label={symbol} error={problems.boosts[symbol]}>
            {(ids) => (
              <DecimalInput
                {...ids}
                end="×"
                placeholder="1"
                value={boost}
                onChange={(event) => setDraft({ ...draft, boosts: { ...draft.boosts, [symbol]: event.target.value } })}
              />
            )}
          </Field>
        ))}
      </div>
      <EditorFoot
        of="rule"
        hasProblems={next === undefined}
        changes={next === undefined ? [] : changesOfRule(rule, next)}
        warning={`What is scored from now on carries version ${rule.version + 1}. Lines that were written stay as they are.`}
        onUndo={() => setDraft(draftOfRule(rule, markets))}
        onSave={save}
      />
    </>
  );
}

/** Each version with what it said and from when on it held. */
function History({ rules }: { readonly rules: PointsRules }) {
  const { history, ...rule } = rules;
  return (
    <Panel title="Versions" isFlush>
      <Table
        label="Versions of the rule"
        rows={[rule, ...history]}
        keyOf={({ version }) => version}
        columns={[
          {
            key: "version",
            title: "Version",
            cell: ({ version }) => (version === rule.version ? `${version}, holds` : version),
          },
          { key: "from", title: "Since", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            key: "by",
            title: "By",
            cell: ({ created_by }) => <span title={created_by}>{shortHash(created_by, 8, 4)}</span>,
          },
          {
            key: "what",
            title: "What it says",
            cell: (each) => (
              <span className="block min-w-80 py-2 whitespace-normal text-muted">
                {linesOfRule(each)
                  .map(({ what, is }) => `${what}: ${is}`)
                  .join(" · ")}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** How points are reckoned: a change is a new version. */
export function RulesEditor() {
  const query = useRules();
  return (
    <Async query={query} skeleton={<Skeleton rows={10} rowHeight={40} />}>
      {({ rules, markets }) => (
        <div className="flex flex-col gap-4">
          <Panel title={`Rule, version ${rules.version}`}>
            <Editor key={rules.version} rule={rules} markets={markets} />
          </Panel>
          <History rules={rules} />
        </div>
      )}
    </Async>
  );
}
