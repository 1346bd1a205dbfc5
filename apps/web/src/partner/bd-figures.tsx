import { Money, Num } from "../kit/number.tsx";
import { Fact, Facts, Panel, Stat } from "../kit/panel.tsx";
import { Async } from "../kit/states.tsx";
import { useBdDashboard } from "./queries.ts";

export function BdFigures() {
  return (
    <Async query={useBdDashboard()} rows={4} rowHeight={44}>
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
              value={<Num value={figures.kol_count} />}
            />
            <Stat label="Customers" note="of all your KOLs" value={<Num value={figures.customer_count} />} />
            <Stat label="Fees they brought" note="of all records" value={<Money value={figures.total_fee} />} />
            <Stat
              label="Your open codes"
              note={
                <>
                  <Num value={figures.codes.used} /> used, <Num value={figures.codes.expired} /> expired,{" "}
                  <Num value={figures.codes.disabled} /> switched off
                </>
              }
              value={<Num value={figures.codes.active} />}
            />
          </section>
          <Panel title="Where the rebates go">
            <Facts>
              <Fact name="Shared out" value={<Money value={figures.total_nominal_rebate} />} />
              <Fact name="To customers" value={<Money value={figures.total_customer_rebate} />} />
              <Fact name="To parent KOLs" value={<Money value={figures.total_share} />} />
              <Fact name="To KOLs, net" value={<Money value={figures.total_kol_rebate} />} />
            </Facts>
          </Panel>
        </div>
      )}
    </Async>
  );
}
