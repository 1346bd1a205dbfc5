import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, Select } from "../../kit/field.tsx";
import { Money } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { parseTyped } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { serverNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { phaseOf } from "./days.ts";
import { useAllRecords } from "./queries.ts";
import { owedOf, sumsByDay, sumsOf } from "./sums.ts";

/** What is pending on days that are over. A batch holds at most that: less what open batches have, less the frozen. */
function usePending() {
  const query = useAllRecords("pending");
  const now_ms = serverNow();
  const records = query.data?.records.filter(({ period }) => phaseOf(period, now_ms) === "over") ?? [];
  return { query, records, isWhole: query.data !== undefined && query.data.records.length === query.data.total };
}

interface Draft {
  readonly period: string;
  readonly minAmount: string;
}

interface ConfirmBatchProps extends Draft {
  readonly most: string;
  readonly count: number;
  readonly onClose: () => void;
}

function ConfirmBatch({ period, minAmount, most, count, onClose }: ConfirmBatchProps) {
  const write = useWrite();
  const navigate = useNavigate();
  const create = async () => {
    const batch = await write(
      () =>
        staffApi.brokerAdmin.createPayoutBatch({
          ...(period === "" ? {} : { period }),
          ...(minAmount === "" ? {} : { min_amount: parseTyped(minAmount)?.toString() ?? minAmount }),
        }),
      (made) =>
        `A batch of ${formatMoney(made.total_amount)} USDT for ${counted(made.payee_count, "partner")} is open.`,
    );
    await navigate({ to: "/admin/payouts/$batchId", params: { batchId: batch.id } });
  };
  return (
    <ConfirmAction
      title="Make a payout batch"
      changes={[
        { what: "Days", after: period === "" ? "all closed days" : period },
        { what: "Pending records", after: String(count) },
        { what: "Owed by them", after: `${formatMoney(most)} USDT` },
        ...(minAmount === "" ? [] : [{ what: "Left for later", after: `payees below ${minAmount} USDT` }]),
        { what: "Money", after: "does not move yet" },
      ]}
      warning="Its lines are taken: no other batch can hold them until it is paid or cancelled."
      actionLabel={`Put up to ${formatMoney(most)} USDT into a batch`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={create}
    />
  );
}

/** What would be in a batch is in sight before it is made. */
export function NewBatch() {
  const { query, records, isWhole } = usePending();
  const [draft, setDraft] = useState<Draft>({ period: "", minAmount: "" });
  const [isAsking, setAsking] = useState(false);
  const days = sumsByDay(records);
  const sums = sumsOf(records.filter(({ period }) => draft.period === "" || period === draft.period));
  const most = owedOf(sums);
  const isAmount = draft.minAmount === "" || parseTyped(draft.minAmount) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  return (
    <Panel title="New batch">
      <Async query={query} skeleton={<Skeleton rows={3} rowHeight={36} />}>
        {() => (
          <form className="flex flex-wrap items-end gap-4" onSubmit={submit}>
            <Field label="Days" className="w-full sm:w-56">
              {(ids) => (
                <Select
                  {...ids}
                  value={draft.period}
                  onChange={(event) => setDraft({ ...draft, period: event.target.value })}
                >
                  <option value="">All closed days</option>
                  {days.map(({ period }) => (
                    <option key={period} value={period}>
                      {period}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field
              label="Leave payees below"
              className="w-full sm:w-48"
              error={isAmount ? undefined : "Give an amount, or nothing."}
            >
              {(ids) => (
                <DecimalInput
                  {...ids}
                  end="USDT"
                  placeholder="0"
                  value={draft.minAmount}
                  onChange={(event) => setDraft({ ...draft, minAmount: event.target.value })}
                />
              )}
            </Field>
            <p className="min-w-56 flex-1 text-sm text-muted">
              {sums.count === 0 ? (
                "Nothing is pending on days that are over."
              ) : (
                <>
                  {counted(sums.count, "record")} pending, <Money value={most} className="font-medium text-text" /> owed
                  by them{isWhole ? "" : " (newest ones only)"}. What open batches hold already and what frozen KOLs are
                  owed is left out; adjustments may lower it.
                </>
              )}
            </p>
            <Button look="primary" type="submit" disabled={sums.count === 0 || !isAmount}>
              Review the batch
            </Button>
          </form>
        )}
      </Async>
      {isAsking && <ConfirmBatch {...draft} most={most} count={sums.count} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
