import type { MyBonus } from "@bourse/api/client";
import { Money } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { useServerNow } from "../../lib/server-time.ts";
import { msOf } from "../../lib/time.ts";
import { useBonus } from "../queries.ts";
import { BONUS_STATUS, expiryWarning, isRunning, owedWords, sharesOf } from "./bonus-words.ts";
import { Ledger } from "./ledger.tsx";
import { Redeem } from "./redeem.tsx";

export function Bonus() {
  const query = useBonus();
  return (
    <div className="flex flex-col gap-4">
      <Async query={query} rows={6} rowHeight={40}>
        {(bonus) => (
          <>
            {bonus.status !== "none" && <Standing bonus={bonus} />}
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <div className="flex min-w-0 flex-col gap-4">
                {!isRunning(bonus) && <Redeem />}
                {bonus.status !== "none" && <Whereabouts bonus={bonus} />}
              </div>
              <Rules bonus={bonus} />
            </div>
          </>
        )}
      </Async>
      <Ledger />
    </div>
  );
}

/** How often the time is checked for warnings. */
const CLOCK_STEP_MS = 60_000;

function Standing({ bonus }: { readonly bonus: MyBonus }) {
  const warning = expiryWarning(bonus, useServerNow(CLOCK_STEP_MS));
  const { label, tone, more } = BONUS_STATUS[bonus.status];
  return (
    <>
      {warning !== undefined && <Notice>{warning}</Notice>}
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Bonus granted"
          note={bonus.grant_tier ?? undefined}
          value={<Money value={bonus.amount} unit="" />}
        />
        <Stat label="Status" note={more} value={<Badge tone={tone}>{label}</Badge>} />
        <Stat
          label="Ends in"
          note={<Time at={bonus.expires_at} />}
          value={
            isRunning(bonus) && bonus.expires_at !== null ? <Countdown until={bonus.expires_at} done="over" /> : "–"
          }
        />
        <Stat
          label="Highest leverage"
          note="While any bonus is left"
          value={bonus.max_leverage === null ? "–" : `${bonus.max_leverage}×`}
        />
      </div>
    </>
  );
}

/** How the granted amount is shared out, and how much of its time is over. */
function Whereabouts({ bonus }: { readonly bonus: MyBonus }) {
  const { free, locked, consumed } = sharesOf(bonus);
  return (
    <Panel title="Where it is">
      <div className="flex flex-col gap-4">
        <Progress label="Free" fraction={free} figure={<Money value={bonus.bonus_free} />} />
        <Progress label="In margin" fraction={locked} figure={<Money value={bonus.bonus_locked} />} />
        <Progress label="Consumed by costs" fraction={consumed} figure={<Money value={bonus.bonus_consumed} />} />
        <Owed bonus={bonus} />
        {isRunning(bonus) && <Clock bonus={bonus} />}
      </div>
    </Panel>
  );
}

/** BON-7: what goes back when the bonus ends, and why. */
function Owed({ bonus }: { readonly bonus: MyBonus }) {
  const why = owedWords(bonus);
  if (why === undefined) return null;
  return (
    <div className="flex flex-col gap-1">
      <Facts>
        <Fact name="Owed to the pool" value={<Money value={bonus.bonus_owed} />} />
      </Facts>
      <p className="text-xs text-muted">{why}</p>
    </div>
  );
}

/** The clock of the bonus as a bar with its figure. */
function Clock({ bonus }: { readonly bonus: MyBonus }) {
  const now = useServerNow(CLOCK_STEP_MS);
  if (bonus.granted_at === null || bonus.expires_at === null) return null;
  const [from, until] = [msOf(bonus.granted_at), msOf(bonus.expires_at)];
  return (
    <Progress
      label="Time passed"
      fraction={(now - from) / (until - from)}
      figure={
        <>
          <Countdown until={bonus.expires_at} done="nothing" /> left
        </>
      }
      tone={now > until ? "warn" : "accent"}
    />
  );
}

function Rules({ bonus }: { readonly bonus: MyBonus }) {
  return (
    <Panel title="How a bonus works">
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-sm text-muted">
        <li>It is margin for your positions. It can never be withdrawn, and it comes once per campaign and wallet.</li>
        <li>Profits go to your principal and are yours to withdraw.</li>
        <li>
          Fees, funding and losses are paid half from the bonus, half from principal; when one runs out, the other pays.
        </li>
        <li>
          Leverage is at most {bonus.max_leverage === null ? "what the grant says" : `${bonus.max_leverage}×`} and
          margin is shared (cross) while any bonus is left.
        </li>
        <li>
          It pays fair prices only: you open close to the mark, and what trades cost against the mark beyond a twentieth
          of the grant is yours to bear.
        </li>
        <li>While it is more than 60 % of your money, new orders must go in the direction of the position.</li>
        <li>It ends 7 days after the grant, or with your last position. What is left then goes back to the pool.</li>
        <li>Positions that are still open at the end can only be closed; 7 days later they are closed for you.</li>
      </ul>
      {bonus.granted_at !== null && (
        <Facts className="mt-3">
          <Fact name="Granted" value={<Time at={bonus.granted_at} />} />
          <Fact name="Ends" value={<Time at={bonus.expires_at} />} />
        </Facts>
      )}
    </Panel>
  );
}
