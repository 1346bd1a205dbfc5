import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Money } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { parseTyped } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { serverNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { phaseOf } from "./days.ts";
import { useAllRecords } from "./queries.ts";
import { owedOf, sumsByDay, sumsOf } from "./sums.ts";

/** What is pending for closed days: the most a batch can hold. Lines of open batches and of frozen KOLs are left out. */
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
        ...(minAmount === "" ? [] : [{ what: "Left out", after: `payees below ${minAmount} USDT` }]),
        { what: "Money", after: "does not move yet" },
      ]}
      warning="No other batch can hold its lines until it is paid or cancelled."
      actionLabel={`Put up to ${formatMoney(most)} USDT into a batch`}
      onClose={onClose}
      onConfirm={create}
    />
  );
}

/** Shows what a batch would contain before it is made. */
export function NewBatch() {
  const { query, records, isWhole } = usePending();
  const [draft, setDraft] = useState<Draft>({ period: "", minAmount: "" });
  const [isAsking, setAsking] = useState(false);
  const days = sumsByDay(records);
  const sums = sumsOf(records.filter(({ period }) => draft.period === "" || period === draft.period));
  const most = owedOf(sums);
  const isAmount = draft.minAmount === "" || parseTyped(draft.minAmount) !== undefined;
  return (
    <Panel title="New batch">
      <Async query={query} rows={3} rowHeight={36}>
        {() => (
          <Form className="flex flex-wrap items-end gap-4" onSubmit={() => setAsking(true)}>
            <SelectField
              label="Days"
              className="w-full sm:w-56"
              options={[
                { value: "", label: "All closed days" },
                ...days.map(({ period }) => ({ value: period, label: period })),
              ]}
              value={draft.period}
              onChange={(period) => setDraft({ ...draft, period })}
            />
            <TextField
              label="Leave out payees below"
              className="w-full sm:w-48"
              error={isAmount ? undefined : "Give an amount, or nothing."}
              kind="decimal"
              end="USDT"
              placeholder="0"
              value={draft.minAmount}
              onChange={(text) => setDraft({ ...draft, minAmount: text })}
            />
            <p className="min-w-56 flex-1 text-sm text-muted">
              {sums.count === 0 ? (
                "Nothing is pending on days that are over."
              ) : (
                <>
                  {counted(sums.count, "record")} pending, <Money value={most} className="font-medium text-text" /> owed
                  by them{isWhole ? "" : " (newest records only)"}. Lines of open batches and of frozen KOLs are left
                  out; adjustments may lower the amount.
                </>
              )}
            </p>
            <Button look="primary" type="submit" disabled={sums.count === 0 || !isAmount}>
              Review the batch
            </Button>
          </Form>
        )}
      </Async>
      {isAsking && <ConfirmBatch {...draft} most={most} count={sums.count} onClose={() => setAsking(false)} />}
    </Panel>
  );
}
