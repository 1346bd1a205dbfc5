import { useState } from "react";
import { Checkbox } from "../../kit/field.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { type TabItem, Tabs } from "../../kit/tabs.tsx";
import { Age } from "../../kit/time.tsx";
import { cx } from "../../lib/cx.ts";
import { createKeptStore, useStore } from "../../lib/store.ts";
import { SignInFirst } from "../../session/sign-in-first.tsx";
import { usePrivateState } from "../../streams/private-feed.ts";
import { BalancesTab } from "./balances-tab.tsx";
import { OrderHistoryTab, TradeHistoryTab } from "./history-tabs.tsx";
import { OpenOrdersTab } from "./open-orders-tab.tsx";
import { NO_ORDERS } from "./orders-model.ts";
import { PositionsTab } from "./positions-tab.tsx";
import { useOwnOrders, useUnifiedAccount } from "./queries.ts";
import { useAccountFeed, useLiveFigures } from "./state.ts";
import { WaitingOrdersTab } from "./waiting-orders-tab.tsx";

type TabName = "positions" | "open" | "waiting" | "orders" | "trades" | "balances";

const onlyThisMarket = createKeptStore("bourse.account.only-this-market", (kept) => kept === true);

/** Positions, orders, history and balances of the wallet that is signed in. */
export function AccountPanel({ symbol }: { readonly symbol: string }) {
  return (
    <section
      aria-label="Your account"
      className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-lg bg-panel"
    >
      <SignInFirst reason="Your positions, orders and balances are shown here, live.">
        {() => <SignedInPanel symbol={symbol} />}
      </SignInFirst>
    </section>
  );
}

const counted = (name: string, count: number | undefined) => (count ? `${name} (${count})` : name);

const ROWS_OF_SKELETON = 5;

function SignedInPanel({ symbol }: { readonly symbol: string }) {
  useAccountFeed();
  const [tab, setTab] = useState<TabName>("positions");
  const isOnlyHere = useStore(onlyThisMarket);
  const account = useUnifiedAccount();
  const orders = useOwnOrders();
  const live = useLiveFigures(account.data);
  const here = <T extends { readonly symbol: string }>(rows: readonly T[]): readonly T[] =>
    isOnlyHere ? rows.filter((row) => row.symbol === symbol) : rows;
  const positions = here(account.data?.positions ?? []);
  const { open, waiting } = orders.data ?? NO_ORDERS;
  const skeleton = <Skeleton rows={ROWS_OF_SKELETON} />;
  const items: readonly TabItem<TabName>[] = [
    {
      value: "positions",
      label: counted("Positions", positions.length),
      content: (
        <Async query={account} skeleton={skeleton}>
          {(data) => (
            <PositionsTab
              positions={positions}
              waiting={waiting}
              symbol={symbol}
              crossRatio={live?.margin_ratio ?? data.margin_ratio}
            />
          )}
        </Async>
      ),
    },
    {
      value: "open",
      label: counted("Open orders", here(open).length),
      content: (
        <Async query={orders} skeleton={skeleton}>
          {(data) => <OpenOrdersTab orders={here(data.open)} />}
        </Async>
      ),
    },
    {
      value: "waiting",
      label: counted("Conditional", here(waiting).length),
      content: (
        <Async query={orders} skeleton={skeleton}>
          {(data) => (
            <WaitingOrdersTab orders={here(data.waiting)} open={data.open} positions={account.data?.positions ?? []} />
          )}
        </Async>
      ),
    },
    { value: "orders", label: "Order history", content: <OrderHistoryTab symbol={isOnlyHere ? symbol : undefined} /> },
    { value: "trades", label: "Trade history", content: <TradeHistoryTab symbol={isOnlyHere ? symbol : undefined} /> },
    {
      value: "balances",
      label: "Balances",
      content: (
        <Async query={account} skeleton={skeleton}>
          {(data) => live && <BalancesTab account={data} live={live} />}
        </Async>
      ),
    },
  ];
  return (
    <LiveFrame>
      <Tabs
        label="Your account"
        items={items}
        value={tab}
        onChange={setTab}
        className="flex-1"
        end={
          <span className="shrink-0 pr-1 max-md:hidden">
            <Checkbox label="This market only" isChecked={isOnlyHere} onChange={(next) => onlyThisMarket.set(next)} />
          </span>
        }
      />
    </LiveFrame>
  );
}

/** Dimmed, with its age, while the account's events do not come. */
function LiveFrame({ children }: { readonly children: React.ReactNode }) {
  const state = usePrivateState();
  const isStale = state.kind === "stale";
  return (
    <>
      {isStale && (
        <p role="status" className="px-3 pt-1 text-xs text-warn">
          Not live for <Age since={state.since} />: reconnecting. Shown is what was known then.
        </p>
      )}
      <div className={cx("flex min-h-0 flex-1 flex-col", isStale && "opacity-60")}>{children}</div>
    </>
  );
}
