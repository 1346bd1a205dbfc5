import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { PublicFeed, type PublicPush } from "./public-feed.ts";
import { fakeTransport } from "./testing.ts";

const TICKER = { channel: "ticker", symbol: "BTCUSDT" } as const;
const push = (type: "snapshot" | "update", seq: number) => ({
  ...TICKER,
  type,
  seq,
  data: { last_price: String(seq) },
});

function following(t: TestContext) {
  const ground = fakeTransport(t);
  const feed = new PublicFeed(ground.transport);
  const heard: string[] = [];
  const listen = () => feed.follow(TICKER, ({ type, seq }: PublicPush) => heard.push(`${type} ${seq}`));
  return { ...ground, feed, heard, listen };
}

test("a snapshot, then what is newer than it", (t) => {
  const { listen, connect, heard } = following(t);
  listen();
  const socket = connect();
  assert.deepEqual(socket.asked("subscribe"), ["ticker"]);
  socket.push(push("update", 4), push("snapshot", 5), push("update", 5), push("update", 6), push("update", 7));
  assert.deepEqual(heard, ["snapshot 5", "update 6", "update 7"]);
});

test("a gap is noticed: everything is asked for anew", (t) => {
  const { listen, connect, heard } = following(t);
  listen();
  const socket = connect();
  socket.push(push("snapshot", 5), push("update", 7), push("update", 8));
  assert.deepEqual(heard, ["snapshot 5"]);
  assert.deepEqual(socket.asked("subscribe"), ["ticker", "ticker"]);
  socket.push(push("snapshot", 8), push("update", 9));
  assert.deepEqual(heard, ["snapshot 5", "snapshot 8", "update 9"]);
});

test("after a restart the numbers begin anew with a snapshot", (t) => {
  const { listen, connect, heard, pass } = following(t);
  listen();
  const first = connect();
  first.push(push("snapshot", 500));
  first.onclose?.();
  pass(400);
  const second = connect();
  assert.deepEqual(second.asked("subscribe"), ["ticker"]);
  second.push(push("snapshot", 1), push("update", 2));
  assert.deepEqual(heard, ["snapshot 500", "snapshot 1", "update 2"]);
});

test("a channel is left a moment after its last reader, and not where one comes back", (t) => {
  const { listen, connect, pass } = following(t);
  const stop = listen();
  const socket = connect();
  stop();
  const stopAgain = listen();
  pass(1_000);
  assert.deepEqual(socket.asked("unsubscribe"), []);
  stopAgain();
  pass(1_000);
  assert.deepEqual(socket.asked("unsubscribe"), ["ticker"]);
  assert.equal(socket.isClosed, true, "nobody wants the socket any more");
});
