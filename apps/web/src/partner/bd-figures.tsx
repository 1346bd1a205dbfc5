import { Money, Num } from "../kit/number.tsx";
import { Fact, Facts, Panel, Stat } from "../kit/panel.tsx";
import { Async, Skeleton } from "../kit/states.tsx";
import { useBdDashboard } from "./queries.ts";

export function BdFigures() {
  return (
    <Async query={useBdDashboard()} skeleton={<Skeleton rows={4} rowHeight={44} />}>
      {(figures) => (
        <div className="grid gap-3 lg:grid-cols-3">
          <section aria-label="Your figures" className="grid grid-cols-2 gap-3 lg:col-span-2">
            <Stat
              label="Active KOLs"
              note={
                <>
                  <Num value={figures.sub_kol_count} /> sub-KOLs among them, <Num value={figures.frozen_kol_count} />{" "}
                  frozen
                </>
              }
            >
              <Num value={figures.kol_count} />
            </Stat>
            <Stat label="Customers" note="of all your KOLs">
              <Num value={figures.customer_count} />
            </Stat>
            <Stat label="Fees they brought" note="of all records">
              <Money value={figures.total_fee} />
            </Stat>
            <Stat
              label="Your open codes"
              note={
                <>
                  <Num value={figures.codes.used} /> used, <Num value={figures.codes.expired} /> expired,{" "}
                  <Num value={figures.codes.disabled} /> switched off
                </>
              }
            >
              <Num value={figures.codes.active} />
            </Stat>
          </section>
          <Panel title="Where the rebates go">
            <Facts>
              <Fact name="Shared out">
                <Money value={figures.total_nominal_rebate} />
              </Fact>
              <Fact name="To customers">
                <Money value={figures.total_customer_rebate} />
              </Fact>
              <Fact name="To parent KOLs">
                <Money value={figures.total_share} />
              </Fact>
              <Fact name="To KOLs, net">
                <Money value={figures.total_kol_rebate} />
              </Fact>
            </Facts>
          </Panel>
        </div>
      )}
    </Async>
  );
}
