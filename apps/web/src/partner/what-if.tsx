import type { WhatIf as WhatIfReply } from "@bourse/api/client";
import { useState } from "react";
import { Chart } from "../kit/chart.tsx";
import { Segmented, Slider } from "../kit/field.tsx";
import { Money, Signed } from "../kit/number.tsx";
import { Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { Table } from "../kit/table.tsx";
import { percentOf } from "../lib/format.ts";
import { useOverview, useWhatIf } from "./queries.ts";
import { ratioOfTenths, tenthsOf, type WhatIfLine, whatIfLines } from "./what-if-figures.ts";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;

type Days = (typeof DAYS)[number]["value"];

/** The formula over the real fees of the partner's customers, with another ratio. */
export function WhatIf() {
  const { data: overview } = useOverview();
  if (!overview) return <Skeleton rows={10} />;
  return <Question rate={overview.rebate_rate} />;
}

function Question({ rate }: { readonly rate: string }) {
  const most = tenthsOf(rate);
  const [tenths, setTenths] = useState(Math.min(100, most));
  // Requested when the thumb is released, not for every pixel.
  const [asked, setAsked] = useState(tenths);
  const [days, setDays] = useState<Days>("30");
  const answer = useWhatIf(ratioOfTenths(asked), Number(days));
  return (
    <Panel
      title="What if customers got back another part?"
      actions={<Segmented label="Over how long" options={DAYS} value={days} onChange={setDays} />}
    >
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-1">
          <div className="flex items-baseline justify-between text-sm">
            <span className="text-muted">Every customer gets back</span>
            <span className="num text-lg font-semibold">{percentOf(ratioOfTenths(tenths), 1)} %</span>
          </div>
          <Slider
            label="Part of the fees that customers get back"
            value={tenths}
            min={0}
            max={most}
            step={1}
            onChange={setTenths}
            onCommit={setAsked}
            valueText={`${percentOf(ratioOfTenths(tenths), 1)} %`}
          />
          <div className="flex justify-between text-xs text-faint">
            <span>nothing</span>
            <span>your own rate, {percentOf(rate)} %</span>
          </div>
        </div>
        <Async query={answer} rows={12}>
          {(reply) => <Reply reply={reply} />}
        </Async>
      </div>
    </Panel>
  );
}

function Reply({ reply }: { readonly reply: WhatIfReply }) {
  if (reply.customers === 0) {
    return <EmptyState title="No customer of yours paid fees in these days">Choose more days.</EmptyState>;
  }
  return (
    <div className="grid gap-6 *:min-w-0 lg:grid-cols-2">
      <div className="flex flex-col gap-2">
        <Table<WhatIfLine>
          label="What it would have been"
          rows={whatIfLines(reply)}
          keyOf={({ name }) => name}
          rowClass={({ isHeadline }) => isHeadline && "bg-accent-soft font-medium"}
          columns={[
            [`${reply.from} to ${reply.to}`, ({ name }) => name],
            ["As it was", ({ actual }) => <Money value={actual} unit="" />, "number"],
            [
              `At ${percentOf(reply.customer_rebate_ratio, 1)} %`,
              ({ hypothetical }) => <Money value={hypothetical} unit="" />,
              "number",
            ],
            [
              "Difference",
              ({ difference, isHeadline }) =>
                isHeadline ? <Signed value={difference} /> : <Money value={difference} unit="" signed />,
              "number",
            ],
          ]}
        />
        <p className="text-xs text-faint">
          In USDT, over the fees that {reply.customers} of your own customers really paid, at the rates of their time.
          With another ratio, customers might have traded differently.
        </p>
      </div>
      <Chart
        label={`What you would have kept by day at ${percentOf(reply.customer_rebate_ratio, 1)} per cent`}
        kind="bars"
        points={reply.days.map(({ date, hypothetical }) => ({ label: date, value: hypothetical.kol_net }))}
        axis="Day (UTC)"
      />
    </div>
  );
}
