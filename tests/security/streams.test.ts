import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenReply } from "@bourse/api";
import { WebSocket } from "ws";
import { createTestPlatform, type TestPlatform, testWallet } from "../../apps/server/src/testing/test-platform.ts";
import { waitFor } from "../support/waiting.ts";
import { HOST, type Method } from "./support/people.ts";

const PRIVATE = ["balances", "orders", "positions", "vip_tier", "bonus"];
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", quantity: "0.010", price: "59000" };

interface Message {
  readonly type?: string;
  readonly channel?: string;
  readonly code?: string;
  readonly status?: string;
}

describe("FUT-19, SEC-6: private streams are their owner's", () => {
  let platform: TestPlatform;
  let port: number;
  const sockets: WebSocket[] = [];

  before(async () => {
    platform = await createTestPlatform();
    await platform.app.listen({ host: "127.0.0.1", port: 0 });
    port = (platform.app.server.address() as AddressInfo).port;
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
  });
  after(async () => {
    for (const socket of sockets) socket.terminate();
    await platform.close();
  });

  async function person(number: number) {
    const wallet = testWallet(number);
    const given = await platform.post("/api/v1/dev/faucet", { address: wallet.address, amount: "1000" });
    assert.equal(given.statusCode, 200, given.body);
    const tokens: TokenReply = await platform.signIn(wallet);
    const call = (method: Method, url: string, payload?: object) =>
      platform.call({
        method,
        url,
        headers: { host: HOST, authorization: `Bearer ${tokens.access_token}` },
        ...(payload === undefined ? {} : { payload }),
      });
    return { address: wallet.address.toLowerCase(), token: tokens.access_token, call };
  }

  /** A socket, what it has received, and whether it was closed. */
  async function open(path = "/ws", headers: Readonly<Record<string, string>> = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    sockets.push(socket);
    const texts: string[] = [];
    socket.on("message", (data) => texts.push(String(data)));
    await once(socket, "open");
    const say = (message: object) => socket.send(JSON.stringify(message));
    const messages = () => texts.map((text) => JSON.parse(text) as Message);
    const heard = (what: string, test: (message: Message) => boolean) =>
      waitFor(() => messages().find(test), { what, timeout_ms: 10_000 });
    return { socket, texts, say, messages, heard };
  }

  it("no party receives messages of the other, under any name in a subscription", async () => {
    const [victim, attacker] = [await person(21), await person(22)];
    const own = await open();
    own.say({ type: "auth", token: victim.token });
    await own.heard("the victim's sign-in", ({ type, status }) => type === "auth" && status === "ok");
    own.say({ type: "subscribe", channel: "orders" });
    const spy = await open();
    for (const channel of PRIVATE) spy.say({ type: "subscribe", channel, address: victim.address });
    await waitFor(() => spy.messages().filter(({ code }) => code === "UNAUTHORIZED").length === PRIVATE.length, {
      what: "each private channel to be refused without a sign-in",
    });
    await sleep(1_100);
    spy.say({ type: "auth", token: attacker.token, address: victim.address });
    await spy.heard("the attacker's sign-in", ({ type }) => type === "auth");
    const claims = { address: victim.address, wallet: victim.address, account: 1, user: victim.address };
    for (const channel of PRIVATE) spy.say({ type: "subscribe", channel, ...claims });
    await waitFor(() => spy.messages().filter(({ type }) => type === "snapshot").length === PRIVATE.length, {
      what: "the attacker's own channels",
    });
    spy.say({ type: "subscribe", channel: `orders:${victim.address}` });
    spy.say({ type: "subscribe", channel: `own:orders:${victim.address}` });
    const order = { ...ORDER, client_order_id: "order-of-victim" };
    assert.equal((await victim.call("POST", "/orders", order)).statusCode, 200);
    await waitFor(() => own.texts.some((text) => text.includes("order-of-victim")), { what: "the victim's own event" });
    await sleep(200);
    for (const text of spy.texts) assert.ok(!text.includes(victim.address) && !text.includes("order-of-victim"), text);
  });

  it("FUT-19: another's listenKey opens nothing unless it is known to the last character", async () => {
    const victim = await person(23);
    const { listenKey } = (await victim.call("POST", "/fapi/v1/listenKey")).json();
    const guess = `${listenKey.slice(0, -1)}${listenKey.endsWith("0") ? "1" : "0"}`;
    const own = await open(`/ws/${listenKey}`);
    const spies = [await open(`/ws/${guess}`), await open(`/stream?streams=${victim.address}`), await open()];
    spies[2]!.say({ type: "auth", listenKey: guess });
    await spies[2]!.heard("the refusal", ({ code }) => code === "UNAUTHORIZED");
    assert.equal((await victim.call("POST", "/orders", ORDER)).statusCode, 200);
    await waitFor(() => own.texts.some((text) => text.includes("ORDER_TRADE_UPDATE")), { what: "the owner's event" });
    await sleep(200);
    for (const spy of spies) assert.ok(!spy.texts.some((text) => text.includes("ORDER_TRADE_UPDATE")));
  });

  it("SEC-3: with the session its private channels end, with the listenKey its streams", async () => {
    const victim = await person(24);
    const { listenKey } = (await victim.call("POST", "/fapi/v1/listenKey")).json();
    const byToken = await open();
    byToken.say({ type: "auth", token: victim.token });
    await byToken.heard("the sign-in", ({ type }) => type === "auth");
    byToken.say({ type: "subscribe", channel: "orders" });
    await byToken.heard("the channel", ({ type }) => type === "snapshot");
    const byKey = await open(`/ws/${listenKey}`);
    assert.equal((await victim.call("DELETE", "/fapi/v1/listenKey")).statusCode, 200);
    await waitFor(() => byKey.texts.some((text) => text.includes("listenKeyExpired")) || byKey.socket.readyState > 1, {
      what: "the stream to end with its key",
    });
    assert.equal((await victim.call("POST", "/api/v1/auth/logout")).statusCode, 200);
    // Housekeeping runs once a second.
    await sleep(1_500);
    byToken.say({ type: "subscribe", channel: "balances" });
    await byToken.heard("the refusal", ({ code }) => code === "UNAUTHORIZED");
    byToken.say({ type: "auth", token: victim.token });
    await waitFor(() => byToken.messages().filter(({ code }) => code === "UNAUTHORIZED").length >= 2, {
      what: "the token to be refused",
    });
  });

  it("SEC-9: pages of other origins and foreign hosts open no socket", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1.evil.example" },
      { host: "evil.example" },
    ]) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
      const status = await new Promise<number | undefined>((resolve) => {
        socket.once("open", () => resolve(101));
        socket.once("unexpected-response", (request, reply) => {
          request.destroy();
          resolve(reply.statusCode);
        });
      });
      socket.on("error", () => undefined);
      socket.terminate();
      assert.equal(status, 403, JSON.stringify(headers));
    }
  });
});
