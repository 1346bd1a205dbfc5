import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { it, type TestContext } from "node:test";
import { WebSocketServer } from "ws";
import { Witness } from "../../scripts/fuzz/sockets/witness.ts";
import { waitFor } from "../support/waiting.ts";

/** The problems that a witness records if its connection of that path receives these messages. */
async function problemsOf(t: TestContext, path: string, messages: readonly object[]): Promise<readonly string[]> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  t.after(() => server.close());
  server.on("connection", (socket, { url }) => {
    if (url?.startsWith(path)) for (const message of messages) socket.send(JSON.stringify(message));
  });
  await once(server, "listening");
  const witness = await Witness.open((server.address() as AddressInfo).port, "token");
  t.after(() => witness.close());
  await waitFor(() => witness.seen >= messages.length, { what: "the messages" });
  return witness.problems;
}

const trades = (seq: number) => ({ type: "update", channel: "trades", symbol: "BTCUSDT", seq, data: [] });
const depth = (pu: number, u: number) => ({ stream: "btcusdt@depth@100ms", data: { e: "depthUpdate", pu, u } });

it("FUT-19: a witness finds nothing in streams without a gap", async (t) => {
  const problems = await problemsOf(t, "/ws", [{ ...trades(4), type: "snapshot" }, trades(5), trades(6)]);
  assert.deepEqual(problems, []);
});

it("FUT-19: a witness finds a message that is missing", async (t) => {
  const problems = await problemsOf(t, "/ws", [{ ...trades(4), type: "snapshot" }, trades(5), trades(7)]);
  assert.ok(problems.includes("trades: 5 was followed by 7"), problems.join("; "));
});

it("FUT-19: a witness finds a change of the book that is missing", async (t) => {
  const problems = await problemsOf(t, "/stream", [depth(1, 3), depth(3, 8), depth(9, 10)]);
  assert.ok(problems.includes("depth: 8 was followed by 9"), problems.join("; "));
});
