import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type AccountEventPage, RequestRefused } from "@bourse/api/client";
import { PrivateFollower } from "./private-follower.ts";
import { type FakeSocket, fakeTransport, settled } from "./testing.ts";

const CHANNELS = ["balances", "orders", "positions", "vip_tier", "bonus"];
const order = (seq: number) => ({ type: "update", channel: "orders", seq, data: { time: seq } });
const balance = (seq: number) => ({ type: "update", channel: "balances", seq, data: { time: seq } });
const missedOrder = (seq: number) => ({ seq, channel: "orders", time: seq, data: { time: seq } });
const page = (seqs: readonly number[], more: Partial<AccountEventPage> = {}) =>
  ({
    items: seqs.map(missedOrder),
    next_after: seqs.at(-1) ?? 0,
    last_seq: Number.MAX_SAFE_INTEGER,
    has_more: false,
    is_complete: true,
    ...more,
  }) as AccountEventPage;

/** Signs in and answers with the snapshots of all channels. */
async function bringUp(socket: FakeSocket, seq: number): Promise<void> {
  await settled();
  socket.push({ type: "auth", status: "ok", address: "0xa" });
  for (const channel of CHANNELS) socket.push({ type: "snapshot", channel, seq, data: {} });
  await settled();
}

function following(t: TestContext, answers: (AccountEventPage | Error)[] = []) {
  const ground = fakeTransport(t);
  const asked: number[] = [];
  const heard: string[] = [];
  const refusals: (string | undefined)[] = [];
  let address: string | undefined = "0xa";
  let tokens = 0;
  const follower = new PrivateFollower({
    transport: ground.transport,
    address: () => address,
    token: async (refused) => {
      refusals.push(refused);
      if (refused !== undefined || tokens === 0) tokens += 1;
      return `token ${tokens}`;
    },
    missedAfter: async (seq) => {
      asked.push(seq);
      const answer = answers.shift() ?? page([]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const stop = follower.subscribe((message) => {
    if (message.kind === "event")
      heard.push(`${message.event.channel} ${message.event.seq}${message.isMissed ? " missed" : ""}`);
    else if (message.kind === "caught-up") heard.push(message.hasGap ? "gap" : "whole");
  });
  const signAs = (next: string | undefined) => {
    address = next;
    follower.sessionChanged();
  };
  /** Breaks the connection and makes another one. */
  const reconnect = async (seq: number) => {
    ground.socket().onclose?.();
    ground.pass(400);
    await bringUp(ground.connect(), seq);
  };
  return { ...ground, follower, asked, heard, refusals, stop, signAs, reconnect };
}

test("signs in, takes the snapshots, then tells what happens", async (t) => {
  const { connect, follower, heard, asked } = following(t);
  const socket = connect();
  await bringUp(socket, 100);
  assert.deepEqual(socket.asked("subscribe"), CHANNELS);
  assert.deepEqual(follower.state.get(), { kind: "live" });
  socket.push(order(106), balance(104), order(106), order(100));
  assert.deepEqual(heard, ["whole", "orders 106", "balances 104"]);
  assert.deepEqual(asked, [], "the first time nothing was missed");
});

test("after a break everything that was missed is told once and in order", async (t) => {
  const { connect, heard, asked, reconnect, follower } = following(t, [page([106, 110, 112])]);
  const socket = connect();
  await bringUp(socket, 100);
  socket.push(order(106));
  await reconnect(112);
  assert.deepEqual(asked, [100], "106 has just arrived: what came beside it may be lost");
  assert.deepEqual(heard, ["whole", "orders 106", "orders 110 missed", "orders 112 missed", "whole"]);
  assert.deepEqual(follower.state.get(), { kind: "live" });
});

test("what arrives while the missed is being read waits, and is not told twice", async (t) => {
  const { connect, heard, socket, pass } = following(t, [page([110, 114])]);
  await bringUp(connect(), 100);
  socket().onclose?.();
  pass(400);
  const second = connect();
  await settled();
  second.push({ type: "auth", status: "ok", address: "0xa" });
  for (const channel of CHANNELS) second.push({ type: "snapshot", channel, seq: 112, data: {} });
  second.push(order(114), order(116));
  await settled();
  assert.deepEqual(heard, ["whole", "orders 110 missed", "orders 114 missed", "orders 116", "whole"]);
});

test("more pages are read on; where too much was missed the state is read anew", async (t) => {
  const { connect, heard, asked, reconnect } = following(t, [
    page([110], { has_more: true, next_after: 110 }),
    page([120]),
    page([], { is_complete: false }),
  ]);
  await bringUp(connect(), 100);
  await reconnect(120);
  assert.deepEqual(asked, [100, 110]);
  assert.deepEqual(heard, ["whole", "orders 110 missed", "orders 120 missed", "whole"]);
  await reconnect(200);
  assert.deepEqual(heard.slice(4), ["gap"]);
});

test("numbers that have gone back belong to another past", async (t) => {
  const { connect, heard, reconnect, socket } = following(t, [page([], { last_seq: 5 })]);
  await bringUp(connect(), 100);
  await reconnect(5);
  socket().push(order(7));
  assert.deepEqual(heard, ["whole", "gap", "orders 7"]);
});

test("a server that does not answer yet is asked again; one that refuses leaves a gap", async (t) => {
  const { connect, heard, asked, reconnect, pass, follower } = following(t, [
    new TypeError("fetch failed"),
    page([110]),
    new RequestRefused(403, {}),
  ]);
  await bringUp(connect(), 100);
  await reconnect(110);
  assert.equal(follower.state.get().kind, "stale");
  pass(400);
  await settled();
  assert.deepEqual(asked, [100, 100]);
  assert.deepEqual(heard, ["whole", "orders 110 missed", "whole"]);
  await reconnect(120);
  assert.deepEqual(heard.slice(3), ["gap"]);
});

test("a token that has ended is renewed without a break to be seen", async (t) => {
  const { connect, heard, refusals, follower } = following(t, [page([110])]);
  const socket = connect();
  await bringUp(socket, 100);
  socket.push({ type: "error", code: "UNAUTHORIZED", error: "the sign-in has ended" });
  assert.deepEqual(follower.state.get(), { kind: "live" });
  await bringUp(socket, 110);
  assert.deepEqual(refusals, [undefined, "token 1"]);
  assert.deepEqual(heard, ["whole", "orders 110 missed", "whole"]);
});

test("another wallet begins anew, and whoever signs out hears nothing more", async (t) => {
  const { connect, heard, signAs, asked, follower, socket } = following(t);
  await bringUp(connect(), 100);
  signAs("0xb");
  // Nobody else held the socket: it was let go with the first wallet.
  await bringUp(connect(), 50);
  socket().push(order(60));
  assert.deepEqual(heard, ["whole", "whole", "orders 60"]);
  assert.deepEqual(asked, []);
  signAs(undefined);
  socket().push(order(70));
  assert.deepEqual(follower.state.get(), { kind: "signed-out" });
  assert.equal(heard.length, 3);
});

test("nothing is kept for nobody", async (t) => {
  const { connect, stop, pass, socket, follower } = following(t);
  await bringUp(connect(), 100);
  stop();
  pass(2_000);
  assert.equal(socket().isClosed, true);
  assert.deepEqual(follower.state.get(), { kind: "signed-out" });
});
