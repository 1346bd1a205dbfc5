import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { HOUR_ms } from "../../kernel/dates.ts";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest, readListPage } from "../../testing/page-walk.ts";
import { projectionDb } from "../projector/tables.ts";
import { type Bench, createBench, START_MS, testAddress } from "./testing.ts";

const usdt = (amount: number) => amount * 1_000_000;
const CODES = { cursor: "BAD_CURSOR", limit: "BAD_REQUEST" };

interface Case {
  readonly path: string;
  readonly olderName: string;
  readonly id: string;
  readonly add: () => Promise<unknown>;
}

describe("lists of the account area, page by page", () => {
  let bench: Bench;
  let token: string;
  let account: number;
  let deposited = 0;
  let hour = Math.floor(START_MS / HOUR_ms) - 1_000;

  before(async () => {
    bench = await createBench();
    for (const number of [1, 2]) await bench.deposits.credit(testAddress(number), usdt(100_000), `pages:${number}`);
    token = await bench.tokenOf(testAddress(2));
    account = bench.directory.numberOf(testAddress(2))!;
    const ask = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", price: "60000", quantity: "1" };
    assert.equal((await bench.call("POST", "/orders", await bench.tokenOf(testAddress(1)), ask)).status, 200);
    for (let count = 0; count < 5; count += 1) {
      for (const add of [buy, deposit, withdraw, settleFunding, noteEquity]) await add();
    }
  });
  after(() => bench.close());

  /** Several rows of one moment: a page may end between them. */
  let calls = 0;
  const pass = () => (++calls % 3 === 0 ? bench.clock.advance(1_000) : undefined);

  async function buy() {
    pass();
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" };
    assert.equal((await bench.call("POST", "/orders", token, order)).body.status, "FILLED");
    await bench.projector.waitForAll();
  }
  async function deposit() {
    pass();
    deposited += 1;
    await bench.deposits.credit(testAddress(2), usdt(deposited), `pages:2:${deposited}`);
    await bench.projector.waitForAll();
  }
  async function withdraw() {
    pass();
    assert.equal((await bench.call("POST", "/withdraw/request", token, { amount: "1" })).status, 200);
    await bench.projector.waitForAll();
  }
  async function settleFunding() {
    hour += 1;
    await bench.submit({ kind: "apply_funding", market: 0, rate_e8: 1_250, hour });
    await bench.projector.waitForAll();
  }
  async function noteEquity() {
    hour += 1;
    const row = { account, time_ms: hour * HOUR_ms, principal_micros: 1, bonus_micros: 0, unrealised_micros: 0 };
    await projectionDb(bench.database).insertInto("exchange_equity").values(row).execute();
  }
  const listAt = ({ path, olderName, id }: Pick<Case, "path" | "olderName" | "id">): ListUnderTest => ({
    read: (query) => bench.call("GET", `${path}?${query}`, token),
    olderName,
    idOf: (item) => item[id],
  });

  const cases: readonly Case[] = [
    { path: "/api/v1/account/orders", olderName: "orders", id: "id", add: buy },
    { path: "/orders", olderName: "orders", id: "id", add: buy },
    { path: "/api/v1/account/trades", olderName: "trades", id: "id", add: buy },
    { path: "/api/v1/account/income", olderName: "income", id: "id", add: buy },
    { path: "/api/v1/account/equity-history", olderName: "history", id: "time", add: noteEquity },
    { path: "/api/v1/deposit/list", olderName: "deposits", id: "amount", add: deposit },
    { path: "/api/v1/withdraw/list", olderName: "withdrawals", id: "id", add: withdraw },
    { path: "/api/v1/funding-rates/BTCUSDT", olderName: "history", id: "time", add: settleFunding },
  ];
  for (const { path, olderName, id, add } of cases) {
    it(`WIRE-8: ${path} answers items, as ${olderName} too, and is walked once while rows are added`, async () => {
      const list = listAt({ path, olderName, id });
      const addLater = () => {
        bench.clock.advance(1_000);
        return add();
      };
      for (const limit of [1, 3]) {
        await assertWalksOnce(list, addLater, { limit });
        await assertWalksOnce(list, addLater, { limit, filter: "order=desc&", isNewestFirst: true });
      }
      await assertRefusesBadPages(list, CODES);
    });
  }

  it("WIRE-8: a cursor of the deposits is none of the withdrawals, nor of another wallet or order", async () => {
    const { next_cursor } = (await bench.call("GET", "/deposit/list?limit=1", token)).body;
    const stranger = await bench.tokenOf(testAddress(1));
    for (const [path, who] of [
      [`/withdraw/list?cursor=${next_cursor}`, token],
      [`/deposit/list?cursor=${next_cursor}`, stranger],
      [`/deposit/list?order=desc&cursor=${next_cursor}`, token],
    ] as const) {
      const { status, body } = await bench.call("GET", path, who);
      assert.deepEqual([status, body.code], [400, "BAD_CURSOR"], path);
    }
  });

  it("FUT-18, WIRE-8: private events go on by cursor as by number", async () => {
    const list = listAt({ path: "/api/v1/account/events", olderName: "events", id: "seq" });
    const first = await readListPage(list, "after=7");
    const second = await readListPage(list, `cursor=${first.next_cursor}`);
    assert.deepEqual(
      [first, second].flatMap(({ items }) => items.map(list.idOf)),
      [8, 9],
    );
    assert.deepEqual(second, await readListPage(list, "after=8"));
    await assertRefusesBadPages(list, CODES);
    const both = await bench.call("GET", `/account/events?after=8&cursor=${first.next_cursor}`, token);
    assert.deepEqual([both.status, both.body.code], [400, "BAD_REQUEST"]);
  });

  for (const [path, olderName, count] of [
    ["/api/v1/markets", "markets", 4],
    ["/api/v1/positions/active", "positions", 1],
    ["/api/v1/orders/open", "orders", 1],
    ["/api/v1/withdraw/addresses", "addresses", 0],
    ["/api/v1/account/margin-mode", "margin_modes", 4],
  ] as const) {
    it(`WIRE-8: ${path} is whole in one reply, with the fields of a list`, async () => {
      if (olderName === "orders") {
        const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "58000", quantity: "0.01" };
        assert.equal((await bench.call("POST", "/orders", token, order)).status, 200);
      }
      const page = await readListPage(listAt({ path, olderName, id: "id" }), "");
      assert.deepEqual([page.items.length, page.total, page.next_cursor], [count, count, null]);
    });
  }
});
