import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import type { Bot } from "./clients/bot.ts";
import { connectorBots } from "./clients/connector.ts";
import { type StreamClient, type StreamEvent, streamClientKinds } from "./clients/streams.ts";
import { type ConformanceExchange, sharedExchange } from "./exchange.ts";

const HOUR_ms = 3_600_000;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (event: StreamEvent | undefined, name: string) => (event?.[name] ?? {}) as Fields;

/** What a bot acts on, one line per event: the event and the state of its subject. */
function summary(event: StreamEvent): string {
  const order = fieldsOf(event, "o");
  switch (event["e"]) {
    case "ORDER_TRADE_UPDATE":
      return `order ${order["x"]} ${order["X"]}`;
    case "ALGO_UPDATE":
      return `algo ${order["X"]}`;
    case "ACCOUNT_UPDATE":
      return `account ${fieldsOf(event, "a")["m"]}`;
    default:
      return String(event["e"]);
  }
}

for (const { name, open } of streamClientKinds) {
  describe(`user data stream: ${name}`, () => {
    let exchange: ConformanceExchange;
    let streams: StreamClient;
    let bot: Bot;
    let other: Bot;
    let events: readonly StreamEvent[];
    const opened: StreamClient[] = [];

    before(async () => {
      exchange = await sharedExchange();
      const own = await exchange.openTrader();
      bot = await connectorBots.connect(exchange.baseUrl, own);
      other = await connectorBots.connect(exchange.baseUrl, await exchange.openTrader());
      streams = await open(exchange.baseUrl, own);
      opened.push(streams);
      events = await followed(streams, bot);
    });
    after(async () => {
      for (const each of opened) await each.close();
    });

    /**
     * Follows an account until the stream is active, which clients do not report: places and cancels an order until it
     * shows.
     */
    async function followed(client: StreamClient, trader: Bot): Promise<readonly StreamEvent[]> {
      const seen = await client.followAccount();
      await waitFor(
        async () => {
          if (seen.some((event) => summary(event) === "order CANCELED CANCELED")) return true;
          const { id } = await trader.limit({ side: "BUY", price: 58_000, quantity: 0.001 });
          await trader.cancel(id);
          return false;
        },
        { interval_ms: 150, what: "the first account event" },
      );
      return seen;
    }

    /**
     * Places and cancels an order: once its events have come, all earlier ones have, too. Returns the indices of its
     * events.
     */
    async function probe(): Promise<{ readonly first: number; readonly last: number }> {
      const { id } = await bot.limit({ side: "BUY", price: 58_000, quantity: 0.001 });
      await bot.cancel(id);
      const isOwn = (event: StreamEvent) => fieldsOf(event, "o")["i"] === Number(id);
      const last = await waitFor(
        () => {
          const place = events.findLastIndex(isOwn);
          return place !== -1 && summary(events[place]!) === "order CANCELED CANCELED" ? place : undefined;
        },
        { what: "the probing order" },
      );
      return { first: events.findIndex(isOwn), last };
    }

    /** All events of an action, without the short copies of trades. */
    async function eventsOf(act: () => Promise<unknown>): Promise<StreamEvent[]> {
      const { last } = await probe();
      await act();
      const { first } = await probe();
      return events.slice(last + 1, first).filter(({ e }) => e !== "TRADE_LITE");
    }

    it("reports an order's life in order: new, amended, traded, canceled", async () => {
      let id = "";
      const seen = await eventsOf(async () => {
        ({ id } = await bot.limit({ side: "BUY", price: 59_900, quantity: 0.01 }));
        await bot.modify({ side: "BUY", price: 59_950, quantity: 0.02, id });
        await other.market("SELL", 0.004);
        await bot.cancel(id);
      });
      assert.deepEqual(seen.map(summary), [
        "order NEW NEW",
        "order AMENDMENT NEW",
        "order TRADE PARTIALLY_FILLED",
        "account ORDER",
        "order CANCELED CANCELED",
      ]);
      const [placed, amended, traded, account] = seen;
      assert.deepEqual(
        ["i", "S", "o", "f", "q", "p", "ps"].map((field) => fieldsOf(placed, "o")[field]),
        [Number(id), "BUY", "LIMIT", "GTC", "0.010", "59900.0", "BOTH"],
      );
      assert.deepEqual([fieldsOf(amended, "o")["q"], fieldsOf(amended, "o")["p"]], ["0.020", "59950.0"]);
      const trade = fieldsOf(traded, "o");
      // 0.004 × 59,950 = 239.8, of which a maker pays 0.02 percent.
      assert.deepEqual(
        [trade["l"], trade["z"], trade["L"], Number(trade["ap"]), trade["N"], Number(trade["n"]), trade["m"]],
        ["0.004", "0.004", "59950.0", 59_950, "USDT", 0.04796, true],
      );
      const { B, P } = fieldsOf(account, "a") as { B: Fields[]; P: Fields[] };
      assert.deepEqual([B[0]?.["a"], Number(B[0]?.["wb"]), Number(B[0]?.["bc"])], ["USDT", 9_999.95204, 0]);
      assert.deepEqual(
        [P[0]?.["s"], P[0]?.["pa"], Number(P[0]?.["ep"]), P[0]?.["mt"], P[0]?.["ps"]],
        ["BTCUSDT", "0.004", 59_950, "cross", "BOTH"],
      );
    });

    it("reports an order that expires, with its reason", async () => {
      await other.limit({ side: "SELL", price: 60_000, quantity: 0.001 });
      const seen = await eventsOf(() => bot.limit({ side: "BUY", price: 60_000, quantity: 0.003, timeInForce: "IOC" }));
      assert.deepEqual(seen.map(summary), [
        "order NEW NEW",
        "order TRADE PARTIALLY_FILLED",
        "account ORDER",
        "order EXPIRED EXPIRED",
      ]);
      // Taken: 60 × 0.05 percent.
      assert.equal(Number(fieldsOf(seen[1], "o")["n"]), 0.03);
      assert.deepEqual([fieldsOf(seen[3], "o")["z"], fieldsOf(seen[3], "o")["er"]], ["0.001", "2"]);
    });

    it("reports a new leverage", async () => {
      const seen = await eventsOf(() => bot.setLeverage(17));
      assert.deepEqual(
        seen.map(({ e, ac }) => [e, ac]),
        [["ACCOUNT_CONFIG_UPDATE", { s: "BTCUSDT", l: 17 }]],
      );
    });

    it("FUT-8: reports a conditional order from its placement to its end", async () => {
      const position = (await bot.position())?.quantity;
      assert.equal(position, 0.005);
      await other.limit({ side: "BUY", price: 59_400, quantity: 0.005 });
      let algoId = "";
      const seen = await eventsOf(async () => {
        algoId = await bot.conditional({
          type: "STOP_MARKET",
          side: "SELL",
          quantity: 0.005,
          trigger: 59_500,
          workingType: "MARK_PRICE",
        });
        await exchange.pinPrice("BTCUSDT", "59450");
      });
      await exchange.pinPrice("BTCUSDT", "60000");
      assert.deepEqual(
        seen.map(summary).filter((line) => line.startsWith("algo")),
        ["algo NEW", "algo TRIGGERING", "algo TRIGGERED", "algo FINISHED"],
      );
      assert.deepEqual(
        seen.map(summary).filter((line) => !line.startsWith("algo")),
        ["order NEW NEW", "order TRADE FILLED", "account ORDER"],
      );
      const finished = fieldsOf(
        seen.find((event) => summary(event) === "algo FINISHED"),
        "o",
      );
      const filled = fieldsOf(
        seen.find((event) => summary(event) === "order TRADE FILLED"),
        "o",
      );
      assert.deepEqual(
        [finished["aid"], finished["ai"], Number(finished["ap"]), finished["aq"], finished["tp"]],
        [Number(algoId), String(filled["i"]), 59_400, "0.005", "59500.0"],
      );
      // Bought 0.004 at 59,950 and 0.001 at 60,000.
      assert.deepEqual([Number(filled["rp"]), Number(filled["n"])], [-2.8, 0.1485]);
    });

    it("reports funding", async () => {
      await bot.limit({ side: "BUY", price: 60_000, quantity: 0.01 });
      await other.market("SELL", 0.01);
      const seen = await eventsOf(async () => {
        const { next_ms } = await bot.premium();
        // In two steps with a keep-alive between them, because a key is valid for an hour. One second longer than
        // needed.
        const half_ms = Math.ceil((next_ms - Date.now() + 1_000) / 2);
        await exchange.advanceClock(half_ms);
        await streams.keepAlive();
        await exchange.advanceClock(half_ms);
      });
      assert.deepEqual(seen.map(summary), ["account FUNDING_FEE"]);
      const { B } = fieldsOf(seen[0], "a") as { B: Fields[] };
      // 600 × 0.0000125
      assert.deepEqual([Number(B[0]?.["bc"]), Number(B[0]?.["wb"])], [-0.0075, await bot.balance()]);
    });

    it("FUT-9: warns before a liquidation, and reports it", async () => {
      const poor = await exchange.openTrader(60);
      const trader = await connectorBots.connect(exchange.baseUrl, poor);
      const client = await open(exchange.baseUrl, poor);
      opened.push(client);
      const seen = await followed(client, trader);
      const first = (line: string) =>
        waitFor(() => seen.find((event) => summary(event) === line), { what: `"${line}"` });
      await trader.setLeverage(20);
      const forced = await streams.follow("forceOrder");
      await trader.limit({ side: "BUY", price: 60_000, quantity: 0.01 });
      await other.market("SELL", 0.01);
      // 59.88 are left: liquidated at 54,557.57; the margin call comes at a maintenance margin of 80 percent of the
      // margin.
      await exchange.pinPrice("BTCUSDT", "54600");
      const { cw, p } = (await first("MARGIN_CALL")) as unknown as { cw: string; p: Fields[] };
      assert.deepEqual([Number(cw), p.length], [59.88, 1]);
      assert.deepEqual(
        [p[0]?.["s"], p[0]?.["pa"], Number(p[0]?.["mp"]), Number(p[0]?.["up"]), Number(p[0]?.["mm"])],
        ["BTCUSDT", "0.010", 54_600, -54, 5.46],
      );
      await other.limit({ side: "BUY", price: 54_400, quantity: 0.01 });
      await exchange.pinPrice("BTCUSDT", "54550");
      await first("account INSURANCE_CLEAR");
      const isForced = (event: StreamEvent) => String(fieldsOf(event, "o")["c"]).startsWith("autoclose-");
      const filled = fieldsOf(
        seen.find((event) => isForced(event) && fieldsOf(event, "o")["X"] === "FILLED"),
        "o",
      );
      assert.deepEqual(
        [filled["x"], filled["o"], filled["S"], filled["z"], Number(filled["ap"]), Number(filled["rp"])],
        ["CALCULATED", "LIQUIDATION", "SELL", "0.010", 54_400, -56],
      );
      const shown = await waitFor(() => forced.find(({ e }) => e === "forceOrder"), { what: "the public event" });
      const published = fieldsOf(shown, "o");
      assert.deepEqual(
        [published["s"], published["S"], published["q"], Number(published["ap"]), published["X"]],
        ["BTCUSDT", "SELL", "0.010", 54_400, "FILLED"],
      );
      await exchange.pinPrice("BTCUSDT", "60000");
    });

    it("says when its key has lapsed", async () => {
      await exchange.advanceClock(HOUR_ms + 1_000);
      const expired = await waitFor(() => events.find(({ e }) => e === "listenKeyExpired"), { what: "the end" });
      assert.match(String(expired["listenKey"]), /^[0-9a-f]{64}$/);
    });
  });
}
