import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { DAY_ms, HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import { BonusScene, type Trader } from "./testing/bonus-scene.ts";

describe("the end of a bonus", () => {
  let scene: BonusScene;
  before(async () => {
    scene = await BonusScene.open();
  });
  after(() => scene.end());

  const openOrders = async (trader: Trader) =>
    (await scene.read<{ orders: unknown[] }>(trader, "/api/v1/orders/open")).orders.length;
  const sweeps = (runs: Awaited<ReturnType<BonusScene["advance"]>>) =>
    runs.filter(({ name }) => name === "bonus-expiry");
  /** The sweeps of a clock jump that changed something, with their times. */
  const effectiveSweeps = (runs: Awaited<ReturnType<BonusScene["advance"]>>) =>
    sweeps(runs)
      .filter(({ result }) => Object.values(result).some((count) => count !== 0))
      .map(({ due_at, result }) => [Date.parse(due_at), result] as const);

  it("BON-9: seven days after the grant, without positions: recalled, orders cancelled, all of it back in the pool", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "100");
    const granted_ms = scene.platform.clock.now();
    await scene.placed(trader, { side: "BUY", quantity: "0.001", price: "59000" });
    await scene.advance(7 * DAY_ms - 1);
    assert.equal((await scene.me(trader)).status, "active");
    assert.equal(await openOrders(trader), 1);
    const [sweep] = effectiveSweeps(await scene.advance(1));
    assert.equal(sweep?.[0], granted_ms + 7 * DAY_ms, "at the very millisecond");
    assert.deepEqual([sweep?.[1]["expired"], sweep?.[1]["recalled"]], [1, 1]);
    assert.equal((await scene.me(trader)).status, "recalled");
    assert.equal(await openOrders(trader), 0);
    assert.deepEqual(await scene.lines(trader), [
      ["GRANT", "100.00"],
      ["LOCK", "2.95"],
      ["UNLOCK", "2.95"],
      ["EXPIRE", "100.00"],
    ]);
    assert.deepEqual(await scene.poolLinesOf(trader), [
      ["GRANT", 100_000_000n],
      ["EXPIRE", 100_000_000n],
    ]);
    const [row] = await scene.rowsOf(trader);
    assert.deepEqual([row?.status, row?.bonus_micros, row?.ended_at?.getTime()], ["recalled", 0n, sweep?.[0]]);
  });

  it("BON-9: with positions: expired_pending, orders cancelled, only closing, and the rest returns with the margin", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "100", 10);
    await scene.take(trader, "BUY", "0.01", "60000");
    await scene.placed(trader, { side: "BUY", quantity: "0.001", price: "50000" });
    await scene.advance(7 * DAY_ms);
    const { status } = await scene.me(trader);
    assert.equal(status, "expired_pending");
    assert.equal(await openOrders(trader), 0);
    const refused = await scene.order(trader, { side: "BUY", quantity: "0.001", price: "60000" });
    assert.deepEqual([refused.status, refused.body.exchange_code], [400, -4087]);
    assert.equal((await scene.control("freeze", trader)).body.code, "already_expired");
    const returned = (await scene.poolLinesOf(trader)).filter(([kind]) => kind === "EXPIRE");
    assert.equal(returned.length, 1, "what was free came back at once");
    await scene.take(trader, "SELL", "0.005", "60000");
    assert.equal((await scene.me(trader)).status, "expired_pending");
    await scene.take(trader, "SELL", "0.005", "60000");
    assert.equal((await scene.me(trader)).status, "recalled");
    await scene.assertInvariants();
  });

  async function status(status: "halted" | "trading"): Promise<void> {
    const { access_token } = await scene.platform.adminSignIn();
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${access_token}` };
    const url = "/api/v1/admin/markets/BTCUSDT";
    const reply = await scene.platform.call({ method: "PUT", url, headers, payload: { status, reason: "a test" } });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  it("BON-9: after the grace positions are closed, by the fund where nobody takes them, and every minute again", async () => {
    await scene.price("60000");
    const trader = await scene.trader("500", "100", 10);
    const granted_ms = scene.platform.clock.now();
    await scene.take(trader, "BUY", "0.01", "60000");
    const early = effectiveSweeps(await scene.advance(14 * DAY_ms - 1)).map(([at_ms]) => at_ms - granted_ms);
    assert.ok(early.includes(7 * DAY_ms));
    assert.equal((await scene.me(trader)).status, "expired_pending");
    // The market is halted: the position stays, and the next sweep tries again.
    await status("halted");
    const [closing] = effectiveSweeps(await scene.advance(1));
    assert.deepEqual([closing?.[0], closing?.[1]["still_open"]], [granted_ms + 14 * DAY_ms, 1]);
    assert.deepEqual([(await scene.run("bonus-expiry"))["still_open"]], [1]);
    assert.equal((await scene.me(trader)).status, "expired_pending");
    // The book has a bid for a part; the fund takes the rest at the mark.
    await status("trading");
    await scene.placed(scene.maker, { side: "BUY", quantity: "0.004", price: "60000" });
    const last = effectiveSweeps(await scene.advance(MINUTE_ms));
    assert.deepEqual(last.at(-1)?.[1]["closed"], 1);
    assert.equal((await scene.me(trader)).status, "recalled");
    assert.deepEqual((await scene.account(trader)).positions, []);
  });

  it("RUN-6: a jump of 20 days warns, expires and closes, each at its own time", async () => {
    await scene.price("60000");
    await scene.newCampaign();
    const flat = await scene.trader("100", "100", 10);
    const first_ms = scene.platform.clock.now();
    await scene.advance(1_500);
    const holder = await scene.trader("500", "100", 10);
    const second_ms = scene.platform.clock.now();
    await scene.take(holder, "BUY", "0.01", "60000");
    await scene.placed(scene.maker, { side: "BUY", quantity: "0.01", price: "60000" });
    const seen = effectiveSweeps(await scene.advance(20 * DAY_ms)).map(([at_ms, result]) => [
      at_ms,
      Object.fromEntries(Object.entries(result).filter(([, count]) => count !== 0)),
    ]);
    assert.deepEqual(seen, [
      [first_ms + 6 * DAY_ms, { warned_24h: 1 }],
      [second_ms + 6 * DAY_ms, { warned_24h: 1 }],
      [first_ms + 7 * DAY_ms - HOUR_ms, { warned_1h: 1 }],
      [second_ms + 7 * DAY_ms - HOUR_ms, { warned_1h: 1 }],
      [first_ms + 7 * DAY_ms, { expired: 1, recalled: 1 }],
      [second_ms + 7 * DAY_ms, { expired: 1, expired_pending: 1 }],
      [second_ms + 14 * DAY_ms, { closed: 1 }],
    ]);
    const states = [await scene.me(flat), await scene.me(holder)].map(({ status }) => status);
    assert.deepEqual(states, ["recalled", "recalled"]);
    const ends = [...(await scene.rowsOf(flat)), ...(await scene.rowsOf(holder))].map(({ ended_at }) =>
      ended_at?.getTime(),
    );
    assert.deepEqual(ends, [first_ms + 7 * DAY_ms, second_ms + 14 * DAY_ms]);
    const [warned] = await scene.rowsOf(flat);
    assert.deepEqual(
      [warned?.warned_24h_at?.getTime(), warned?.warned_1h_at?.getTime()],
      [first_ms + 6 * DAY_ms, first_ms + 7 * DAY_ms - HOUR_ms],
    );
  });

  it("BON-9: closing the last position before the expiry cancels what is open and recalls the rest", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "100", 10);
    await scene.take(trader, "BUY", "0.01", "60000");
    await scene.placed(trader, { side: "BUY", quantity: "0.001", price: "50000" });
    await scene.take(trader, "SELL", "0.01", "60000");
    const { status, bonus_consumed } = await scene.me(trader);
    assert.deepEqual([status, bonus_consumed], ["recalled", "0.30"]);
    assert.equal(await openOrders(trader), 0);
    assert.deepEqual((await scene.lines(trader)).at(-1), ["RECALL", "99.70"]);
    await scene.newCampaign();
    await scene.grant(trader, "40", 10);
    const next = await scene.me(trader);
    assert.deepEqual(
      [next.status, next.amount, next.bonus_free, next.bonus_consumed],
      ["active", "40.00", "40.00", "0.00"],
      "the newest bonus counts",
    );
    const detail = await scene.admin("GET", `/accounts/${trader.address}`);
    assert.deepEqual(
      detail.body.bonuses.map((one: { status: string; bonus_consumed: string; pool_lines: { kind: string }[] }) => [
        one.status,
        one.bonus_consumed,
        one.pool_lines.map(({ kind }) => kind),
      ]),
      [
        ["active", "0.00", ["GRANT"]],
        ["recalled", "0.30", ["GRANT", "RECALL"]],
      ],
    );
    // The consumed part of the ended bonus is still out of the pool: the books must count it.
    await scene.assertInvariants();
  });

  it("BON-9: the owner hears the warning on the WebSocket", async () => {
    await scene.newCampaign();
    const trader = await scene.trader("0", "25");
    await scene.advance(6 * DAY_ms - 10 * MINUTE_ms);
    const expires_ms = Date.parse((await scene.me(trader)).expires_at ?? "");
    if (!scene.platform.app.server.listening) await scene.platform.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = scene.platform.app.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    const heard: { type: string; seq?: number; data?: Record<string, unknown> }[] = [];
    const warned = Promise.withResolvers<void>();
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data));
      heard.push(message);
      if (message.data?.kind === "WARNING") warned.resolve();
      if (message.type === "auth") socket.send(JSON.stringify({ type: "subscribe", channel: "bonus" }));
    });
    const token = await scene.token(trader);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "auth", token })));
    socket.addEventListener("close", () => warned.reject(new Error(`closed after ${JSON.stringify(heard)}`)));
    while (!heard.some(({ type }) => type === "snapshot")) await new Promise((resolve) => setTimeout(resolve, 10));
    await scene.advance(10 * MINUTE_ms);
    await warned.promise;
    const { data } = heard.at(-1) ?? {};
    assert.deepEqual([data?.["bonus"], data?.["expires_at"], data?.["remaining_ms"]], ["25.00", expires_ms, DAY_ms]);
    socket.close();
    // The event has a sequence number, so a client that was disconnected gets it too.
    const since = heard.find(({ type }) => type === "snapshot")?.seq ?? Number.NaN;
    assert.ok((heard.at(-1)?.seq ?? 0) > since);
    const events = (await scene.platform.get(`/api/v1/account/events?after=${since}`, token)).json().events;
    assert.deepEqual(
      events
        .filter(({ channel }: { channel: string }) => channel === "bonus")
        .map((event: { data: unknown }) => event.data),
      [data],
    );
  });

  it("BON-9: many that expire at one moment", async () => {
    await scene.newCampaign();
    await scene.advance(1_000);
    const traders = Array.from({ length: 300 }, () => scene.newTrader());
    await scene.grant(traders, "1");
    const done = effectiveSweeps(await scene.advance(7 * DAY_ms));
    const sweep = done.find(([, { expired }]) => expired !== 0 && expired !== 1);
    assert.deepEqual([sweep?.[1]["expired"], sweep?.[1]["recalled"]], [300, 300]);
    const { body } = await scene.admin("GET", "/accounts?status=recalled&limit=300");
    assert.equal(body.accounts.length, 300);
    assert.ok(body.accounts.every(({ amount }: { amount: string }) => amount === "1.00"));
  });
});
