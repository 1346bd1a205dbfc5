import type { Invariant, Job, MarketInfo, PayoutBatchList, Readiness, Switches } from "@bourse/api/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Time } from "../../kit/time.tsx";
import { sum } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { counted } from "../frame/words.ts";
import { verdictOf } from "../operations/invariant-words.ts";
import { READINESS_WORDS } from "../operations/readiness-words.ts";
import { Card } from "./card.tsx";

interface PlatformCardsProps {
  readonly readiness: UseQueryResult<Readiness>;
  readonly invariants: UseQueryResult<Invariant[]>;
  readonly jobs: UseQueryResult<Job[]>;
  readonly switches: UseQueryResult<Switches>;
  readonly markets: UseQueryResult<MarketInfo[]>;
  readonly batches: UseQueryResult<PayoutBatchList>;
}

const TONES = { good: "text-good", bad: "text-bad", neutral: "" };
const Good = ({ is, words }: { readonly is: boolean; readonly words: string }) => (
  <span className={is ? "text-good" : "text-warn"}>{words}</span>
);

export function PlatformCards({ readiness, invariants, jobs, switches, markets, batches }: PlatformCardsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      <Card
        label="Health"
        to="/admin/health"
        query={readiness}
        figure={({ status }) => <Good is={status === "ready"} words={status === "ready" ? "Ready" : status} />}
        note={({ status, checks }) => `${READINESS_WORDS[status]}, ${Object.keys(checks).length} checks`}
      />
      <Card
        label="Invariants"
        to="/admin/invariants"
        query={invariants}
        figure={(rows) => <span className={TONES[verdictOf(rows).tone]}>{verdictOf(rows).words}</span>}
        note={(rows) => (
          <>
            checked <Time at={rows[0]?.checked_at} precision="second" />
          </>
        )}
      />
      <Card
        label="Jobs"
        to="/admin/jobs"
        query={jobs}
        figure={(rows) => {
          const failing = rows.filter(({ consecutive_failures }) => consecutive_failures > 0).length;
          return failing === 0 ? (
            "None failing"
          ) : (
            <Good is={false} words={counted(failing, "job failing", "jobs failing")} />
          );
        }}
        note={(rows) => `${rows.length} jobs, ${rows.filter(({ running }) => running).length} running`}
      />
      <Card
        label="Withdrawals"
        to="/admin/switches"
        query={switches}
        figure={(states) => (states.withdrawals_paused ? <Good is={false} words="Paused" /> : "Running")}
        note={(states) =>
          states.withdrawals_paused_by_setting
            ? "locked by the setting WITHDRAWALS_PAUSED"
            : states.withdrawals_paused
              ? "by the kill switch"
              : "the kill switch is off"
        }
      />
      <Card
        label="Markets"
        to="/admin/markets"
        query={markets}
        figure={(rows) => {
          const trading = rows.filter(({ status }) => status === "trading").length;
          return trading === rows.length ? (
            `All ${rows.length} trade`
          ) : (
            <Good is={false} words={`${trading} of ${rows.length} trade`} />
          );
        }}
        note={(rows) => rows.map(({ symbol }) => symbol).join(", ")}
      />
      <Card
        label="Payouts to be paid"
        to="/admin/payouts"
        query={batches}
        figure={({ items: rows }) => {
          const open = rows.filter(({ status }) => status === "open" || status === "paying");
          return `${formatMoney(sum(open.map(({ total_amount }) => total_amount)).toString())} USDT`;
        }}
        note={({ items: rows, total }) => {
          const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
          return `${count("open")} open, ${count("paying")} on the way, ${total} in all`;
        }}
      />
    </div>
  );
}
