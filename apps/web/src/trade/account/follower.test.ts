import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountEvent, OrderEvent, UnifiedAccount } from "@bourse/api/client";
import { QueryClient } from "@tanstack/react-query";
import type { PrivateMessage } from "../../streams/private-messages.ts";
import { AccountFollower } from "./follower.ts";
import type { OwnOrders } from "./orders-model.ts";
import { accountKeys } from "./queries.ts";

const ADDRESS = "0xabc";
const ORDER = {
  order_id: 1,
  symbol: "BTCUSDT",
  side: "BUY",
  price: "59000.0",
  quantity: "0.5",
  executed_quantity: "0",
  status: "NEW",
  created_at: 1,
} as OrderEvent;
const orderEvent = (status: OrderEvent["status"]): PrivateMessage => ({
  kind: "event",
  isMissed: false,
  event: { seq: 2, channel: "orders", time: 2, data: { ...ORDER, status } },
});
const snapshot: PrivateMessage = {
  kind: "snapshot",
  snapshot: { type: "snapshot", channel: "orders", seq: 1, data: [ORDER] },
};

function followed() {
  const queryClient = new QueryClient();
  const events: AccountEvent[] = [];
  let listener: ((message: PrivateMessage) => void) | undefined;
  let subscriptions = 0;
  const follower = new AccountFollower({
    queryClient,
    subscribe: (next) => {
      listener = next;
      subscriptions += 1;
      return () => {
        listener = undefined;
      };
    },
    address: () => ADDRESS,
    onEvent: (event) => events.push(event),
  });
  const openIds = () => queryClient.getQueryData<OwnOrders>(accountKeys.orders(ADDRESS))?.open.map(({ id }) => id);
  return {
    follower,
    queryClient,
    events,
    openIds,
    tell: (message: PrivateMessage) => listener?.(message),
    count: () => subscriptions,
  };
}

describe("following the account", () => {
  it("is one subscription, however many look", () => {
    const { follower, tell, events, count } = followed();
    const leaves = [follower.hold(), follower.hold()];
    assert.equal(count(), 1);
    leaves[0]?.();
    tell(orderEvent("NEW"));
    assert.equal(events.length, 1);
    leaves[1]?.();
    tell(orderEvent("NEW"));
    assert.equal(events.length, 1);
  });

  it("shows orders as the feed tells them, whatever an older answer says", async () => {
    const { follower, queryClient, tell, openIds } = followed();
    const leave = follower.hold();
    const { promise, resolve } = Promise.withResolvers<OwnOrders>();
    const reading = queryClient
      .fetchQuery({ queryKey: accountKeys.orders(ADDRESS), queryFn: () => promise, retry: false })
      .catch(() => undefined);
    tell(snapshot);
    assert.deepEqual(openIds(), [1]);
    resolve({ open: [], waiting: [] });
    await reading;
    assert.deepEqual(openIds(), [1]);
    tell(orderEvent("CANCELED"));
    assert.deepEqual(openIds(), []);
    leave();
  });

  it("a burst is answered by one reading of the figures", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { follower, queryClient, tell } = followed();
    const leave = follower.hold();
    const read: unknown[] = [];
    t.mock.method(queryClient, "invalidateQueries", ({ queryKey }: { queryKey: readonly unknown[] }) => {
      read.push(queryKey.at(-1));
      return Promise.resolve();
    });
    for (let count = 0; count < 100; count += 1) tell(orderEvent("NEW"));
    t.mock.timers.tick(1_000);
    assert.deepEqual(read, ["unified", "history"]);
    leave();
  });

  it("after a gap everything is read anew", (t) => {
    const { follower, queryClient, tell } = followed();
    const leave = follower.hold();
    queryClient.setQueryData(accountKeys.unified(ADDRESS), {} as UnifiedAccount);
    t.mock.method(queryClient, "invalidateQueries", ({ queryKey }: { queryKey: readonly unknown[] }) => {
      assert.deepEqual(queryKey, accountKeys.all(ADDRESS));
      return Promise.resolve();
    });
    tell({ kind: "caught-up", hasGap: true });
    leave();
  });
});
