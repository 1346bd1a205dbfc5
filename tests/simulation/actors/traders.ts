import { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import type { Client } from "../ground/client.ts";
import { isUnknown } from "../ground/client.ts";
import type { Person } from "../ground/person.ts";
import type { Notes, OrderNote } from "../notes.ts";
import { MARKETS, type MarketInfo, marketOf, priceText, quantityText } from "./markets.ts";

/** How a person trades. */
export interface Style {
  /** The usual value of an order in USDT. */
  readonly value: number;
  /** Places resting orders instead of taking. */
  readonly isMaker: boolean;
  readonly symbols: readonly string[];
  /** The leverage set at the beginning; the platform's default without it. */
  readonly leverage?: number;
  /** The probability that a market order buys; a half by default. */
  readonly buys?: number;
  /** How often the person acts, as a multiple of the others. */
  readonly turns?: number;
}

interface OrderReply {
  readonly orderId?: number;
  readonly clientOrderId?: string;
  readonly status?: string;
  readonly code?: number;
  readonly msg?: string;
}

interface PlacedReply {
  readonly id?: number;
  readonly code?: string;
}

interface OpenOrder {
  readonly orderId: number;
  readonly symbol: string;
  readonly clientOrderId: string;
  readonly type: string;
  readonly side: string;
}

type Fields = Record<string, string>;

/** Everybody who trades, and the prices that they see. */
export class TradingFloor {
  readonly prices = new Map<string, number>(MARKETS.map(({ symbol, home }) => [symbol, home]));
  readonly #seed: string;
  readonly #client: Client;
  readonly #notes: Notes;
  readonly #dice = new Map<Person, Dice>();
  readonly #styles: ReadonlyMap<Person, Style>;
  #orders = 0;

  constructor(seed: string, client: Client, notes: Notes, styles: ReadonlyMap<Person, Style>) {
    this.#seed = seed;
    this.#client = client;
    this.#notes = notes;
    this.#styles = styles;
  }

  /** One action of this person. */
  async act(person: Person): Promise<void> {
    const dice = this.#diceOf(person);
    const style = this.#styles.get(person)!;
    const market = marketOf(style.symbols[dice.whole(0, style.symbols.length - 1)]!);
    const act = dice.pick<() => Promise<void>>([
      [style.isMaker ? 30 : 12, () => this.#limit(person, dice, market, style)],
      [style.isMaker ? 4 : 22, () => this.#market(person, dice, market, style)],
      [3, () => this.#close(person, market)],
      [style.isMaker ? 4 : 2, () => this.#cancelOne(person, dice, market)],
      [1, () => this.#cancelAll(person, market)],
      [3, () => this.#stop(person, dice, market, style)],
      [3, () => this.#withTargets(person, dice, market, style)],
      [2, () => this.#batch(person, dice, market, style)],
      [2, () => this.#modify(person, dice, market)],
      [1, () => this.#leverage(person, dice, market)],
    ]);
    await act();
  }

  /** Sets a person's initial leverage. */
  async begin(person: Person): Promise<void> {
    const { leverage, symbols } = this.#styles.get(person)!;
    if (leverage === undefined) return;
    for (const symbol of symbols) {
      await person.bot("POST", "/fapi/v1/leverage", { symbol, leverage: String(leverage) });
    }
  }

  /** FUT-13: sets a price; what it triggers or liquidates is done with the reply. */
  async setPrice(symbol: string, price: number): Promise<void> {
    const text = priceText(marketOf(symbol), price);
    this.prices.set(symbol, Number(text));
    this.#notes.count("price");
    await this.#client.post("/api/v1/dev/price", { symbol, price: text });
  }

  async setAllPrices(): Promise<void> {
    for (const [symbol, price] of this.prices) await this.setPrice(symbol, price);
  }

  /** Queries orders whose outcome is unknown. */
  async resolve(): Promise<void> {
    for (const note of this.#notes.orders.values()) {
      if (note.knowledge !== "unknown") continue;
      const { status, body } = await note.person.bot<OrderReply>("GET", "/fapi/v1/order", {
        symbol: note.symbol,
        origClientOrderId: note.clientId,
      });
      if (status === 200) acknowledge(note, body.orderId!);
      else if (body.code === -2013) note.knowledge = "never";
      else throw new Error(`asking for ${note.clientId}: ${status} ${JSON.stringify(body)}`);
    }
  }

  #diceOf(person: Person): Dice {
    let dice = this.#dice.get(person);
    if (dice === undefined) {
      dice = new Dice(`${this.#seed} trader ${person.name}`);
      this.#dice.set(person, dice);
    }
    return dice;
  }

  async #limit(person: Person, dice: Dice, market: MarketInfo, style: Style): Promise<void> {
    const timeInForce = dice.pick<string>([
      [style.isMaker ? 8 : 4, "GTC"],
      [style.isMaker ? 1 : 3, "IOC"],
      [1, "FOK"],
      [style.isMaker ? 4 : 1, "GTX"],
    ]);
    await this.#place(person, { ...this.#limitFields(dice, market, style), timeInForce });
  }

  #limitFields(dice: Dice, market: MarketInfo, style: Style): Fields {
    const side = dice.chance(0.5) ? "BUY" : "SELL";
    const distance = style.isMaker ? dice.whole(-2, 40) : dice.whole(-15, 25);
    const away = (distance / 10_000) * (side === "BUY" ? -1 : 1);
    const price = this.prices.get(market.symbol)!;
    return {
      symbol: market.symbol,
      side,
      type: "LIMIT",
      price: priceText(market, price * (1 + away)),
      quantity: this.#quantity(dice, market, style),
    };
  }

  async #market(person: Person, dice: Dice, market: MarketInfo, style: Style): Promise<void> {
    const side = dice.chance(style.buys ?? 0.5) ? "BUY" : "SELL";
    const quantity = this.#quantity(dice, market, style);
    await this.#place(person, { symbol: market.symbol, side, type: "MARKET", quantity });
  }

  #quantity(dice: Dice, market: MarketInfo, { value }: Style): string {
    const amount = (value * dice.whole(20, 300)) / 100;
    return quantityText(market, amount / this.prices.get(market.symbol)!);
  }

  /** Closes a position at the market. */
  async #close(person: Person, { symbol }: MarketInfo): Promise<void> {
    this.#notes.count("close");
    const risks = await person.bot<{ symbol: string; positionAmt: string }[]>("GET", "/fapi/v2/positionRisk", {
      symbol,
    });
    const held = risks.body[0]?.positionAmt ?? "0";
    if (Number(held) === 0) return;
    const side = held.startsWith("-") ? "BUY" : "SELL";
    await this.#place(person, { symbol, side, type: "MARKET", quantity: held.replace("-", ""), reduceOnly: "true" });
  }

  async #stop(person: Person, dice: Dice, market: MarketInfo, style: Style): Promise<void> {
    const side = dice.chance(0.5) ? "BUY" : "SELL";
    const away = (dice.whole(20, 150) / 10_000) * (side === "BUY" ? 1 : -1);
    const stopPrice = priceText(market, this.prices.get(market.symbol)! * (1 + away));
    const workingType = dice.chance(0.5) ? "MARK_PRICE" : "CONTRACT_PRICE";
    const quantity = this.#quantity(dice, market, style);
    await this.#place(person, { symbol: market.symbol, side, type: "STOP_MARKET", stopPrice, workingType, quantity });
  }

  async #batch(person: Person, dice: Dice, market: MarketInfo, style: Style): Promise<void> {
    this.#notes.count("batch");
    const notes = Array.from({ length: dice.whole(2, 5) }, () => this.#note(person, market.symbol));
    const orders = notes.map(({ clientId }) => ({
      ...this.#limitFields(dice, market, style),
      timeInForce: "GTC",
      newClientOrderId: clientId,
    }));
    try {
      const { status, body } = await person.bot<OrderReply[]>("POST", "/fapi/v1/batchOrders", {
        batchOrders: JSON.stringify(orders),
      });
      for (const [place, note] of notes.entries()) settle(note, status, status === 200 ? body[place]! : {});
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  async #withTargets(person: Person, dice: Dice, market: MarketInfo, style: Style): Promise<void> {
    this.#notes.count("order with targets");
    const price = this.prices.get(market.symbol)!;
    const isBuy = dice.chance(0.5);
    const target = (away: number) => ({ trigger_price: priceText(market, price * (1 + (isBuy ? away : -away))) });
    const note = this.#note(person, market.symbol);
    const order = {
      symbol: market.symbol,
      side: isBuy ? "BUY" : "SELL",
      type: "MARKET",
      quantity: this.#quantity(dice, market, style),
      client_order_id: note.clientId,
      take_profit: target(dice.whole(50, 200) / 10_000),
      stop_loss: target(-dice.whole(50, 200) / 10_000),
    };
    try {
      const { status, body } = await person.ask<PlacedReply>("POST", "/orders", order);
      if (status === 200) acknowledge(note, body.id!);
      else note.knowledge = "refused";
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  async #cancelOne(person: Person, dice: Dice, { symbol }: MarketInfo): Promise<void> {
    this.#notes.count("cancel");
    const open = await this.#open(person, symbol);
    if (open.length === 0) return;
    const { orderId } = open[dice.whole(0, open.length - 1)]!;
    await ignoringUnknown(person.bot("DELETE", "/fapi/v1/order", { symbol, orderId: String(orderId) }));
  }

  async #cancelAll(person: Person, { symbol }: MarketInfo): Promise<void> {
    this.#notes.count("cancel all");
    await ignoringUnknown(person.bot("DELETE", "/fapi/v1/allOpenOrders", { symbol }));
  }

  async #modify(person: Person, dice: Dice, market: MarketInfo): Promise<void> {
    this.#notes.count("modify");
    const limits = (await this.#open(person, market.symbol)).filter(({ type }) => type === "LIMIT");
    if (limits.length === 0) return;
    const { orderId, side } = limits[dice.whole(0, limits.length - 1)]!;
    const away = (dice.whole(0, 40) / 10_000) * (side === "BUY" ? -1 : 1);
    const price = this.prices.get(market.symbol)! * (1 + away);
    const fields = {
      symbol: market.symbol,
      orderId: String(orderId),
      side,
      price: priceText(market, price),
      quantity: quantityText(market, (50 * dice.whole(20, 300)) / 100 / price),
    };
    await ignoringUnknown(person.bot("PUT", "/fapi/v1/order", fields));
  }

  async #leverage(person: Person, dice: Dice, { symbol }: MarketInfo): Promise<void> {
    this.#notes.count("leverage");
    const leverage = String(dice.whole(2, 20));
    await ignoringUnknown(person.bot("POST", "/fapi/v1/leverage", { symbol, leverage }));
  }

  async #open(person: Person, symbol: string): Promise<OpenOrder[]> {
    const { status, body } = await person.bot<OpenOrder[]>("GET", "/fapi/v1/openOrders", { symbol });
    return status === 200 ? body : [];
  }

  async #place(person: Person, fields: Fields): Promise<void> {
    this.#notes.count(`${fields["type"]} order`);
    const note = this.#note(person, fields["symbol"]!);
    try {
      const parameters = { ...fields, newClientOrderId: note.clientId };
      const { status, body } = await person.bot<OrderReply>("POST", "/fapi/v1/order", parameters);
      settle(note, status, body);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  #note(person: Person, symbol: string): OrderNote {
    this.#orders += 1;
    const clientId = `${person.name}-${this.#orders}`;
    const note: OrderNote = {
      person,
      symbol,
      clientId,
      sent_ms: this.#client.now_ms,
      knowledge: "unknown",
      orderId: undefined,
    };
    this.#notes.orders.set(clientId, note);
    return note;
  }
}

function acknowledge(note: OrderNote, orderId: number): void {
  note.knowledge = "acknowledged";
  note.orderId = orderId;
}

function settle(note: OrderNote, status: number, body: OrderReply): void {
  if (status === 200 && body.orderId !== undefined) acknowledge(note, body.orderId);
  else note.knowledge = "refused";
}

/** Cancels and changes may stay unknown: their outcome is read from the lists. */
async function ignoringUnknown(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
}
