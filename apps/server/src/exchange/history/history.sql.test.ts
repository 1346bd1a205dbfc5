import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type EventOf, SCOPE_BOTH } from "@bourse/engine";
import { sql } from "kysely";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { HOUR_ms, MINUTE_ms, WEEK_ms } from "../../kernel/dates.ts";
import { BadCursor } from "../../kernel/page-cursor.ts";
import type { Page } from "../../kernel/pages.ts";
import { WindowTooLong } from "../../kernel/windows.ts";
import type { Applied } from "../host/exchange.ts";
import { INTERVALS } from "../market-data/kline-series.ts";
import type { Order } from "../orders/order.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { INDEX_KIND, MARK_KIND, TRADES_KIND } from "../projector/tables.ts";
import { createTestExchange, createTestProjector, type TestExchange } from "../projector/testing.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { History } from "./history.ts";

type Fill = EventOf<"fill"> & { readonly time_ms: number };

const KEY = Buffer.from("a key that only these tests know");
/** An account that trades much in the order flow. */
const ACCOUNT = 2;
const MARKET = 0;

let database: TestDatabase;
let test: TestExchange;
let projector: Projector;
let history: History;
let fills: Fill[];
/** The last command in the tables. Later commands reach the projector and are not written. */
let last: Applied;

const timesOf = (records: readonly { readonly time_ms: number }[]) => records.map(({ time_ms }) => time_ms);
const tradeIds = (records: readonly { readonly trade: number }[]) => records.map(({ trade }) => trade);

before(async () => {
  database = await openTestDatabase(projectorMigrations);
  // By version 4: in so few commands of version 5 nobody reaches another fee tier.
  test = createTestExchange(6, undefined, 4);
  projector = await createTestProjector(database, test);
  test.exchange.listen(projector.hear);
  projector.start();
  await test.run(4_000);
  await projector.waitForAll(60_000);
  history = new History({ database, projector, clock: test.clock, cursorKey: KEY });
  fills = test.applied.flatMap(({ events, time_ms }) =>
    events.filter((event) => event.kind === "fill").map((event) => ({ ...event, time_ms })),
  );
  last = test.applied.at(-1)!;
});
after(async () => {
  await projector.stop();
  await database.close();
});

describe("trades of an account", () => {
  const own = () => fills.filter(({ account, market }) => account === ACCOUNT && market === MARKET);
  const recent = () => own().filter(({ time_ms }) => time_ms >= test.clock.now() - WEEK_ms);

  it("FUT-20: without a start they are the latest of a week, oldest first", async () => {
    const limit = 20;
    assert.ok(recent().length > limit);
    const found = await history.trades.list(ACCOUNT, { market: MARKET, limit });
    assert.deepEqual(tradeIds(found), tradeIds(recent()).slice(-limit));
    const { trade, ticks, lots, fee_micros, realised_micros, order } = found[0]!;
    const fill = recent().at(-limit)!;
    assert.deepEqual(
      [trade, ticks, lots, fee_micros, realised_micros, order],
      [fill.trade, fill.ticks, fill.lots, fill.fee_micros, fill.realised_micros, fill.order],
    );
  });

  it("FUT-20: fromId names the first one, whoever's trade it is", async () => {
    const ids = tradeIds(own());
    for (const fromId of [0, 1, ids[5]!, ids[5]! + 1, ids.at(-1)!, ids.at(-1)! + 1_000_000]) {
      const found = await history.trades.list(ACCOUNT, { market: MARKET, fromId, limit: 10 });
      assert.deepEqual(tradeIds(found), ids.filter((id) => id >= fromId).slice(0, 10), `from ${fromId}`);
    }
  });

  it("FUT-20: a window includes both ends and is a week at most", async () => {
    const all = own();
    const start_ms = all[3]!.time_ms;
    const end_ms = all[12]!.time_ms;
    const found = await history.trades.list(ACCOUNT, { market: MARKET, start_ms, end_ms });
    const wanted = all.filter(({ time_ms }) => time_ms >= start_ms && time_ms <= end_ms);
    assert.deepEqual(tradeIds(found), tradeIds(wanted));
    const long = { market: MARKET, start_ms, end_ms: start_ms + WEEK_ms + 1 };
    await assert.rejects(history.trades.list(ACCOUNT, long), WindowTooLong);
  });

  it("FUT-20: by order", async () => {
    const { order } = own().find((fill) => own().filter((other) => other.order === fill.order).length > 2)!;
    const found = await history.trades.list(ACCOUNT, { market: MARKET, orderId: order });
    assert.deepEqual(tradeIds(found), tradeIds(own().filter((fill) => fill.order === order)));
    assert.deepEqual(await history.trades.list(ACCOUNT + 1, { market: MARKET, orderId: order }), []);
  });

  it("FUT-12: those that belong to no order are found by themselves", async () => {
    const forced = fills.filter(({ cause }) => cause === "takeover" || cause === "adl");
    const { account, time_ms } = forced.find((fill) => fill.account !== 0)!;
    const found = await history.trades.forced(account, { start_ms: time_ms });
    assert.ok(found.length > 0);
    const wanted = forced.filter((fill) => fill.account === account && fill.time_ms >= time_ms);
    assert.deepEqual(timesOf(found), timesOf(wanted.filter((fill) => fill.time_ms <= time_ms + WEEK_ms)));
  });
});

describe("pages", () => {
  async function walk<Row>(read: (cursor: string | undefined) => Promise<Page<Row>>) {
    const rows: Row[] = [];
    const totals: number[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page: Page<Row> = await read(cursor);
      rows.push(...page.rows);
      totals.push(page.total);
      cursor = page.nextCursor;
    }
    return { rows, totals };
  }

  for (const isDescending of [false, true]) {
    it(`WIRE-8: cursors lead through all of them, ${isDescending ? "latest" : "oldest"} first, the total comes first`, async () => {
      const options = { limit: 37, isDescending };
      const trades = await walk((cursor) => history.trades.page(ACCOUNT, { ...options, cursor }));
      const wanted = fills.filter(({ account }) => account === ACCOUNT);
      assert.deepEqual(trades.totals, [wanted.length, ...Array(Math.ceil(wanted.length / 37) - 1).fill(-1)]);
      // Trades of different markets may have the same millisecond, in any order.
      const sorted = wanted.sort(
        (a, b) => a.time_ms - b.time_ms || a.market - b.market || a.trade - b.trade || a.side - b.side,
      );
      if (isDescending) sorted.reverse();
      assert.deepEqual(tradeIds(trades.rows), tradeIds(sorted));
      const orders = await walk((cursor) => history.orders.page(ACCOUNT, { ...options, cursor }));
      const ids = orders.rows.map(({ id }) => id);
      const { rows } = await sql<{ id: bigint }>`
        select order_id as id from exchange_order where account = ${ACCOUNT} order by 1`.execute(database.db);
      const stored = rows.map(({ id }) => Number(id));
      assert.ok(stored.length > 100);
      assert.deepEqual(ids, isDescending ? stored.reverse() : stored);
      assert.equal(orders.totals[0], stored.length);
    });
  }

  it("WIRE-8: filters hold for every page and for the total; an offset skips", async () => {
    const filter = { market: 1, status: "FILLED", limit: 5 };
    const all = await walk((cursor) => history.orders.page(ACCOUNT, { ...filter, cursor }));
    assert.ok(all.rows.length > 10);
    assert.ok(all.rows.every(({ market, status }) => market === 1 && status === "FILLED"));
    assert.equal(all.totals[0], all.rows.length);
    const skipped = await history.orders.page(ACCOUNT, { ...filter, offset: 3 });
    assert.deepEqual(skipped.rows, all.rows.slice(3, 8));
    const { time_ms: start_ms } = fills.find(({ account }) => account === ACCOUNT)!;
    const window = { start_ms, end_ms: start_ms + 10 * HOUR_ms };
    const inWindow = await history.trades.page(ACCOUNT, { ...window, limit: 500 });
    const wanted = fills.filter(
      ({ account, time_ms }) => account === ACCOUNT && time_ms >= start_ms && time_ms <= window.end_ms,
    );
    assert.equal(inWindow.total, wanted.length);
    assert.equal(inWindow.rows.length, Math.min(500, wanted.length));
  });

  it("WIRE-8: a cursor that was tampered with, or belongs to another list, is refused", async () => {
    const { nextCursor } = await history.trades.page(ACCOUNT, { limit: 5 });
    const flipped = `${nextCursor!.slice(0, -1)}${nextCursor!.endsWith("A") ? "B" : "A"}`;
    for (const cursor of [flipped, `${nextCursor}A`, "", "x", "?"]) {
      await assert.rejects(history.trades.page(ACCOUNT, { cursor }), BadCursor, cursor);
    }
    await assert.rejects(history.trades.page(ACCOUNT + 1, { cursor: nextCursor! }), BadCursor);
    await assert.rejects(history.trades.page(ACCOUNT, { cursor: nextCursor!, market: 1 }), BadCursor);
    await assert.rejects(history.orders.page(ACCOUNT, { cursor: nextCursor! }), BadCursor);
    const other = new History({ database, projector, clock: test.clock, cursorKey: Buffer.alloc(32) });
    await assert.rejects(other.trades.page(ACCOUNT, { cursor: nextCursor! }), BadCursor);
    assert.equal((await history.trades.page(ACCOUNT, { limit: 9, cursor: nextCursor! })).rows.length, 9);
  });
});

describe("orders of an account", () => {
  const stored = async () => {
    const { rows } = await history.orders.page(ACCOUNT, { market: MARKET, limit: 500 });
    return rows;
  };

  it("FUT-20: the latest of a week, from an id on, or in a window; oldest first", async () => {
    const all = await stored();
    const idsOf = (records: readonly Order[]) => records.map(({ id }) => id);
    const recent = all.filter(({ created_ms }) => created_ms >= test.clock.now() - WEEK_ms);
    assert.deepEqual(idsOf(await history.orders.list(ACCOUNT, { market: MARKET, limit: 7 })), idsOf(recent.slice(-7)));
    for (const orderId of [all[4]!.id, all[4]!.id + 1, 1, 1e9]) {
      const found = await history.orders.list(ACCOUNT, { market: MARKET, orderId, limit: 6 });
      assert.deepEqual(idsOf(found), idsOf(all.filter(({ id }) => id >= orderId).slice(0, 6)));
    }
    const window = { start_ms: all[2]!.created_ms, end_ms: all[20]!.created_ms };
    const inWindow = all.filter(({ created_ms: ms }) => ms >= window.start_ms && ms <= window.end_ms);
    assert.deepEqual(await history.orders.list(ACCOUNT, { market: MARKET, ...window }), inWindow);
  });

  it("FUT-20: by id and by client id, the latest of a name, never somebody else's", async () => {
    const all = await stored();
    for (const order of [all[0]!, all.at(-1)!]) {
      assert.deepEqual(await history.orders.byId(ACCOUNT, order.id), order);
      assert.equal(await history.orders.byId(ACCOUNT + 1, order.id), undefined);
    }
    const named = all.findLast(({ clientId }) => clientId !== "")!;
    const sameName = all.findLast(({ clientId }) => clientId === named.clientId);
    assert.deepEqual(await history.orders.byClientId(ACCOUNT, MARKET, named.clientId), sameName);
    assert.equal(await history.orders.byClientId(ACCOUNT, MARKET, ""), undefined);
    assert.equal(await history.orders.byClientId(ACCOUNT, 1 - MARKET, "no such name"), undefined);
  });

  it("FUT-12: liquidation orders", async () => {
    const fill = fills.find(({ cause, isMaker }) => cause === "liquidation" && isMaker === 0)!;
    const found = await history.orders.forced(fill.account, { start_ms: fill.time_ms });
    assert.ok(found.some(({ id }) => id === fill.order));
    assert.ok(found.every(({ cause, account }) => cause === "liquidation" && account === fill.account));
    const later = { start_ms: fill.time_ms, market: fill.market === 0 ? 1 : 0 };
    assert.ok((await history.orders.forced(fill.account, later)).every(({ market }) => market === later.market));
  });

  it("FUT-7: amendments, with what was before them", async () => {
    const { rows } = await sql<{ order_id: bigint; account: number; market: number; client_id: string }>`
      select order_id, account, market, client_id from exchange_order
      where amendments > 0 order by amendments desc, order_id desc limit 1`.execute(database.db);
    const { order_id, account, market } = rows[0]!;
    const orderId = Number(order_id);
    const found = await history.orders.amendments(account, { market, orderId });
    const events = test.applied.flatMap(({ events: all }) => all.filter((event) => event.kind === "order_amended"));
    const own = events.filter(({ order }) => order === orderId);
    assert.deepEqual(
      found.map(({ ticksAfter, lotsAfter, reason }) => [ticksAfter, lotsAfter, reason]),
      own.map(({ ticks, lots, reason }) => [ticks, lots, reason]),
    );
    assert.deepEqual(await history.orders.amendments(account + 1, { market, orderId }), []);
  });

  it("FUT-8: conditional orders: those that keep their id are orders, the others lead to theirs", async () => {
    const { rows } = await sql<{ id: bigint; account: number; market: number; order: bigint; ms: bigint }>`
      select algo_id as id, account, market, actual_order_id as "order", created_ms as ms
      from exchange_algo_order where actual_order_id > 0 order by algo_id desc limit 1`.execute(database.db);
    const { id, account, market, order, ms } = rows[0]!;
    const algo = await history.algos.find(account, { id: Number(id) });
    assert.equal(algo?.produced?.id, Number(order));
    assert.ok(algo?.status === "TRIGGERED" || algo?.status === "FINISHED");
    const produced = await history.orders.byId(account, Number(order));
    assert.deepEqual(
      [produced?.conditional, produced?.trigger?.triggerTicks],
      [Number(id), algo?.trigger.triggerTicks],
    );
    const listed = await history.algos.list(account, { market, start_ms: Number(ms) });
    assert.equal(listed[0]?.id, Number(id));
    assert.equal(await history.algos.find(account + 1, { id: Number(id) }), undefined);

    const kept = await sql<{ id: bigint; account: number }>`
      select order_id as id, account from exchange_order
      where conditional_type >= 0 and triggered_ms > 0 limit 1`.execute(database.db);
    const own = await history.orders.byId(kept.rows[0]!.account, Number(kept.rows[0]!.id));
    assert.ok(own?.trigger !== null && own !== undefined && own.trigger.triggered_ms >= own.created_ms);
    assert.equal(await history.algos.find(own.account, { id: own.id }), undefined);
  });
});

describe("money of an account", () => {
  it("FUT-20: income by type, market and window; a page at a time", async () => {
    const all = await history.money.income(ACCOUNT, { start_ms: 0, limit: 1000 });
    const own = fills.filter(({ account }) => account === ACCOUNT);
    const fees = own.filter(({ fee_micros }) => fee_micros > 0);
    const commissions = await history.money.income(ACCOUNT, { start_ms: 0, type: "COMMISSION", limit: 1000 });
    assert.deepEqual(
      commissions.map(({ amount_micros, trade }) => [amount_micros, trade]),
      fees.slice(0, 1000).map(({ fee_micros, trade }) => [-fee_micros, trade]),
    );
    const [first, second] = [1, 2].map((page) => history.money.income(ACCOUNT, { start_ms: 0, limit: 10, page }));
    assert.deepEqual([...(await first!), ...(await second!)], all.slice(0, 20));
    const ofMarket = await history.money.income(ACCOUNT, { start_ms: 0, market: 1, limit: 50 });
    assert.ok(ofMarket.length === 50 && ofMarket.every(({ market }) => market === 1));
    const recent = await history.money.income(ACCOUNT, { limit: 5 });
    assert.ok(recent.every(({ time_ms }) => time_ms >= test.clock.now() - WEEK_ms));
    assert.deepEqual(
      timesOf(recent),
      timesOf(recent).toSorted((a, b) => a - b),
    );
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  it("BON-6, FUT-15, FUT-9: bonus lines, changes of the tier and moves of isolated margin", async () => {
    const events = test.applied.flatMap(({ events: all }) => all);
    const line = events.find((event) => event.kind === "bonus_line")!;
    const lines = await history.money.bonusLines(line.account, { start_ms: 0 });
    const { line: name, amount_micros } = lines[0]!;
    assert.deepEqual([name, amount_micros], [line.line, line.amount_micros]);
    const change = events.find((event) => event.kind === "tier_changed")!;
    const [first] = await history.money.tierChanges(change.account);
    assert.deepEqual(
      [first!.change, first!.tier, first!.previousTier],
      [change.change, change.tier, change.previousTier],
    );
    assert.deepEqual(await history.money.marginMoves(ACCOUNT, { market: MARKET }), []);
  });
});

describe("markets", () => {
  const published = (market: number) =>
    fills.filter((f) => f.market === market && f.isMaker === 0 && f.cause !== "takeover" && f.cause !== "adl");

  it("FUT-20: trades between orders, the latest or from one on, as the taker's side says", async () => {
    const all = published(MARKET);
    const latest = await history.markets.trades(MARKET, { limit: 30 });
    assert.deepEqual(tradeIds(latest), tradeIds(all.slice(-30)));
    assert.deepEqual(
      latest.map(({ isBuyerMaker }) => isBuyerMaker),
      all.slice(-30).map(({ side }) => side === 1),
    );
    const fromId = all[10]!.trade;
    assert.deepEqual(tradeIds(await history.markets.trades(MARKET, { fromId, limit: 5 })), tradeIds(all.slice(10, 15)));
  });

  it("FUT-20: candles of every interval hold what was traded in them, without gaps", async () => {
    const all = published(MARKET);
    const unit = test.engine.state.markets[MARKET]!.definition.unit_micros;
    for (const interval_ms of Object.values(INTERVALS)) {
      const start_ms = all[0]!.time_ms - (all[0]!.time_ms % interval_ms);
      const klines = await history.markets.klines({ market: MARKET, interval_ms, start_ms, limit: 1500 });
      assert.ok(klines.length > 1);
      let close = 0;
      for (const [place, kline] of klines.entries()) {
        assert.equal(kline.open_ms, start_ms + place * interval_ms);
        const own = all.filter(({ time_ms }) => time_ms - (time_ms % interval_ms) === kline.open_ms);
        const ticks = own.length === 0 ? [close] : own.map((trade) => trade.ticks);
        close = ticks.at(-1)!;
        const prices = [kline.openTicks, kline.highTicks, kline.lowTicks, kline.closeTicks];
        assert.deepEqual(prices, [ticks[0], Math.max(...ticks), Math.min(...ticks), close]);
        const lots = own.reduce((sum, trade) => sum + trade.lots, 0);
        const quote = own.reduce((sum, trade) => sum + BigInt(trade.lots * trade.ticks * unit), 0n);
        const bought = own.filter(({ side }) => side === 0).reduce((sum, trade) => sum + trade.lots, 0);
        assert.deepEqual(
          [kline.lots, kline.quote_micros, kline.trades, kline.takerBuyLots],
          [lots, quote, own.length, bought],
        );
      }
    }
  });

  it("FUT-20: candles end now, or where they are asked to, and begin with the first trade", async () => {
    const now_ms = test.clock.now();
    const query = { market: MARKET, interval_ms: MINUTE_ms };
    const latest = await history.markets.klines({ ...query, limit: 10 });
    const end_ms = now_ms - (now_ms % MINUTE_ms);
    assert.deepEqual(
      latest.map(({ open_ms }) => open_ms),
      Array.from({ length: 10 }, (_, place) => end_ms - (9 - place) * MINUTE_ms),
    );
    const [before] = await history.markets.klines({ ...query, limit: 1, end_ms: end_ms - 3 * MINUTE_ms });
    assert.equal(before!.open_ms, end_ms - 3 * MINUTE_ms);
    const fromFirst = await history.markets.klines({ ...query, start_ms: 0, limit: 3 });
    const first_ms = published(MARKET)[0]!.time_ms;
    assert.deepEqual([fromFirst.length, fromFirst[0]!.open_ms], [3, first_ms - (first_ms % MINUTE_ms)]);
    assert.deepEqual(await history.markets.klines({ ...query, start_ms: 0, end_ms: first_ms - MINUTE_ms }), []);
    assert.deepEqual(await history.markets.klines({ ...query, market: 3_000 }), []);
    assert.deepEqual(await history.markets.klines({ ...query, start_ms: now_ms + HOUR_ms }), []);
    for (const [kind, ticks] of [
      [TRADES_KIND, test.engine.state.markets[MARKET]!.lastTicks],
      [MARK_KIND, test.engine.state.markets[MARKET]!.markTicks],
      [INDEX_KIND, test.engine.state.markets[MARKET]!.indexTicks],
    ] as const) {
      assert.equal((await history.markets.klines({ ...query, kind, limit: 1 }))[0]!.closeTicks, ticks);
    }
  });

  it("FUT-14: funding rates by market, all of them, in a window", async () => {
    const settled = test.applied.flatMap(({ events }) => events.filter((event) => event.kind === "funding_settled"));
    assert.ok(settled.length > 5);
    const own = settled.filter(({ market }) => market === MARKET);
    const rates = await history.markets.fundingRates({ market: MARKET, limit: 1000 });
    assert.deepEqual(
      rates.map(({ rate_e8, time_ms, markTicks }) => [rate_e8, time_ms, markTicks]),
      own.map(({ rate_e8, hour, markTicks }) => [rate_e8, hour * HOUR_ms, markTicks]),
    );
    const start_ms = own[1]!.hour * HOUR_ms;
    const [from] = await history.markets.fundingRates({ market: MARKET, start_ms, limit: 1 });
    assert.equal(from!.time_ms, start_ms);
    assert.equal((await history.markets.fundingRates({})).length, settled.length);
    assert.deepEqual(await history.markets.fundingRates({ start_ms: 8e15 }), []);
  });
});

describe("what the tables lack so far", () => {
  it("an order is seen as it is while the tables lag behind; a list waits, then gives up", async () => {
    const { pool, index } = test.engine.state;
    const { rows } = await sql<{ id: bigint; account: number }>`
      select order_id as id, account from exchange_order
      where status in ('NEW', 'PARTIALLY_FILLED') and conditional_type = -1
      order by order_id desc limit 1`.execute(database.db);
    const id = Number(rows[0]!.id);
    const account = pool.account(index.get(id));
    // A projector that receives commands and never writes them.
    const lagging = await createTestProjector(database, test);
    const behind = new History({ database, projector: lagging, clock: test.clock, cursorKey: KEY });
    test.exchange.listen(lagging.hear);
    assert.equal((await behind.orders.byId(account, id))!.updated_ms <= last.time_ms, true);
    test.clock.advance(1_000);
    const cancel = { kind: "cancel_order", account, order: id, clientId: "", scope: SCOPE_BOTH } as const;
    await test.exchange.submit(cancel);
    const cancelled = await behind.orders.byId(account, id);
    assert.deepEqual([cancelled?.status, cancelled?.reason], ["CANCELED", "user"]);
    assert.equal(cancelled?.updated_ms, test.clock.now());
    assert.equal(lagging.pendingOrder(account + 1, id), undefined);
    await assert.rejects(lagging.waitForAccount(account, 1), ProjectionTimeout);
    await assert.rejects(behind.markets.upToDate(), ProjectionTimeout);
    assert.equal((await history.orders.byId(account, id))?.status, "CANCELED");
  });
});
