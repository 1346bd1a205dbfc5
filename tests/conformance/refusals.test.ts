import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { LimitOrder } from "./clients/bot.ts";
import { type Caller, callerKinds } from "./clients/callers.ts";
import { type ConformanceExchange, sharedExchange, type Trader } from "./exchange.ts";

const ORDERS_10S = 60;
/** No order has it. */
const UNKNOWN_ID = 999_999_999;

const good: LimitOrder = { side: "BUY", quantity: 0.001, price: 59_000 };

interface Refusal {
  readonly what: string;
  readonly ask: (caller: Caller) => Promise<unknown>;
  readonly code: number;
  /** The class in which `ccxt` throws it; the official connector only uses the HTTP status. */
  readonly ccxt: string;
}

const placing = (what: string, order: Partial<LimitOrder>, code: number, ccxt: string): Refusal => ({
  what,
  ask: (caller) => caller.place({ ...good, ...order }),
  code,
  ccxt,
});

/** Refused with 400. The other trader's ask rests at 60,500; SOLUSDT is at 40. */
const REFUSALS: readonly Refusal[] = [
  placing("more than the margin allows", { quantity: 10 }, -2019, "ExchangeError"),
  placing("more than the leverage allows", { quantity: 150 }, -2027, "ExchangeError"),
  placing("an unknown symbol", { symbol: "NOPEUSDT" }, -1121, "BadSymbol"),
  placing("T2: a notional below the least", { symbol: "SOLUSDT", quantity: 0.1, price: 40 }, -1013, "BadRequest"),
  placing("FUT-7: less than a lot", { quantity: 0.0004 }, -1013, "InvalidOrder"),
  placing("WIRE-11: a price off the tick", { price: 59_000.05 }, -4014, "BadRequest"),
  placing("WIRE-11: a price with too many decimals", { price: 59_000.005 }, -1111, "BadRequest"),
  placing("a price above the band", { price: 63_000.1 }, -4016, "BadRequest"),
  placing("FUT-6: nothing to reduce", { reduceOnly: true }, -2022, "ExchangeError"),
  placing("a FOK that cannot fill", { timeInForce: "FOK" }, -5021, "InvalidOrder"),
  placing("T2: a crossing post-only order", { price: 60_500, timeInForce: "GTX" }, -2010, "OrderImmediatelyFillable"),
  {
    what: "FUT-8: a trigger that would fire",
    ask: (caller) => caller.stop(60_100),
    code: -2021,
    ccxt: "ExchangeError",
  },
  { what: "FUT-10: too much leverage", ask: (caller) => caller.setLeverage(51), code: -4028, ccxt: "BadRequest" },
  { what: "T1: hedge mode", ask: (caller) => caller.setHedged(), code: -4059, ccxt: "OperationRejected" },
  {
    what: "canceling an unknown order",
    ask: (caller) => caller.cancel(UNKNOWN_ID),
    code: -2011,
    ccxt: "OrderNotFound",
  },
  { what: "reading an unknown order", ask: (caller) => caller.find(UNKNOWN_ID), code: -2013, ccxt: "OrderNotFound" },
  {
    what: "SEC-5: a timestamp outside the window",
    ask: (caller) => caller.balanceBehind(120_000),
    code: -1021,
    ccxt: "InvalidNonce",
  },
  {
    what: "keeping a stream that there is none of",
    ask: (caller) => caller.keepAlive(),
    code: -1125,
    ccxt: "AuthenticationError",
  },
];

for (const { name, connect, read } of callerKinds) {
  describe(`refusals: ${name}`, () => {
    let exchange: ConformanceExchange;
    let trader: Trader;

    before(async () => {
      const isFirst = name === callerKinds[0]?.name;
      exchange = await sharedExchange({ env: { RATE_LIMIT_ORDERS_10S: String(ORDERS_10S) } });
      trader = await exchange.openTrader();
      if (!isFirst) return;
      await exchange.pinPrice("SOLUSDT", "40");
      await connect(exchange.baseUrl, exchange.maker).place({ side: "SELL", quantity: 0.01, price: 60_500 });
    });

    const expected = (ccxt: string, connector: string, code: number) => ({
      kind: { ccxt, connector, binance: "none" }[name],
      code,
    });

    async function assertRefused(request: Promise<unknown>, thrown: { kind: string; code: number }): Promise<void> {
      await assert.rejects(request, (error) => {
        assert.deepEqual(read(error), thrown);
        return true;
      });
    }

    for (const { what, ask, code, ccxt } of REFUSALS) {
      it(`${what}: ${code}`, async () => {
        await assertRefused(ask(connect(exchange.baseUrl, trader)), expected(ccxt, "BadRequestError", code));
      });
    }

    it("SEC-5: a wrong signature, an unknown key and one that is none: -1022, -2015, -2014", async () => {
      const forger = connect(exchange.baseUrl, { ...trader, apiSecret: "not the secret" });
      await assertRefused(forger.balance(), expected("AuthenticationError", "BadRequestError", -1022));
      const stranger = connect(exchange.baseUrl, { apiKey: "x".repeat(64), apiSecret: "x" });
      await assertRefused(stranger.balance(), expected("AuthenticationError", "UnauthorizedError", -2015));
      const malformed = connect(exchange.baseUrl, { apiKey: "too short", apiSecret: "x" });
      await assertRefused(malformed.balance(), expected("AuthenticationError", "UnauthorizedError", -2014));
    });

    it("SEC-10: counts orders in the client's figures and refuses too many with 429 and -1015", async () => {
      const caller = connect(exchange.baseUrl, await exchange.openTrader());
      const counts: number[] = [];
      let thrown: unknown;
      while (thrown === undefined && counts.length <= 3 * ORDERS_10S) {
        try {
          await caller.place(good);
          counts.push(caller.orderCount());
        } catch (error) {
          thrown = error;
        }
      }
      assert.deepEqual(read(thrown), expected("DDoSProtection", "TooManyRequestsError", -1015));
      // One more each time, unless the next ten seconds have begun.
      for (const [place, count] of counts.entries()) {
        const isNext = count === (counts[place - 1] ?? 0) + 1;
        assert.ok(isNext || count === 1, counts.join(", "));
      }
      assert.ok(counts.at(-1)! <= ORDERS_10S);
    });
  });
}
