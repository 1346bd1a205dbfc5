import assert from "node:assert/strict";
import { test } from "node:test";
import type { AccountEvent, PrivateChannel, StreamSnapshot } from "@bourse/api/client";
import { inOrder } from "./private-messages.ts";

const event = (channel: PrivateChannel, seq: number) => ({ channel, seq, time: seq, data: {} }) as AccountEvent;
const snapshot = (channel: PrivateChannel, seq: number) =>
  ({ type: "snapshot", channel, seq, data: {} }) as unknown as StreamSnapshot<PrivateChannel>;

const told = (...given: Parameters<typeof inOrder>) =>
  inOrder(...given).map((message) => {
    if (message.kind === "event")
      return `${message.event.channel} ${message.event.seq}${message.isMissed ? " missed" : ""}`;
    return message.kind === "snapshot" ? `${message.snapshot.channel} as of ${message.snapshot.seq}` : message.kind;
  });

test("a snapshot stands behind every event that is in it", () => {
  const snapshots = [snapshot("orders", 10), snapshot("balances", 12)];
  assert.deepEqual(told(snapshots, [event("orders", 8), event("orders", 10)], [event("orders", 14)]), [
    "orders 8 missed",
    "orders 10 missed",
    "orders as of 10",
    "balances as of 12",
    "orders 14",
  ]);
});

test("an update that the snapshot of its channel has already is not told, that of another channel is", () => {
  const snapshots = [snapshot("orders", 10), snapshot("balances", 14)];
  assert.deepEqual(told(snapshots, [], [event("balances", 14), event("orders", 12)]), [
    "orders as of 10",
    "orders 12",
    "balances as of 14",
  ]);
});

test("what was both missed and pushed is told once", () => {
  assert.deepEqual(told([snapshot("orders", 10)], [event("orders", 12)], [event("orders", 12), event("orders", 16)]), [
    "orders as of 10",
    "orders 12 missed",
    "orders 16",
  ]);
});
