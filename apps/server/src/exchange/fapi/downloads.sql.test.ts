import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";
import { downloadsJob } from "../downloads/jobs.ts";
import type { Download } from "../downloads/store.ts";
import { type Body, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

const KINDS = ["income", "order", "trade"] as const;
type Kind = (typeof KINDS)[number];

describe("histories as files", () => {
  const past = useHistory();
  const { alice, bob } = past;
  const window = { startTime: EPOCH_MS, endTime: EPOCH_MS + DAY_ms };

  const call = (path: string, parameters: Parameters, who?: string) =>
    past.bench.call("GET", `/fapi/v1/${path}`, parameters, who);
  const ask = async (kind: Kind, who = alice, parameters: Parameters = window) =>
    String(ok(await call(`${kind}/asyn`, parameters, who))["downloadId"]);
  const linkOf = async (kind: Kind, downloadId: string, who = alice) =>
    ok<{ status: string; url: string; expirationTimestamp: number; isExpired: boolean | null }>(
      await call(`${kind}/asyn/id`, { downloadId }, who),
    );
  const runJob = () => past.runJob(downloadsJob(past.downloads, past.bench.clock));
  const read = async (url: string) => {
    const { pathname, search } = new URL(url);
    const reply = await past.bench.app.inject({
      method: "GET",
      url: `${pathname}${search}`,
      headers: { host: "127.0.0.1:8080" },
    });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply;
  };
  const rowsOf = (csv: string) => {
    const [header = "", ...lines] = csv.trimEnd().split("\n");
    const names = header.split(",");
    return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at]!, cell])));
  };
  /** A day later nothing counts any more. */
  const nextDay = async () => {
    past.bench.clock.advance(DAY_ms);
    await runJob();
  };

  before(async () => {
    for (let count = 0; count < 5; count += 1) {
      await past.order(bob, "SELL", "0.1", "60000");
      await past.order(alice, "BUY", "0.1", "60000", { newClientOrderId: `own-${count}` });
    }
    past.bench.clock.advance(HOUR_ms);
  });

  for (const [kind, route] of [
    ["income", "income"],
    ["order", "allOrders"],
    ["trade", "userTrades"],
  ] as const) {
    it(`FUT-20: a file of ${kind} holds what ${route} answers, and nobody else's`, async () => {
      const id = await ask(kind);
      assert.deepEqual(await linkOf(kind, id), {
        downloadId: id,
        status: "processing",
        url: "",
        notified: false,
        expirationTimestamp: -1,
        isExpired: null,
      });
      assert.deepEqual(await runJob(), { made: 1, expired: 0 });
      const { status, url, expirationTimestamp, isExpired } = await linkOf(kind, id);
      assert.deepEqual([status, isExpired], ["completed", false]);
      assert.equal(expirationTimestamp, past.bench.clock.now() + DAY_ms);
      const reply = await read(url);
      assert.match(String(reply.headers["content-type"]), /^text\/csv/);
      assert.match(String(reply.headers["content-disposition"]), new RegExp(`filename="${kind}-${id}\\.csv"`));
      const listed = ok<Body[]>(await call(route, { ...window, limit: 1000 }, alice));
      assert.ok(listed.length >= 5);
      const rows = rowsOf(reply.body);
      const names = Object.keys(rows[0]!);
      assert.deepEqual(
        rows,
        listed.map((record) => Object.fromEntries(names.map((name) => [name, String(record[name])]))),
      );
      assert.deepEqual(await runJob(), { made: 0, expired: 0 }, "it is made once");
    });
  }

  it("FUT-20, SEC-6: a link is its owner's alone; a file opens with its own token only", async () => {
    await nextDay();
    const id = await ask("trade");
    await runJob();
    refused(await call("trade/asyn/id", { downloadId: id }, bob), -1130);
    refused(await call("income/asyn/id", { downloadId: id }, alice), -1130);
    const { url } = await linkOf("trade", id);
    const token = new URL(url).searchParams.get("token")!;
    const other = await ask("trade", bob);
    await runJob();
    const [signature, content] = [token.slice(0, 20), token.slice(20)];
    const otherToken = new URL((await linkOf("trade", other, bob)).url).searchParams.get("token")!;
    const named = Buffer.from(id).toString("base64url");
    for (const given of [
      token.slice(1),
      `${token}AAAA`,
      `${otherToken.slice(0, 20)}${content}`,
      signature,
      named,
      id,
    ]) {
      refused(await call("download", { token: given }), -1130);
    }
    ok({ statusCode: (await call("download", { token })).statusCode, json: () => "CSV" });
  });

  it("FUT-20: one at a time; the same request leads to the same file", async () => {
    await nextDay();
    const id = await ask("order");
    assert.equal(await ask("order"), id);
    const reply = await call("income/asyn", window, alice);
    refused(reply, -1003, /being made/, 429);
    assert.notEqual(await ask("income", bob), id, "another account is not held up");
    await runJob();
    assert.notEqual(await ask("order"), id);
    await runJob();
  });

  it("FUT-20: an end in the future is the time of the request, also when it is repeated", async () => {
    await nextDay();
    const future = { startTime: EPOCH_MS, endTime: past.bench.clock.now() + DAY_ms };
    const id = await ask("trade", alice, future);
    past.bench.clock.advance(1_000);
    assert.equal(await ask("trade", alice, future), id);
    await past.order(bob, "SELL", "0.1", "60000");
    await past.order(alice, "BUY", "0.1", "60000");
    await runJob();
    assert.equal(rowsOf((await read((await linkOf("trade", id)).url)).body).length, 5);
  });

  it("FUT-20: five a day, a year at most, an end behind its start", async () => {
    await nextDay();
    for (let count = 0; count < 5; count += 1) {
      await ask("trade");
      await runJob();
    }
    const reply = await call("trade/asyn", window, alice);
    refused(reply, -1003, /At most 5 files a day/, 429);
    assert.equal(reply.headers["retry-after"], String(DAY_ms / 1000));
    await nextDay();
    const year = { startTime: EPOCH_MS - 366 * DAY_ms, endTime: EPOCH_MS };
    refused(await call("trade/asyn", { ...year, endTime: EPOCH_MS + 1 }, alice), -1127);
    refused(await call("trade/asyn", { startTime: EPOCH_MS, endTime: EPOCH_MS - 1 }, alice), -1130);
    refused(await call("trade/asyn", window, "0xnobody"), -1130, /no account/);
    await ask("trade", alice, year);
    await runJob();
  });

  it("FUT-20: a file ends after a day, and nothing of it is left", async () => {
    await nextDay();
    const id = await ask("income");
    await runJob();
    const { url } = await linkOf("income", id);
    past.bench.clock.advance(DAY_ms - 1);
    await read(url);
    past.bench.clock.advance(1);
    const token = new URL(url).searchParams.get("token")!;
    refused(await call("download", { token }), -1130);
    assert.deepEqual(await runJob(), { made: 0, expired: 1 });
    const link = await linkOf("income", id);
    assert.deepEqual([link.status, link.url, link.isExpired], ["completed", "", true]);
    const { rows } = await sql<{ parts: bigint }>`
      select count(*) as parts from exchange_download_part`.execute(past.database.db);
    assert.equal(rows[0]?.parts, 0n);
    past.bench.clock.advance(30 * DAY_ms);
    await runJob();
    refused(await call("income/asyn/id", { downloadId: id }, alice), -1130);
  });

  it("FUT-20: a process that ends goes on behind the last part, and two processes write each part once", async () => {
    const id = await ask("income");
    const { store, contents } = past.downloads;
    const pending = (await store.find(id))!;
    const { rows, nextCursor } = await contents.income.read(pending.account, {
      start_ms: pending.from_ms,
      end_ms: pending.to_ms,
      limit: 3,
    });
    assert.ok(nextCursor !== null);
    const part = { content: `time\n${rows.map(({ time }) => `${time}\n`).join("")}`, next_cursor: nextCursor };
    assert.equal(await store.addPart(pending, { ...part, completed_ms: null }), true);
    assert.equal(await store.addPart(pending, { ...part, completed_ms: null }), false, "the second process");
    assert.equal((await linkOf("income", id)).status, "processing");
    assert.deepEqual(await runJob(), { made: 1, expired: 0 });
    const lines = (await read((await linkOf("income", id)).url)).body.trimEnd().split("\n");
    const listed = ok<Body[]>(await call("income", { ...window, limit: 1000 }, alice));
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(",")[0]),
      listed.map(({ time }) => String(time)),
    );
    assert.equal(lines.filter((line) => line.startsWith("time")).length, 1, "one header");
  });

  it("FUT-20: a file that cannot be continued is given up, and the account can ask again", async () => {
    await nextDay();
    const id = await ask("income");
    const pending: Download = (await past.downloads.store.find(id))!;
    await past.downloads.store.addPart(pending, { content: "x\n", next_cursor: "not ours", completed_ms: null });
    assert.deepEqual(await runJob(), { made: 0, expired: 0 });
    refused(await call("income/asyn/id", { downloadId: id }, alice), -1130);
    await ask("income");
    past.bench.clock.advance(DAY_ms);
    assert.deepEqual(await runJob(), { made: 0, expired: 0 }, "nobody waits for a file longer than it is kept");
  });
});
