/** For tests: the few endpoints that the demo uses, in front of a real engine. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  BUY,
  type EngineEvent,
  GTX,
  IOC,
  LIMIT,
  lotsOfQuantity,
  MARKET,
  PLAIN_ORDER,
  SCOPE_ORDERS,
  SELL,
  ticksOfPrice,
  WIRE_CODES,
} from "@bourse/engine";
import type { Unstamped } from "../../../exchange/host/exchange.ts";
import { TestExchange } from "../../../exchange/prices/testing.ts";
import { moneyText, parseMoney, parseSize, priceText, quantityText } from "../../../kernel/units.ts";

type Query = Readonly<Record<string, string>>;

class Refused extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`refused with ${code}`);
    this.code = code;
  }
}

/** Answers the bots' requests on its own port. */
export class FakeExchange {
  readonly x = new TestExchange();
  /** All requests, as `METHOD path`. */
  readonly asked: string[] = [];
  readonly keys = new Map<string, { wallet: string; label: string; secret: string }>();
  readonly funded: [address: string, usdt: string][] = [];
  /** Replies for the next requests instead of the real ones. */
  readonly mishaps: { status: number; body: string; headers?: Record<string, string> }[] = [];
  baseUrl = "";
  readonly #accounts = new Map<string, number>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #external = 1_000_000;
  #keyNumber = 0;

  async open(): Promise<this> {
    await this.x.open();
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Replaces the identity's service. */
  readonly apiKeys = {
    create: async ({ wallet, label }: { wallet: string; label: string }) => {
      this.#keyNumber += 1;
      const api_key = `key-${this.#keyNumber}`;
      const api_secret = `secret-${this.#keyNumber}`;
      this.keys.set(api_key, { wallet, label, secret: api_secret });
      return { api_key, api_secret } as never;
    },
    list: async (wallet: string) =>
      [...this.keys].flatMap(([api_key, key]) => (key.wallet === wallet ? [{ api_key, ...key }] : [])) as never,
    revoke: async (_wallet: string, api_key: string) => {
      this.keys.delete(api_key);
    },
  };

  readonly fund = async (address: string, usdt: string): Promise<void> => {
    this.funded.push([address, usdt]);
    this.#external += 1;
    const amount_micros = parseMoney(usdt)!.value;
    const account = await this.#account(address);
    await this.x.submit({ kind: "deposit", account, number: this.#external, amount_micros });
  };

  async #account(wallet: string): Promise<number> {
    const known = this.#accounts.get(wallet);
    if (known !== undefined) return known;
    const account = this.x.exchange.engine.state.accounts.count + 1;
    this.#accounts.set(wallet, account);
    await this.x.submit({ kind: "open_account", account });
    return account;
  }

  /** The account of a key's wallet. */
  accountOf(label: string): number {
    const wallet = [...this.keys.values()].find((key) => key.label === label)?.wallet ?? "";
    return this.#accounts.get(wallet) ?? 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.baseUrl);
    const route = `${request.method} ${url.pathname}`;
    this.asked.push(route);
    const mishap = this.mishaps.shift();
    if (mishap !== undefined) {
      response.writeHead(mishap.status, mishap.headers).end(mishap.body);
      return;
    }
    try {
      const reply = await this.#handle(route, url, String(request.headers["x-mbx-apikey"] ?? ""));
      response.writeHead(200).end(JSON.stringify(reply));
    } catch (error) {
      const code = error instanceof Refused ? error.code : -1000;
      response.writeHead(code === -1000 ? 500 : 400).end(JSON.stringify({ code, msg: String(error) }));
    }
  }

  async #handle(route: string, url: URL, apiKey: string): Promise<unknown> {
    if (route === "GET /fapi/v1/exchangeInfo") return this.#exchangeInfo();
    if (route === "GET /fapi/v1/premiumIndex") return this.#premiumIndex(url.searchParams.get("symbol"));
    const key = this.keys.get(apiKey);
    const [signed, signature] = url.search.slice(1).split("&signature=");
    const isGood = key && createHmac("sha256", key.secret).update(signed!).digest("hex") === signature;
    if (!isGood || Number(url.searchParams.get("timestamp")) !== this.x.clock.now()) throw new Refused(-1022);
    const account = await this.#account(key.wallet);
    const query: Query = Object.fromEntries(url.searchParams);
    switch (route) {
      case "GET /fapi/v2/balance":
        return [{ asset: "USDT", balance: moneyText(this.x.principal(account)) }];
      case "GET /fapi/v2/positionRisk":
        return this.#positions(account);
      case "GET /fapi/v1/openOrders":
        return this.#openOrders(account);
      case "POST /fapi/v1/leverage":
        return this.#leverage(account, query);
      case "POST /fapi/v1/order":
        return this.#place(account, query);
      case "POST /fapi/v1/batchOrders":
        return this.#placeAll(account, JSON.parse(query["batchOrders"]!) as Query[]);
      case "PUT /fapi/v1/order":
        return this.#modify(account, query);
      case "DELETE /fapi/v1/order":
        return this.#do({
          kind: "cancel_order",
          account,
          order: Number(query["orderId"]),
          clientId: "",
          scope: SCOPE_ORDERS,
        });
      case "DELETE /fapi/v1/allOpenOrders":
        return this.#do({ kind: "cancel_all", account, market: this.#market(query).number, scope: SCOPE_ORDERS });
      default:
        throw new Refused(-1100);
    }
  }

  #exchangeInfo(): unknown {
    const symbols = this.x.exchange.engine.state.markets.map(({ definition, status }) => ({
      symbol: definition.symbol,
      status: status === 0 ? "TRADING" : "PENDING_TRADING",
      filters: [
        { filterType: "PRICE_FILTER", tickSize: priceText(definition, 1) },
        { filterType: "LOT_SIZE", stepSize: quantityText(definition, 1) },
      ],
    }));
    return { symbols };
  }

  #premiumIndex(symbol: string | null): unknown {
    const rows = this.x.exchange.engine.state.markets.map(({ definition, indexTicks }) => ({
      symbol: definition.symbol,
      indexPrice: priceText(definition, indexTicks),
    }));
    return symbol === null ? rows : rows.find((row) => row.symbol === symbol);
  }

  #positions(account: number): unknown {
    const { markets, positions } = this.x.exchange.engine.state;
    return markets.map(({ number, definition }) => {
      const position = positions.find(account, number);
      const lots = position <= 0 ? 0 : positions.lots(position);
      return { symbol: definition.symbol, positionAmt: quantityText(definition, lots) };
    });
  }

  /** The orders of an account, with side and price, best first. */
  #openOrders(account: number): { orderId: number; symbol: string; side: string; price: string }[] {
    const { markets, pool } = this.x.exchange.engine.state;
    const orders: { orderId: number; symbol: string; side: string; price: string }[] = [];
    for (const { book, definition } of markets) {
      book.forEachResting((slot) => {
        if (pool.account(slot) !== account) return;
        const side = pool.side(slot) === BUY ? "BUY" : "SELL";
        const price = priceText(definition, pool.ticks(slot));
        orders.push({ orderId: pool.id(slot), symbol: definition.symbol, side, price });
      });
    }
    return orders;
  }

  #market(query: Query) {
    return this.x.market(query["symbol"] ?? "");
  }

  async #do(command: Unstamped): Promise<readonly EngineEvent[]> {
    const { events } = await this.x.exchange.submit(command);
    const refusal = events.find((event) => event.kind === "refused");
    if (refusal !== undefined) throw new Refused(WIRE_CODES[refusal.reason]);
    return events;
  }

  #leverage(account: number, query: Query): Promise<unknown> {
    const { number } = this.#market(query);
    return this.#do({ kind: "set_leverage", account, market: number, leverage: Number(query["leverage"]) });
  }

  async #placeAll(account: number, orders: readonly Query[]): Promise<unknown[]> {
    if (orders.length > 5) throw new Refused(-1130);
    const replies: unknown[] = [];
    for (const order of orders) {
      replies.push(
        await this.#place(account, order).catch((error: Refused) => ({ code: error.code, msg: error.message })),
      );
    }
    return replies;
  }

  async #place(account: number, query: Query): Promise<unknown> {
    const { number, definition } = this.#market(query);
    const isMarket = query["type"] === "MARKET";
    const events = await this.#do({
      ...PLAIN_ORDER,
      account,
      market: number,
      side: query["side"] === "BUY" ? BUY : SELL,
      type: isMarket ? MARKET : LIMIT,
      timeInForce: isMarket ? IOC : GTX,
      ticks: isMarket ? 0 : ticksOfPrice(definition, parseSize(query["price"]!)!.value),
      lots: lotsOfQuantity(definition, parseSize(query["quantity"]!)!.value),
      isReduceOnly: query["reduceOnly"] === "true",
    });
    return { orderId: events.find((event) => event.kind === "order_opened")!.order };
  }

  #modify(account: number, query: Query): Promise<unknown> {
    const { definition } = this.#market(query);
    return this.#do({
      kind: "modify_order",
      account,
      order: Number(query["orderId"]),
      clientId: "",
      side: query["side"] === "BUY" ? BUY : SELL,
      ticks: ticksOfPrice(definition, parseSize(query["price"]!)!.value),
      lots: lotsOfQuantity(definition, parseSize(query["quantity"]!)!.value),
    });
  }
}
