import type { FailedRecipient, GrantBatchReply, GrantForecast } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Table } from "../../kit/table.tsx";
import { Decimal, fractionForDrawing } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { counted } from "../frame/words.ts";
import { type GrantInput, grantLabel, obstacleOf, sayUsdt, timesOf, withLines } from "./grant-draft.ts";
import { FAILURE_WORDS } from "./words.ts";

interface FailuresProps {
  readonly label: string;
  readonly failed: readonly FailedRecipient[];
  readonly lineOf: ReadonlyMap<string, number>;
}

function Failures({ label, failed, lineOf }: FailuresProps) {
  if (failed.length === 0) return null;
  return (
    <Table
      label={label}
      className="max-h-96 rounded-md bg-raised"
      rows={withLines(failed, lineOf)}
      keyOf={({ address, line }) => `${address} ${line}`}
      columns={[
        { key: "line", title: "Line", isNumber: true, width: "4rem", cell: ({ line }) => line ?? "–" },
        ["Wallet", ({ address }) => <Hash value={address} />],
        [
          "Gets none because",
          ({ reason }) => (
            <span className="block min-w-44 py-1 whitespace-normal">
              {FAILURE_WORDS[reason]} <span className="font-mono text-xs text-faint">{reason}</span>
            </span>
          ),
        ],
      ]}
    />
  );
}

interface DryRunProps {
  readonly input: GrantInput;
  readonly forecast: GrantForecast;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly onBack: () => void;
  readonly onGrant: () => void;
}

/** What would happen, as the exchange says it; nothing has happened yet. */
export function DryRun({ input, forecast, lineOf, onBack, onGrant }: DryRunProps) {
  const obstacle = obstacleOf(forecast);
  const total = timesOf(input.per_address_amount, forecast.would_create);
  const outAfter = Decimal.parse(forecast.pool_cap_usdt).sub(Decimal.parse(forecast.headroom_after)).toString();
  return (
    <Panel title={`Dry run of ${input.batch_name}: nothing has been granted`}>
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Stat
            label="Would get a bonus"
            className="bg-raised"
            note={`${sayUsdt(input.per_address_amount)} each`}
            value={<Num value={forecast.would_create} />}
          />
          <Stat
            label="Would fail"
            className="bg-raised"
            note="named below"
            value={<Num value={forecast.would_fail.length} />}
          />
          <Stat
            label="Granted together, USDT"
            className="bg-raised"
            note={`at most ${input.max_leverage} × leverage`}
            value={<Num value={total} decimals={2} />}
          />
          <Stat
            label="Cost at worst, USDT"
            className="bg-raised"
            note="if all of it is consumed"
            value={<Num value={forecast.worst_case_cost} decimals={2} />}
          />
        </div>
        <Progress
          label="Left in the pool"
          tone={forecast.within_cap ? "accent" : "warn"}
          fraction={fractionForDrawing(outAfter, forecast.pool_cap_usdt)}
          figure={`${formatMoney(forecast.headroom_before)} → ${sayUsdt(forecast.headroom_after)}`}
        />
        <Failures label="Wallets that would fail" failed={forecast.would_fail} lineOf={lineOf} />
        {obstacle !== undefined && <Notice>{obstacle}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={onBack}>
            Back to the form
          </Button>
          <Button look="primary" disabled={obstacle !== undefined} onClick={onGrant}>
            {grantLabel(input, forecast)}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

interface GrantResultProps {
  readonly input: GrantInput;
  readonly reply: GrantBatchReply;
  readonly lineOf: ReadonlyMap<string, number>;
  readonly onAnother: () => void;
}

export function GrantResult({ input, reply, lineOf, onAnother }: GrantResultProps) {
  return (
    <Panel title={`Granted: ${input.batch_name}`}>
      <div className="flex flex-col gap-4">
        {reply.replayed && (
          <Notice tone="accent">
            This had been done before: shown is what came of it then. Nothing was granted a second time.
          </Notice>
        )}
        <p role="status">
          {sayUsdt(timesOf(input.per_address_amount, reply.created))} are with {counted(reply.created, "wallet")}
          {reply.failed.length === 0 ? "; none failed." : `; ${counted(reply.failed.length, "wallet")} failed.`}
        </p>
        <Failures label="Wallets that failed" failed={reply.failed} lineOf={lineOf} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          <Link
            to="/admin/bonus"
            search={{ tab: "batches", batch: reply.grant_batch_id }}
            className="text-sm text-accent hover:underline"
          >
            To the batch
          </Link>
          <Button onClick={onAnother}>Grant another batch</Button>
        </div>
      </div>
    </Panel>
  );
}
