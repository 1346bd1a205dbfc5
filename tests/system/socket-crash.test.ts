import assert from "node:assert/strict";
import { it } from "node:test";
import { quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { ConnectionLost, RequestSocket } from "../support/request-socket.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, limitOrder, type Order, pinPrices, TRADING_ENV, Trader } from "../support/traders.ts";

/** The long run has 10,000, with `SOCKET_CRASH_ORDERS`. */
const ORDERS = Number(process.env["SOCKET_CRASH_ORDERS"] ?? 200);
const KILLS = 3;
const IN_FLIGHT = 16;
/** Every so manieth order is left open, the others are cancelled. */
const LEFT_OPEN = 100;
const PAGE = 1000;
const [FIRST_PRICE, SECOND_PRICE] = ["59000", "58000"];
const NO_SUCH_ORDER = -2013;
/** The server says itself that it does not know the outcome. */
const UNKNOWN_OUTCOMES: readonly number[] = [-1006, -1007];

interface PricedOrder extends Order {
  readonly price: string;
}

const clientIdOf = (place: number) => `socket-${place}`;

class OutcomeUnknown extends Error {}

/** A bot that takes each of its orders through its whole life, over one socket at a time, whatever happens to the server. */
class Bot {
  readonly #trader: Trader;
  /** Requests with a reply, and those without. */
  replies = 0;
  lost = 0;
  #socket: RequestSocket | undefined;
  #nextPlace = 0;
  #begun: readonly number[] = [];

  constructor(trader: Trader) {
    this.#trader = trader;
  }

  get isDone(): boolean {
    return this.#nextPlace >= ORDERS && this.#begun.length === 0;
  }

  /** Works until everything is done or the connection is lost. */
  async work(baseUrl: string): Promise<void> {
    const socket = await RequestSocket.connect(baseUrl);
    this.#socket = socket;
    const unfinished = new Set(this.#begun);
    const queue = [...this.#begun];
    const worker = async () => {
      for (;;) {
        const again = queue.pop();
        const place = again ?? this.#take(unfinished);
        if (place === undefined) return;
        for (let isNew = again === undefined; unfinished.has(place); isNew = false) {
          if (await this.#live(place, isNew)) unfinished.delete(place);
        }
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, worker));
    this.#begun = [...unfinished];
    socket.assertEachAnsweredOnce();
    socket.close();
    for (const outcome of outcomes) {
      if (outcome.status === "rejected" && !(outcome.reason instanceof ConnectionLost)) throw outcome.reason;
    }
  }

  #take(unfinished: Set<number>): number | undefined {
    if (this.#nextPlace >= ORDERS) return undefined;
    const place = this.#nextPlace;
    this.#nextPlace += 1;
    unfinished.add(place);
    return place;
  }

  /** Finds out what is already done of an order, and does the rest; false if the outcome of a request is unknown. */
  async #live(place: number, isNew: boolean): Promise<boolean> {
    try {
      await this.#complete(place, isNew);
      return true;
    } catch (error) {
      if (error instanceof OutcomeUnknown) return false;
      throw error;
    }
  }

  async #complete(place: number, isNew: boolean): Promise<void> {
    const name = { symbol: "BTCUSDT", origClientOrderId: clientIdOf(place) };
    let order = isNew ? undefined : await this.#find(name);
    if (order === undefined) {
      const asked = limitOrder({ side: "BUY", price: FIRST_PRICE, newClientOrderId: clientIdOf(place) });
      order = await this.#done("order.place", asked);
    }
    if (order.status === "NEW" && Number(order.price) !== Number(SECOND_PRICE)) {
      const change = { ...name, side: "BUY", quantity: "0.002", price: SECOND_PRICE };
      order = await this.#done("order.modify", change);
    }
    if (order.status === "NEW" && place % LEFT_OPEN !== 0) await this.#done("order.cancel", name);
  }

  async #find(name: Readonly<Record<string, string>>): Promise<PricedOrder | undefined> {
    const { result, error } = await this.#ask("order.status", name);
    if (error === undefined) return result;
    assert.equal(error.code, NO_SUCH_ORDER, error.msg);
    return undefined;
  }

  async #done(method: string, parameters: Readonly<Record<string, string>>): Promise<PricedOrder> {
    const { result, error } = await this.#ask(method, parameters);
    assert.ok(result !== undefined, `${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async #ask(method: string, parameters: Readonly<Record<string, string>>) {
    assert.ok(this.#socket !== undefined);
    try {
      const reply = await this.#socket.ask<PricedOrder>(method, this.#trader.signed(parameters));
      this.replies += 1;
      if (UNKNOWN_OUTCOMES.includes(reply.error?.code ?? 0)) throw new OutcomeUnknown(reply.error?.msg);
      return reply;
    } catch (error) {
      if (error instanceof ConnectionLost) this.lost += 1;
      throw error;
    }
  }
}

/** All orders of the trader, page by page. */
async function allOrders(trader: Trader, baseUrl: string): Promise<PricedOrder[]> {
  const found: PricedOrder[] = [];
  for (let from = 1; ; ) {
    const query = { symbol: "BTCUSDT", limit: String(PAGE), orderId: String(from) };
    const page = await trader.call<PricedOrder[]>(baseUrl, "GET", "/fapi/v1/allOrders", query);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    from = last.orderId + 1;
  }
}

it("WSA-1: under kill -9 no order of a bot on a socket is lost or made twice, and each request is answered once or its outcome found", async (t) => {
  const dataDir = await makeTempDir(t);
  const env = { ...TRADING_ENV, ...(await quickDatabase(t)) };
  const start = (): Promise<RunningServer> => startServer({ owner: t, dataDir, env });
  let server = await start();
  await pinPrices(server.baseUrl);
  const trader = await Trader.open(server.baseUrl);
  const bot = new Bot(trader);
  // An order has three requests; the server dies when a part of them has been answered.
  const repliesPerKill = Math.floor((ORDERS * 3) / (KILLS + 1));
  for (let kills = 0; !bot.isDone; ) {
    const { baseUrl } = server;
    const working = bot.work(baseUrl);
    if (kills === KILLS) {
      await working;
      continue;
    }
    kills += 1;
    const until = kills * repliesPerKill;
    const killing = (async () => {
      while (bot.replies < until) await new Promise((resolve) => setImmediate(resolve));
      server.kill("SIGKILL");
    })();
    await Promise.all([working, killing]);
    await server.exited;
    server = await start();
    await pinPrices(server.baseUrl);
  }
  assert.ok(bot.lost > 0, "some requests were in flight when the server died");
  const orders = await allOrders(trader, server.baseUrl);
  const ids = orders.map(({ clientOrderId }) => clientOrderId);
  const expected = Array.from({ length: ORDERS }, (_, place) => clientIdOf(place));
  assert.deepEqual(ids.toSorted(), expected.toSorted());
  for (const { clientOrderId, status, price } of orders) {
    const place = Number(clientOrderId.slice(clientIdOf(0).length - 1));
    const isLeft = place % LEFT_OPEN === 0;
    assert.deepEqual([status, Number(price)], [isLeft ? "NEW" : "CANCELED", Number(SECOND_PRICE)], clientOrderId);
  }
  await assertInvariants(server.baseUrl);
  t.diagnostic(`${orders.length} orders, ${bot.replies} replies, ${bot.lost} requests without one`);
});

it("WSA-1: SIGTERM answers what was received over a socket, refuses the rest and closes with 1001", async (t) => {
  const server = await startServer({ owner: t, env: { ...TRADING_ENV, ...(await quickDatabase(t)) } });
  await pinPrices(server.baseUrl);
  const trader = await Trader.open(server.baseUrl);
  const socket = await RequestSocket.connect(server.baseUrl);
  let isOver = false;
  const acknowledged: Order[] = [];
  const flow = async () => {
    while (!isOver) {
      const asked = trader.signed(limitOrder({ side: "BUY", price: FIRST_PRICE, quantity: "0.001" }));
      const reply = await socket.ask<Order>("order.place", asked).catch((error: unknown) => {
        if (error instanceof ConnectionLost) return undefined;
        throw error;
      });
      if (reply?.result === undefined) {
        // A definite refusal, or the end of the connection with nothing in flight before it.
        if (reply !== undefined) assert.deepEqual([reply.status, reply.error?.code], [503, -1016]);
        return;
      }
      acknowledged.push(reply.result);
      if (acknowledged.length === 50) server.kill("SIGTERM");
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, flow));
  isOver = true;
  assert.equal((await socket.closed).code, 1001);
  assert.equal((await server.exited).code, 0);
  socket.assertEachAnsweredOnce();
  assert.ok(acknowledged.length >= 50);
});
