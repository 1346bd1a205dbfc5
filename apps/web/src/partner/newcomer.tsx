import { Hash } from "../kit/hash.tsx";
import { Money } from "../kit/number.tsx";
import { Fact, Facts, Panel } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import { percentOf } from "../lib/format.ts";
import { BindForm } from "./bind-form.tsx";
import { OwnRebateTable } from "./own-rebate-table.tsx";
import { Program } from "./program.tsx";
import { useChainReferral, useMyRebates } from "./queries.ts";

/** For a wallet that is no partner: its own rebates, a form for a code, and the program. */
export function Newcomer({ address }: { readonly address: string }) {
  const rebates = useMyRebates();
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-3">
        <Panel title="Rebates of your own trades" isFlush className="lg:col-span-2">
          <Async
            query={rebates}
            rows={6}
            rowHeight={40}
            empty={
              <EmptyState title="No rebates yet">
                A wallet that was invited gets a part of its fees back every day. Days are settled after midnight, UTC.
              </EmptyState>
            }
          >
            {(records) => <OwnRebateTable records={records} />}
          </Async>
        </Panel>
        <div className="flex flex-col gap-4">
          <Panel title="Do you have a code?">
            <BindForm address={address} />
          </Panel>
          <ChainReferral address={address} />
        </div>
      </div>
      <Program />
    </>
  );
}

const BASIS_POINT = Decimal.parse("0.0001");
const percentOfBps = (bps: number): string => percentOf(Decimal.parse(String(bps)).mul(BASIS_POINT).toString());

/** On-chain codes are another program: a discount for the trader, a reward for the code's owner. */
function ChainReferral({ address }: { readonly address: string }) {
  return (
    <Panel title="Referral on the chain">
      <Async query={useChainReferral(address)} rows={4} rowHeight={24}>
        {({ info, rebate }) => (
          <Facts>
            <Fact name="Code you use" value={info.code === "" ? "none" : info.code} />
            {info.code !== "" && (
              <>
                <Fact name="Its owner" value={<Hash value={info.referrer} />} />
                <Fact name="Your discount on fees" value={<>{percentOfBps(info.trader_discount_bps)} %</>} />
              </>
            )}
            <Fact name="Your tier as an owner of codes" value={rebate.tier_name} />
            <Fact name="Claimed from the contract" value={<Money value={rebate.claimed_usd} />} />
          </Facts>
        )}
      </Async>
    </Panel>
  );
}
