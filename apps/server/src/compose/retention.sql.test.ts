import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { waitFor } from "../../../../tests/support/waiting.ts";
import { readPositions } from "../backup/positions.ts";
import { hasTraded } from "../broker/partners/binding-store.ts";
import { brokerDb } from "../broker/tables.ts";
import { ManualClock, MovableClock } from "../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { readEdge } from "../kernel/outbox/edge.ts";
import { RetainedDays } from "../testing/retained-days.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { TEST_EPOCH_MS } from "../testing/test-platform.ts";
import { migrations } from "./migrations.ts";

describe("an exchange that keeps only what it has to", () => {
  const [data, backup] = [makeTestFolder(), makeTestFolder()];
  const clock = new MovableClock(0, new ManualClock(TEST_EPOCH_MS));
  let database: TestDatabase;
  let days: RetainedDays;

  const signIn = async () => (await days.platform.signIn(days.customer!.wallet)).access_token;
  const principal = async () => (await days.platform.get("/unified/account", await signIn())).json().principal;

  before(async () => {
    database = await openTestDatabase(migrations);
    days = new RetainedDays({ path: data.path, backupDir: backup.path, database, clock, environment: {} });
    await days.start();
    await days.open();
  });
  after(async () => {
    await days.stop();
    await database.close();
    data.remove();
    backup.remove();
  });

  it("LOG-8: messages go a day after their delivery; a repeated request is answered from its own row, and nothing is paid twice", async () => {
    const withdraw = async () =>
      (await days.platform.post("/withdraw/request", { amount: "100", request_id: "w" }, await signIn())).json();
    const { withdrawal_id } = await withdraw();
    const account = async () => (await days.platform.get("/unified/account", await signIn())).json();
    await waitFor(async () => (await account()).in_flight === "0.00", { what: "the withdrawal to be paid" });
    await days.day(3);
    await days.day(3);
    const before = await principal();
    const { rows } = await sql`select ref from outbox where ref like 'withdrawal%' or ref like 'genesis%'`.execute(
      database.db,
    );
    assert.deepEqual(rows, []);
    const edge = await readEdge(database.db);
    assert.ok(edge.number > 5);
    // LOG-4: a backup keeps the log at least up to what was delivered.
    assert.ok((await readPositions(database.db)).deliveredNumber >= edge.number);

    const again = await withdraw();
    assert.deepEqual([again.withdrawal_id, again.status, again.replayed], [withdrawal_id, "confirmed", true]);
    await days.stop();
    // LOG-2: the start compares what is left of the outbox, from the edge on, with the engine.
    await days.start();
    assert.equal(await principal(), before);
    const { rows: sent } = await sql<{ ref: string }>`
      select ref from outbox where ref like 'genesis%' or ref like 'withdrawal%'`.execute(database.db);
    assert.deepEqual(sent, [], "neither the fund's seed nor a hold is sent again");
  });

  it("LOG-8: with a disk that is nearly full only cancels and reducing orders are taken, at both doors; money still arrives", async () => {
    const limit = "type=LIMIT&timeInForce=GTC&quantity=0.01&price=49000";
    const resting = await days.place(`side=BUY&${limit}`);
    assert.equal(resting.statusCode, 200, resting.body);
    await days.stop();
    await days.start(0.02);
    const token = await signIn();
    const refused = await days.place(`side=BUY&${limit}`);
    const why = "Only cancels and reduce-only orders are accepted at the moment.";
    assert.deepEqual([refused.statusCode, refused.json().code, refused.json().msg], [503, -1016, why]);
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      price: "49000",
      quantity: "0.01",
      time_in_force: "GTC",
    };
    const own = await days.platform.post("/api/v1/orders", order, token);
    assert.deepEqual([own.statusCode, own.json().code], [503, "ONLY_REDUCING"]);
    const reducing = await days.platform.post("/api/v1/orders", { ...order, reduce_only: true }, token);
    assert.notEqual(reducing.statusCode, 503, reducing.body);
    const cancel = await days.platform.call({
      method: "DELETE",
      url: `/api/v1/orders/${resting.json().orderId}?symbol=BTCUSDT`,
      headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
    });
    assert.equal(cancel.statusCode, 200, cancel.body);
    const before = Number(await principal());
    await days.platform.post("/api/v1/dev/faucet", { address: days.customer!.address, amount: "7" });
    assert.equal(Number(await principal()), before + 7);
    const { status, checks } = (await days.platform.get("/readyz")).json();
    assert.deepEqual([status, checks.disk.ok], ["degraded", false]);
    await days.stop();
    await days.start();
    assert.equal((await days.place(`side=BUY&${limit}`)).statusCode, 200);
  });

  it("LOG-8: history that left is refused by name, what is there is answered, and the proof of an old settlement still holds", async () => {
    await days.day(2, 9 * DAY_ms);
    const first_ms = TEST_EPOCH_MS;
    const { rows } = await sql<{ old: bigint }>`
      select count(*) as old from exchange_fill where time_ms < ${first_ms + DAY_ms}`.execute(database.db);
    assert.equal(rows[0]!.old, 0n);
    const { rows: traded } = await sql<{ account: number }>`
      select account from exchange_traded join exchange_account using (account)
      where address = ${days.customer!.address}`.execute(database.db);
    assert.equal(
      await brokerDb(database)
        .transaction()
        .execute((tx) => hasTraded(tx, traded[0]!.account)),
      true,
      "BRK-1: it can no longer be bound",
    );
    for (const path of ["/fapi/v1/userTrades", "/fapi/v1/allOrders", "/fapi/v1/income"]) {
      const old = await days.get(path, `symbol=BTCUSDT&startTime=${first_ms}`);
      const why = "Search window is restricted to recent 7 days only.";
      assert.deepEqual([old.statusCode, old.json().code, old.json().msg], [400, -4166, why], path);
      const empty = await days.get(path, `symbol=BTCUSDT&startTime=${clock.now() - DAY_ms}`);
      assert.equal(empty.statusCode, 200, empty.body);
    }
    const token = await signIn();
    const own = await days.platform.get(`/api/v1/account/trades?start_time=${first_ms}`, token);
    assert.deepEqual([own.statusCode, own.json().code], [400, "HISTORY_REMOVED"]);

    const { rows: records } = await sql<{ id: string }>`
      select id::text as id from rebate_record order by period limit 1`.execute(database.db);
    const kol = (await days.platform.signIn(days.kol!.wallet)).access_token;
    const proof = await days.platform.get(`/api/v1/broker/rebate-records/${records[0]!.id}/proof`, kol);
    assert.equal(proof.statusCode, 200, proof.body);
    const script = new URL("../../../../scripts/verify-rebate.mjs", import.meta.url).pathname;
    const checked = spawnSync(process.execPath, [script, "-"], { input: proof.body, encoding: "utf8" });
    assert.equal(checked.status, 0, checked.stdout);
    const explained = await days.platform.get(`/api/v1/broker/rebate-records/${records[0]!.id}/explain`, kol);
    assert.equal(explained.statusCode, 200, explained.body);
  });
});
