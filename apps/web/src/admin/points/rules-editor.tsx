import type { PointsRule, PointsRules } from "@bourse/api/client";
import { useState } from "react";
import { TextField } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { EditorFoot } from "../frame/editor.tsx";
import { useWrite } from "../frame/write.ts";

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

function Editor({ rule, markets }: { readonly rule: PointsRule; readonly markets: readonly string[] }) {
  const write = useWrite();
  const [draft, setDraft] = useState<RuleDraft>(() => draftOfRule(rule, markets));
  const problems = problemsOfRule(draft);
  const next = requestOfRule(draft);
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {NUMBERS.map(({ field, label, unit }) => (
          <TextField
            key={field}
            label={label}
            error={problems[field]}
            kind="decimal"
            end={unit}
            value={draft[field]}
            onChange={(text) => setDraft({ ...draft, [field]: text })}
          />
        ))}
      </div>
      <h3 className="pt-4 pb-2 text-xs font-medium text-faint">Boosts, by market: 1 to 2, empty for none</h3>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
        {Object.entries(draft.boosts).map(([symbol, boost]) => (
          <TextField
            key={symbol}
            label={symbol}
            error={problems.boosts[symbol]}
            kind="decimal"
            end="×"
            placeholder="1"
            value={boost}
            onChange={(text) => setDraft({ ...draft, boosts: { ...draft.boosts, [symbol]: text } })}
          />
        ))}
      </div>
      <EditorFoot
        of="rule"
        changes={next && changesOfRule(rule, next)}
        warning={`What is scored from now on carries version ${rule.version + 1}. Lines written before do not change.`}
        onUndo={() => setDraft(draftOfRule(rule, markets))}
        onSave={async (reason) =>
          next &&
          write(
            () => staffApi.pointsAdmin.setRules({ ...next, ...reason }),
            ({ version }) => `Version ${version} of the rule applies from now on.`,
          )
        }
      />
    </>
  );
}

/** Each version, its content and since when it applies. */
function History({ rules }: { readonly rules: PointsRules }) {
  const { history, ...rule } = rules;
  return (
    <Panel title="Versions" isFlush>
      <Table
        label="Versions of the rule"
        rows={[rule, ...history]}
        keyOf={({ version }) => version}
        columns={[
          ["Version", ({ version }) => (version === rule.version ? `${version}, current` : version)],
          ["Since", ({ created_at }) => <Time at={created_at} />],
          ["By", ({ created_by }) => <span title={created_by}>{shortHash(created_by, 8, 4)}</span>],
          [
            "What it says",
            (each) => (
              <span className="block min-w-80 py-2 whitespace-normal text-muted">
                {linesOfRule(each)
                  .map(({ what, is }) => `${what}: ${is}`)
                  .join(" · ")}
              </span>
            ),
          ],
        ]}
      />
    </Panel>
  );
}

/** How points are computed. A change makes a new version. */
export function RulesEditor() {
  const query = useRules();
  return (
    <Async query={query} rows={10} rowHeight={40}>
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
