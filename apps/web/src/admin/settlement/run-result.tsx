import type { CalculatedRebates } from "@bourse/api/client";
import { Hash } from "../../kit/hash.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Notice, Panel } from "../../kit/panel.tsx";
import type { Outcome } from "./run-outcome.ts";

const WORDS: Record<Outcome["kind"], string> = {
  first: "The day was settled for the first time.",
  unchanged: "Nothing changed: the same records, byte for byte, and the same root.",
  changed: "The day has changed:",
};

function Differences({ outcome }: { readonly outcome: Outcome }) {
  return (
    <Notice tone={outcome.kind === "changed" ? "accent" : "neutral"}>
      {WORDS[outcome.kind]}
      {outcome.differences.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5">
          {outcome.differences.map(({ what, before, after, isMoney }) => (
            <li key={what} className="num">
              {what}: {isMoney ? <Num value={before} /> : before} → {isMoney ? <Num value={after} /> : after}
            </li>
          ))}
        </ul>
      )}
      {outcome.kind === "changed" && outcome.differences.length === 0 && " the root differs, the sums are the same."}
    </Notice>
  );
}

/** What a settlement came to. */
export function RunResult({ run, outcome }: { readonly run: CalculatedRebates; readonly outcome: Outcome }) {
  return (
    <Panel
      title={`Result of ${run.period}`}
      actions={
        <Badge tone={run.provisional ? "neutral" : "accent"}>{run.provisional ? "provisional" : "closed"}</Badge>
      }
    >
      <div role="status" className="flex flex-col gap-3">
        <Differences outcome={outcome} />
        <Facts>
          <Fact name="KOLs with records" value={run.total_brokers} />
          <Fact name="Records" value={run.total_records} />
          <Fact name="Fees that counted" value={<Money value={run.total_fee} />} />
          <Fact name="Gross rebates" value={<Money value={run.total_nominal} />} />
          <Fact name="To downlines" value={<Money value={run.total_customer_rebate} />} />
          <Fact name="To parent KOLs" value={<Money value={run.total_share} />} />
          <Fact name="To KOLs" value={<Money value={run.total_kol_net} />} />
          <Fact name="To affiliates, beside it" value={<Money value={run.total_affiliate_reward} />} />
          <Fact name="Revision of the root" value={run.revision} />
          <Fact name="Root" value={<Hash value={run.root} of="root" />} />
        </Facts>
      </div>
    </Panel>
  );
}
