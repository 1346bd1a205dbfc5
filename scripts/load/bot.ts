import { Prng } from "../../packages/engine/src/book/testing/prng.ts";
import { crossingPrice, idlePrice, type LoadMarket, otherSide, quantity, restingPrice, type Side } from "./markets.ts";
import { type BotKey, RequestWriter } from "./signed-requests.ts";
import { BROKEN, type Kind, OK, type Tally } from "./tally.ts";

export interface BotPlan extends BotKey {
  readonly number: number;
  /** Whether everything that it receives is kept, to be compared with the exchange's records at the end. */
  readonly isAudited: boolean;
}

/** The percentage of each kind of request. */
export type Mix = Readonly<Partial<Record<Kind, number>>>;

export const MIXES = {
  /** The usual mix of bots. */
  hold: { rest: 40, cancel: 25, take: 18, reduce: 2, batch: 5, query: 10 },
  /** Shows which kinds pass an overloaded exchange. */
  probe: { rest: 34, cancel: 33, reduce: 33 },
} satisfies Record<string, Mix>;
export type MixName = keyof typeof MIXES;

export interface PreparedRequest {
  readonly kind: Kind;
  readonly text: string;
  onReply(status: number, body: string, tally: Tally): string;
}

const MAX_RESTING = 60;
const ORDERS_PER_BATCH = 5;
const SAMPLED_ORDERS = 20;
/** -1006 and -1007: the outcome is unknown. */
const UNKNOWN = new Set([BROKEN, "-1006", "-1007"]);

export const codeOf = (status: number, body: string): string =>
  status === 0 ? BROKEN : (/"code":(-?\d+)/.exec(body)?.[1] ?? `HTTP ${status}`);

/** An order with its client id. */
export interface NamedOrder {
  readonly market: number;
  readonly name: string;
  readonly orderId: number;
}

/** One account's program: it quotes, takes, cancels and queries, and remembers what it received. */
export class Bot {
  readonly plan: BotPlan;
  readonly writer: RequestWriter;
  /** Client ids of orders that were acknowledged or whose outcome is unknown, by market; only if it is audited. */
  readonly acknowledged: readonly Set<string>[];
  readonly unknown: readonly Set<string>[];
  /** Ids of trades from its stream, by market. */
  readonly streamedTrades: readonly Set<number>[];
  readonly sample: NamedOrder[] = [];
  readonly #markets: readonly LoadMarket[];
  readonly #prng: Prng;
  readonly #resting = new Map<string, number>();
  /** Signed quantities by symbol, as last received. */
  readonly #positions = new Map<string, number>();
  #lastName = 0;
  #placed = 0;
  #lastQuery = 0;

  constructor(plan: BotPlan, host: string, markets: readonly LoadMarket[]) {
    this.plan = plan;
    this.writer = new RequestWriter(host, plan);
    this.#markets = markets;
    this.#prng = new Prng(plan.number);
    this.acknowledged = markets.map(() => new Set<string>());
    this.unknown = markets.map(() => new Set<string>());
    this.streamedTrades = markets.map(() => new Set<number>());
  }

  next(mix: Mix): PreparedRequest {
    switch (this.#pick(mix)) {
      case "rest":
        return this.#rest();
      case "take":
        return this.#take();
      case "reduce":
        return this.#reduce();
      case "batch":
        return this.#batch();
      case "cancel":
        return this.#cancel();
      case "query":
        return this.#query();
    }
  }

  /** Five orders that match nothing and do not rest: work for the exchange that leaves nothing behind. */
  idleBatch(): string {
    const market = this.#prng.pick(this.#markets);
    const order = (side: Side) => ({
      symbol: market.symbol,
      side,
      type: "LIMIT",
      timeInForce: "IOC",
      quantity: quantity(market),
      price: idlePrice(market, side),
    });
    const orders = Array.from({ length: ORDERS_PER_BATCH }, () => order(this.#side()));
    return this.writer.signed("POST", "/fapi/v1/batchOrders", batchParameter(orders));
  }

  /** An event of its user stream. */
  receive(event: UserEvent): void {
    if (event.e !== "ORDER_TRADE_UPDATE" || event.o === undefined) return;
    const { s, c, x, X, t } = event.o;
    const market = this.#markets.findIndex(({ symbol }) => symbol === s);
    if (x === "TRADE") this.streamedTrades[market]!.add(t);
    if (X === "FILLED" || X === "CANCELED" || X === "EXPIRED") this.#resting.delete(c);
  }

  #pick(mix: Mix): Kind {
    let place = this.#prng.below(Object.values(mix).reduce((sum, share) => sum + share, 0));
    for (const [kind, share] of Object.entries(mix)) {
      if (place < share) return this.#possible(kind as Kind);
      place -= share;
    }
    throw new Error("a mix adds up to what it adds up to");
  }

  #possible(kind: Kind): Kind {
    if (kind === "cancel" && this.#resting.size === 0) return "rest";
    if ((kind === "rest" || kind === "batch") && this.#resting.size >= MAX_RESTING) return "cancel";
    if (kind === "reduce" && this.#positions.size === 0) return "query";
    return kind;
  }

  #rest(): PreparedRequest {
    const [at, market] = this.#market();
    const side = this.#side();
    const price = restingPrice(market, side, this.#prng);
    return this.#order(
      "rest",
      at,
      `side=${side}&type=LIMIT&timeInForce=GTC&quantity=${quantity(market)}&price=${price}`,
    );
  }

  #take(): PreparedRequest {
    const [at, market] = this.#market();
    const side = this.#side();
    const amount = `side=${side}&quantity=${quantity(market)}`;
    const isMarket = this.#prng.isIn(50);
    const rest = isMarket ? "type=MARKET" : `type=LIMIT&timeInForce=IOC&price=${crossingPrice(market, side)}`;
    return this.#order("take", at, `${amount}&${rest}`);
  }

  #reduce(): PreparedRequest {
    const [symbol, amount] = this.#prng.pick([...this.#positions]);
    const at = this.#markets.findIndex((each) => each.symbol === symbol);
    const market = this.#markets[at]!;
    const side = otherSide(amount > 0 ? "BUY" : "SELL");
    const price = crossingPrice(market, side);
    const what = `side=${side}&type=LIMIT&timeInForce=IOC&quantity=${quantity(market)}&price=${price}`;
    return this.#order("reduce", at, `${what}&reduceOnly=true`);
  }

  #order(kind: Kind, market: number, parameters: string): PreparedRequest {
    const name = this.#name();
    const symbol = this.#markets[market]!.symbol;
    const full = `symbol=${symbol}&${parameters}&newClientOrderId=${name}`;
    return {
      kind,
      text: this.writer.signed("POST", "/fapi/v1/order", full),
      onReply: (status, body, tally) => this.#onOrder(market, name, status, body, tally),
    };
  }

  #onOrder(market: number, name: string, status: number, body: string, tally: Tally): string {
    if (status !== 200) {
      const code = codeOf(status, body);
      if (this.plan.isAudited && UNKNOWN.has(code)) this.unknown[market]!.add(name);
      return code;
    }
    tally.orders += 1;
    this.#placed += 1;
    if (/"status":"(NEW|PARTIALLY_FILLED)"/.test(body)) this.#resting.set(name, market);
    if (this.plan.isAudited) this.acknowledged[market]!.add(name);
    else this.#keepSample({ market, name, orderId: Number(/"orderId":(\d+)/.exec(body)?.[1]) });
    return OK;
  }

  #batch(): PreparedRequest {
    const [at, market] = this.#market();
    const names = Array.from({ length: ORDERS_PER_BATCH }, () => this.#name());
    const orders = names.map((newClientOrderId) => {
      const side = this.#side();
      const price = restingPrice(market, side, this.#prng);
      const what = { type: "LIMIT", timeInForce: "GTC", quantity: quantity(market), price, newClientOrderId };
      return { symbol: market.symbol, side, ...what };
    });
    return {
      kind: "batch",
      text: this.writer.signed("POST", "/fapi/v1/batchOrders", batchParameter(orders)),
      onReply: (status, body, tally) => this.#onBatch(at, names, status, body, tally),
    };
  }

  #onBatch(market: number, names: readonly string[], status: number, body: string, tally: Tally): string {
    if (status !== 200) {
      const code = codeOf(status, body);
      if (this.plan.isAudited && UNKNOWN.has(code)) for (const name of names) this.unknown[market]!.add(name);
      return code;
    }
    // A refusal is at the index of its order.
    for (const [place, element] of (JSON.parse(body) as readonly object[]).entries()) {
      const text = JSON.stringify(element);
      const outcome = this.#onOrder(market, names[place]!, "orderId" in element ? 200 : 400, text, tally);
      if (outcome !== OK) tally.count("batch element", outcome, 1);
    }
    return OK;
  }

  #cancel(): PreparedRequest {
    const [name, market] = this.#resting.entries().next().value!;
    this.#resting.delete(name);
    const parameters = `symbol=${this.#markets[market]!.symbol}&origClientOrderId=${name}`;
    return {
      kind: "cancel",
      text: this.writer.signed("DELETE", "/fapi/v1/order", parameters),
      onReply: (status, body) => (status === 200 ? OK : codeOf(status, body)),
    };
  }

  #query(): PreparedRequest {
    const [, { symbol }] = this.#market();
    const looks: readonly (readonly [string, string])[] = [
      ["/fapi/v2/positionRisk", ""],
      ["/fapi/v1/openOrders", `symbol=${symbol}`],
      ["/fapi/v1/depth", `symbol=${symbol}&limit=20`],
      ["/fapi/v2/balance", ""],
    ];
    this.#lastQuery = this.#positions.size === 0 ? 0 : (this.#lastQuery + 1) % looks.length;
    const [path, parameters] = looks[this.#lastQuery]!;
    const isRisk = path.endsWith("positionRisk");
    return {
      kind: "query",
      text: path.endsWith("depth")
        ? this.writer.keyed("GET", `${path}?${parameters}`)
        : this.writer.signed("GET", path, parameters),
      onReply: (status, body) => {
        if (status !== 200) return codeOf(status, body);
        if (isRisk) this.#learnPositions(body);
        return OK;
      },
    };
  }

  #learnPositions(body: string): void {
    this.#positions.clear();
    for (const { symbol, positionAmt } of JSON.parse(body) as readonly { symbol: string; positionAmt: string }[]) {
      if (Number(positionAmt) !== 0) this.#positions.set(symbol, Number(positionAmt));
    }
  }

  /** Every order placed so far is in the sample with equal probability. */
  #keepSample(order: NamedOrder): void {
    if (this.sample.length < SAMPLED_ORDERS) {
      this.sample.push(order);
      return;
    }
    const place = this.#prng.below(this.#placed);
    if (place < SAMPLED_ORDERS) this.sample[place] = order;
  }

  #market(): readonly [number, LoadMarket] {
    const at = this.#prng.below(this.#markets.length);
    return [at, this.#markets[at]!];
  }

  #side(): Side {
    return this.#prng.pick(["BUY", "SELL"]);
  }

  #name(): string {
    this.#lastName += 1;
    return `load-${this.plan.number}-${this.#lastName}`;
  }
}

/** The parts of the user stream that a bot reads. */
export interface UserEvent {
  readonly e: string;
  readonly o?: {
    readonly s: string;
    readonly c: string;
    readonly x: string;
    readonly X: string;
    readonly t: number;
  };
}

const batchParameter = (orders: readonly object[]) => `batchOrders=${encodeURIComponent(JSON.stringify(orders))}`;
