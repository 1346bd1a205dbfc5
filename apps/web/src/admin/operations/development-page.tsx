import { useIsDevelopment } from "../../app/config.ts";
import { Num } from "../../kit/number.tsx";
import { Badge, Notice, Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { useRead } from "../../lib/use-read.ts";
import { api } from "../../session/session.ts";
import { ClockTool } from "./clock-tool.tsx";
import { FaucetTool, PriceTool, ReleasePrice } from "./dev-tools.tsx";
import { usePrices } from "./queries.ts";

function PinnedPrices() {
  const { data = [] } = usePrices();
  const pinned = data.filter((report) => report.pinned);
  if (pinned.length === 0) return <p className="text-sm text-muted">No price is pinned.</p>;
  return (
    <Table
      label="Pinned prices"
      isDense
      rows={pinned}
      keyOf={({ symbol }) => symbol}
      columns={[
        ["Market", ({ symbol }) => symbol],
        ["Pinned at", (report) => <Num value={report.index_price} />, "number"],
        ["Mark", (report) => <Num value={report.mark_price} />, "number"],
        ["Release", ({ symbol }) => <ReleasePrice symbol={symbol} />, "number", "untitled"],
      ]}
    />
  );
}

/** RUN-6: what exists on a development server only. */
export function DevelopmentPage() {
  const isDevelopment = useIsDevelopment();
  const { data: personas } = useRead(["dev", "personas"], () => api.dev.personas(), { enabled: isDevelopment });
  if (!isDevelopment) {
    return (
      <Page title="Development">
        <EmptyState title="There are no development tools here">
          This is a production server: the clock, prices and money are real.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Development"
      lead="Tools that exist on a development server only. They move the whole platform."
      actions={<Badge tone="warn">development</Badge>}
    >
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title="Clock">
          <ClockTool />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Pin a price">
            <PriceTool />
            <div className="mt-4">
              <PinnedPrices />
            </div>
          </Panel>
          <Panel title="Faucet">
            <FaucetTool wallets={personas?.wallets ?? []} />
          </Panel>
        </div>
      </div>
      <Notice tone="neutral">
        Jobs can be run by hand on the Jobs page. The demo's personas are offered at sign-in.
      </Notice>
    </Page>
  );
}
