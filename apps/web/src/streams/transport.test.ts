import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeTransport } from "./testing.ts";

test("one socket for all who want one, and none for nobody", (t) => {
  const { transport, sockets } = fakeTransport(t);
  assert.equal(sockets.length, 0);
  const releases = [transport.hold(), transport.hold()];
  assert.equal(sockets.length, 1);
  releases[0]?.();
  releases[0]?.();
  assert.equal(sockets[0]?.isClosed, false, "released twice counts once");
  releases[1]?.();
  assert.equal(sockets[0]?.isClosed, true);
});

test("a lost socket is stale since then, and a new one is there within half a second", (t) => {
  const { transport, sockets, connect, pass } = fakeTransport(t);
  transport.hold();
  connect().push({ type: "pong" });
  assert.deepEqual(transport.state.get(), { kind: "live" });
  sockets[0]?.onclose?.();
  assert.deepEqual(transport.state.get(), { kind: "stale", since: Date.now() });
  pass(400);
  assert.equal(sockets.length, 2);
  connect();
  assert.deepEqual(transport.state.get(), { kind: "live" });
});

test("a socket that says nothing is asked, and given up when it does not answer", (t) => {
  const { transport, sockets, connect, pass } = fakeTransport(t);
  transport.hold();
  const socket = connect();
  pass(5_000);
  assert.deepEqual(socket.asked("ping"), ["ping"]);
  socket.push({ type: "pong" });
  pass(5_000);
  assert.deepEqual(socket.asked("ping"), ["ping", "ping"]);
  pass(4_000);
  assert.equal(socket.isClosed, true);
  assert.equal(transport.state.get().kind, "stale");
  pass(500);
  assert.equal(sockets.length, 2);
});

test("a socket that does not open in time is given up as well", (t) => {
  const { transport, sockets, pass } = fakeTransport(t);
  transport.hold();
  pass(8_000);
  assert.equal(sockets[0]?.isClosed, true);
  pass(500);
  assert.equal(sockets.length, 2);
  assert.deepEqual(transport.state.get(), { kind: "connecting" }, "it was never live");
});

test("a page that wakes up connects at once and doubts an old socket soon", (t) => {
  const { transport, sockets, connect, pass } = fakeTransport(t);
  transport.hold();
  connect();
  transport.wake();
  assert.deepEqual(sockets[0]?.asked("ping"), ["ping"]);
  pass(1_500);
  assert.equal(sockets[0]?.isClosed, true);
  transport.wake();
  assert.equal(sockets.length, 2);
});

test("a server that hangs up at once is not stormed", (t) => {
  const { transport, sockets, socket, pass } = fakeTransport(t);
  transport.hold();
  for (let second = 0; second < 60; second += 1) {
    if (!socket().isClosed) socket().onclose?.();
    pass(1_000);
  }
  assert.ok(sockets.length >= 12 && sockets.length < 30, `${sockets.length} tries in a minute`);
});

test("what is no message is reported and changes nothing", (t) => {
  const { transport, socket, connect, faults } = fakeTransport(t);
  const heard: string[] = [];
  transport.listen({ onOpen: () => {}, onLost: () => {}, onMessage: ({ type }) => heard.push(type) });
  transport.hold();
  connect();
  socket().onmessage?.({ data: "no JSON" });
  socket().push({ type: "pong" });
  assert.equal(faults.length, 1);
  assert.deepEqual(heard, ["pong"]);
});

test("a long list of requests is spaced out as the server wants it", (t) => {
  const { transport, connect, pass } = fakeTransport(t);
  transport.hold();
  const socket = connect();
  for (let place = 0; place < 40; place += 1)
    transport.send({ type: "subscribe", channel: "ticker", symbol: `S${place}` });
  assert.equal(socket.asked("subscribe").length, 16);
  pass(125);
  assert.ok(socket.asked("subscribe").length <= 20);
});
