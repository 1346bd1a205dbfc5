import { Hash } from "../kit/hash.tsx";
import { Money } from "../kit/number.tsx";
import { Fact, Facts, Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { Decimal } from "../lib/decimal.ts";
import { percentOf } from "../lib/format.ts";
import { BindForm } from "./bind-form.tsx";
import { OwnRebateTable } from "./own-rebate-table.tsx";
import { Program } from "./program.tsx";
import { useChainReferral, useMyRebates } from "./queries.ts";

/** For a wallet that is no partner: its own rebates, a place for a code, and what the program is. */
export function Newcomer({ address }: { readonly address: string }) {
  const rebates = useMyRebates();
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-3">
        <Panel title="Rebates of your own trades" isFlush className="lg:col-span-2">
          <Async
            query={rebates}
            skeleton={<Skeleton rows={6} rowHeight={40} />}
            isEmpty={(records) => records.length === 0}
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
          <Panel title="You have a code?">
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

/** Codes on the chain are another program: a discount for the trader, a reward for the code's owner. */
function ChainReferral({ address }: { readonly address: string }) {
  return (
    <Panel title="Referral on the chain">
      <Async query={useChainReferral(address)} skeleton={<Skeleton rows={4} rowHeight={24} />}>
        {({ info, rebate }) => (
          <Facts>
            <Fact name="Code you use">{info.code === "" ? "none" : info.code}</Fact>
            {info.code !== "" && (
              <>
                <Fact name="Its owner">
                  <Hash value={info.referrer} />
                </Fact>
                <Fact name="Your discount on fees">{percentOfBps(info.trader_discount_bps)} %</Fact>
              </>
            )}
            <Fact name="Your tier as an owner of codes">{rebate.tier_name}</Fact>
            <Fact name="Claimed from the contract">
              <Money value={rebate.claimed_usd} />
            </Fact>
          </Facts>
        )}
      </Async>
    </Panel>
  );
}
