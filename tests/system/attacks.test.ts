import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { GrantBatchReply } from "@bourse/api";
import { NEWEST_RULES, RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import { BONUS_ENV, BonusAdmin } from "../support/bonus-admin.ts";
import type { Owner } from "../support/cleanup.ts";
import { quickDatabase } from "../support/databases.ts";
import { makeEarlierDataDir } from "../support/earlier-rules.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { type Order, type Parameters, pinPrices, postJson, Trader } from "../support/traders.ts";

/** A price comes at most once a second, and the fund unwinds at most once a second. */
const SECOND_ms = 1_050;
const BEFORE = RULES_WITH_FAIR_MARKETS - 1;

interface Position {
  readonly symbol: string;
  readonly positionAmt: string;
}

/** A server by some rules, and what an attacker can do with it: HTTP requests. */
class Target {
  readonly #admin = new BonusAdmin();
  readonly #server: RunningServer;

  constructor(server: RunningServer) {
    this.#server = server;
  }

  get #url(): string {
    return this.#server.baseUrl;
  }

  /** Somebody with money, and leverage in one market. */
  async trader(amount: number, symbol: string, leverage: number): Promise<Trader> {
    const trader = await Trader.open(this.#url, String(amount));
    if (amount > 0) await trader.call(this.#url, "POST", "/fapi/v1/leverage", { symbol, leverage: String(leverage) });
    return trader;
  }

  /** Whether an order was taken; refusals are what some attacks meet. */
  async order(trader: Trader, symbol: string, side: string, quantity: number, price: number, more: Parameters = {}) {
    const order = { symbol, side, type: "LIMIT", timeInForce: "GTC", quantity: String(quantity), price: String(price) };
    const reply = await trader.request<Order>(this.#url, "POST", "/fapi/v1/order", { ...order, ...more });
    return reply.status === 200;
  }

  async trade(long: Trader, short: Trader, symbol: string, quantity: number, price: number): Promise<void> {
    assert.ok(await this.order(short, symbol, "SELL", quantity, price));
    assert.ok(await this.order(long, symbol, "BUY", quantity, price, { timeInForce: "IOC" }));
  }

  async cancelAll(trader: Trader, symbol: string): Promise<void> {
    await trader.call(this.#url, "DELETE", "/fapi/v1/allOpenOrders", { symbol });
  }

  async stopLoss(trader: Trader, symbol: string, triggerPrice: number): Promise<void> {
    const stop = { algoType: "CONDITIONAL", type: "STOP_MARKET", side: "SELL", closePosition: "true" };
    await trader.call(this.#url, "POST", "/fapi/v1/algoOrder", { ...stop, symbol, triggerPrice: String(triggerPrice) });
  }

  /** With open positions at the mark. */
  async worth(...traders: readonly Trader[]): Promise<number> {
    let sum = 0;
    for (const trader of traders) {
      const { totalMarginBalance } = await trader.call<{ totalMarginBalance: string }>(
        this.#url,
        "GET",
        "/fapi/v3/account",
      );
      sum += Number(totalMarginBalance);
    }
    return sum;
  }

  async position(trader: Trader, symbol: string): Promise<number> {
    const all = await trader.call<Position[]>(this.#url, "GET", "/fapi/v3/positionRisk", { symbol });
    return Number(all[0]?.positionAmt ?? 0);
  }

  async fund(): Promise<number> {
    const reply = await this.#get<{ assets: { marginBalance: string }[] }>("/fapi/v1/insuranceBalance?symbol=BTCUSDT");
    return Number(reply.assets[0]!.marginBalance);
  }

  /** One price of the market now: everybody in it is judged. */
  async pin(symbol: string, price: number): Promise<number> {
    const pinned = await postJson<{ mark_price: string }>(`${this.#url}/api/v1/dev/price`, {
      symbol,
      price: String(price),
    });
    return Number(pinned.mark_price);
  }

  async seconds(symbol: string, price: number, count: number): Promise<void> {
    for (let second = 0; second < count; second += 1) {
      await sleep(SECOND_ms);
      await this.pin(symbol, price);
    }
  }

  /** What was granted; 0 where it was refused. */
  async grant(trader: Trader, amount: number): Promise<number> {
    const asked = this.#admin.request("grant-batch", {
      batch_name: "an attack",
      grant_tier: "COMMUNITY",
      per_address_amount: String(amount),
      max_leverage: 10,
      recipients: [trader.address],
    });
    const { created } = await this.#admin.done<GrantBatchReply>(this.#server, asked);
    return created;
  }

  /** The rate that the next full hour settles. */
  async nextFunding(symbol: string): Promise<number> {
    const { now_ms } = await postJson<{ now_ms: number }>(`${this.#url}/api/v1/dev/clock`, { advance_ms: 0 });
    await postJson(`${this.#url}/api/v1/dev/clock`, { now: Math.ceil((now_ms + 1) / 3_600_000) * 3_600_000 + 1_000 });
    const path = `/fapi/v1/fundingRate?symbol=${symbol}&startTime=${now_ms}`;
    const rates = await this.#get<{ fundingRate: string }[]>(path);
    return Number(rates.at(-1)!.fundingRate);
  }

  async #get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${this.#url}${path}`);
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return JSON.parse(text) as Body;
  }
}

/** Shorts are sold far below the mark to the group's own longs until they have nothing left; the fund buys them back. */
async function farmFund(target: Target, symbol: string, index: number) {
  const fundBefore = await target.fund();
  const lot = 6_000 / index;
  const [low, high] = [index * 0.95, index * 1.05];
  const group: Trader[] = [];
  for (let pair = 0; pair < 5; pair += 1) {
    const [short, long] = [await target.trader(4_900, symbol, 50), await target.trader(6_000, symbol, 50)];
    group.push(short, long);
    for (let order = 0; order < 16; order += 1) await target.order(short, symbol, "SELL", lot, low);
    await target.order(long, symbol, "BUY", lot * 16, low, { timeInForce: "IOC" });
    await target.order(long, symbol, "SELL", lot * 16, high);
  }
  await target.seconds(symbol, index, 4);
  for (const trader of group) await target.cancelAll(trader, symbol);
  const gained = (await target.worth(...group)) - 5 * 10_900;
  return { gained, fund: (await target.fund()) - fundBefore };
}

const isFair = (version: number) => version >= RULES_WITH_FAIR_MARKETS;

/** A new exchange by some rules; it ends with its owner. */
async function startTarget(owner: Owner, version: number, env: Readonly<Record<string, string>> = {}): Promise<Target> {
  const database = await quickDatabase(owner);
  const isEmbedded = database["DATABASE_URL"] === undefined;
  const earlier = isFair(version) ? {} : { dataDir: await makeEarlierDataDir(owner, version, isEmbedded) };
  const server = await startServer({ owner, ...earlier, env: { ...BONUS_ENV, ...database, ...env } });
  await pinPrices(server.baseUrl);
  return new Target(server);
}

it("FUT-9, FUT-21: the fund farmed beside the demo's maker", async (t) => {
  const target = await startTarget(t, NEWEST_RULES, { DEMO: "true" });
  const { gained, fund } = await farmFund(target, "BTCUSDT", 60_000);
  assert.ok(gained < 0, `fees at least: ${gained}`);
  assert.ok(fund >= 0, `the fund lost ${fund}`);
});

for (const version of [BEFORE, NEWEST_RULES]) {
  describe(`attacks on a started server by rules version ${version}`, () => {
    const undo: (() => Promise<void>)[] = [];
    const owner = { after: (fn: () => Promise<void>) => void undo.push(fn) };
    let target: Target;

    before(async () => {
      target = await startTarget(owner, version);
    });

    after(async () => {
      for (const fn of undo) await fn();
    });

    it("FUT-9, FUT-21: the fund farmed by five pairs", async () => {
      const { gained, fund } = await farmFund(target, "BTCUSDT", 60_000);
      if (isFair(version)) {
        assert.ok(gained < 0, `fees at least: ${gained}`);
        assert.equal(fund, 0);
      } else assert.ok(gained > 10_000 && fund < -10_000, `${gained} from ${fund}`);
    });

    it("FUT-9, FUT-21: the same beside a maker who quotes around the index", async () => {
      const maker = await target.trader(1_000_000, "ETHUSDT", 10);
      for (const [side, price] of [
        ["BUY", 2_998.5],
        ["SELL", 3_001.5],
      ] as const) {
        await target.order(maker, "ETHUSDT", side, 10, price);
      }
      const { gained } = await farmFund(target, "ETHUSDT", 3_000);
      if (isFair(version)) assert.ok(gained < 0, `fees at least: ${gained}`);
      else assert.ok(gained > 5_000, `${gained}`);
    });

    it("FUT-13: the mark pushed onto a short at 10×", async () => {
      const stranger = await target.trader(1_100, "AVAXUSDT", 10);
      const maker = await target.trader(1_000_000, "AVAXUSDT", 5);
      const [one, other] = [
        await target.trader(50_000, "AVAXUSDT", 5),
        await target.trader(50_000, "AVAXUSDT", 5),
      ] as const;
      await target.trade(maker, stranger, "AVAXUSDT", 330, 30);
      const before = await target.worth(stranger);
      // As far away as the band lets them: quotes of size on both sides, and a print between them.
      const price = (await target.order(one, "AVAXUSDT", "BUY", 400, 34.4)) ? 34.45 : 32.35;
      await target.order(one, "AVAXUSDT", "BUY", 400, price - 0.05);
      await target.order(other, "AVAXUSDT", "SELL", 400, price);
      await target.order(one, "AVAXUSDT", "BUY", 1, price, { timeInForce: "IOC" });
      await target.seconds("AVAXUSDT", 30, 3);
      const mark = await target.pin("AVAXUSDT", 30);
      const held = await target.position(stranger, "AVAXUSDT");
      if (isFair(version)) {
        assert.ok(mark <= 30.3, `the mark is ${mark}`);
        assert.equal(held, -330);
      } else assert.ok(held > -330, `the stranger keeps ${held}`);
      for (const trader of [one, other]) await target.cancelAll(trader, "AVAXUSDT");
      await target.seconds("AVAXUSDT", 30, 1);
      const lost = before - (await target.worth(stranger));
      if (!isFair(version)) assert.ok(lost > 700, `lost ${lost}`);
    });

    it("FUT-8: one print far away fires no stop", async () => {
      const holder = await target.trader(100_000, "SOLUSDT", 5);
      const maker = await target.trader(1_000_000, "SOLUSDT", 5);
      const printer = await target.trader(10_000, "SOLUSDT", 5);
      await target.trade(holder, maker, "SOLUSDT", 60, 150);
      await target.stopLoss(holder, "SOLUSDT", 139);
      await target.order(maker, "SOLUSDT", "BUY", 1, 139);
      await target.order(maker, "SOLUSDT", "BUY", 200, 138.5);
      await target.order(printer, "SOLUSDT", "SELL", 1, 139, { timeInForce: "IOC" });
      const held = await target.position(holder, "SOLUSDT");
      assert.equal(held, isFair(version) ? 60 : 0);
      await target.cancelAll(maker, "SOLUSDT");
    });

    it("BON-7, BON-8: three trial funds of 500 sold to a clean wallet", async () => {
      const clean = await target.trader(10_000, "SOLUSDT", 10);
      for (let trial = 0; trial < 3; trial += 1) {
        const trader = await target.trader(0, "SOLUSDT", 10);
        assert.equal(await target.grant(trader, 500), 1);
        for (const [buy, sell] of [
          [171, 128.5],
          [161.9, 138.1],
        ] as const) {
          await target.order(clean, "SOLUSDT", "SELL", 14, buy);
          await target.order(trader, "SOLUSDT", "BUY", 14, buy, { timeInForce: "IOC" });
          await target.cancelAll(clean, "SOLUSDT");
          await target.order(clean, "SOLUSDT", "BUY", 14, sell);
          await target.order(trader, "SOLUSDT", "SELL", 14, sell, { timeInForce: "IOC", reduceOnly: "true" });
          await target.cancelAll(clean, "SOLUSDT");
        }
      }
      const gained = (await target.worth(clean)) - 10_000;
      if (isFair(version)) assert.ok(gained <= 0, `gained ${gained}`);
      else assert.ok(gained > 900, `gained ${gained}`);
    });

    it("BON-15: a grant on a principal below zero", async () => {
      const debtor = await target.trader(2_000, "BTCUSDT", 20);
      const maker = await target.trader(1_000_000, "BTCUSDT", 10);
      await target.trade(debtor, maker, "ETHUSDT", 2, 3_000);
      await target.trade(debtor, maker, "BTCUSDT", 0.2, 60_000);
      await target.pin("ETHUSDT", 3_900);
      await target.pin("BTCUSDT", 48_000);
      await target.trade(maker, debtor, "BTCUSDT", 0.2, 48_000);
      const granted = await target.grant(debtor, 500).catch(() => 0);
      const gained = (await target.worth(debtor)) - 1_395;
      // Its debt is 400 and some fees; before, the bonus paid it at once.
      if (isFair(version)) assert.equal(granted, 0);
      else assert.ok(granted === 1 && gained > 400, `gained ${gained}`);
    });

    it("FUT-14: funding moved by bids on one side", async () => {
      const bidder = await target.trader(100_000, "SOLUSDT", 5);
      // More than the impact notional above the index, and nobody sells.
      await target.order(bidder, "SOLUSDT", "BUY", 100, 161.5);
      await target.seconds("SOLUSDT", 150, 7);
      await target.cancelAll(bidder, "SOLUSDT");
      // The last test: signed requests of the next hour would be from the past.
      const rate = await target.nextFunding("SOLUSDT");
      // Without a premium an hour costs an eighth of 0.01 %.
      if (isFair(version)) assert.ok(Math.abs(rate) <= 0.0000125, `the rate is ${rate}`);
      else assert.ok(rate > 0.0003, `the rate is ${rate}`);
    });
  });
}
