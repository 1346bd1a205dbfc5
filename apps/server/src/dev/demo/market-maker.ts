import type { Random } from "../../kernel/random.ts";
import { priceText, quantityText } from "../../kernel/units.ts";
import type { Bot } from "./bot.ts";
import { type FapiClient, FapiRefusal } from "./fapi-client.ts";
import { LEVELS, ladderOf, type Quote } from "./ladder.ts";
import {
  type DemoMarket,
  readIndexPrices,
  readMarkets,
  readOpenOrders,
  readPlaced,
  readPositions,
  rowsOf,
} from "./replies.ts";
import type { DemoWallet } from "./wallet.ts";

/** The number of steps between two reads of the real orders and positions. */
const RECONCILE_STEPS = 10;
const FILL_UP_STEPS = 600;
const ORDERS_PER_BATCH = 5;
/** The maximum number of orders per step over all markets: within the limits of an ordinary key (SEC-10). */
const MAX_PLACED = 40;
const MAX_MOVED = 12;
/** The inventory of a market from which the maker stops quoting the side that increases it. */
const MAX_HELD_USDT = 100_000;
/** At this leverage the smaller markets' brackets allow everything that is quoted (FUT-10). */
const LEVERAGE = 2;
const E8 = 100_000_000;

/** Refusals that mean that the order no longer exists. */
const GONE = new Set([-2011, -2013]);
/** Temporary refusals: the book has moved, or nothing is to be done. */
const HARMLESS = new Set([-2010, -5022, -5027]);
/** Refusals after which an order should be cancelled: filters, bands, margin, a closed market. */
const STUCK = new Set([-1013, -1020, -2019, -2022, -2027, -4016, -4024, -4087, -4131]);
/** If the index moves by this much at once, all orders are replaced instead of moved one by one. */
const LEAP = 0.005;

interface Standing {
  readonly orderId: number;
  ticks: number;
  readonly lots: number;
}

/** The maker's state of one market: its order for each quote, by side and level. */
interface Desk {
  readonly market: DemoMarket;
  readonly sizes: readonly number[];
  readonly standing: Map<string, Standing>;
  inventory: number;
  index_e8: number;
  hasRisen: boolean;
}

const slotOf = ({ side, level }: Quote) => `${side} ${level}`;

/** Quotes 18 levels on each side of the index of every market, through the public interface. */
export class MarketMaker implements Bot {
  readonly name = "the demo market maker";
  readonly #wallet: DemoWallet;
  readonly #random: Random;
  readonly #desks = new Map<string, Desk>();
  #steps = 0;

  constructor(wallet: DemoWallet, random: Random) {
    this.#wallet = wallet;
    this.#random = random;
  }

  async step(): Promise<void> {
    const client = await this.#wallet.client();
    if (this.#steps % FILL_UP_STEPS === 0) await this.#wallet.fillUp();
    if (this.#steps % RECONCILE_STEPS === 0) await this.#reconcile(client);
    this.#steps += 1;
    const prices = readIndexPrices(await client.read("/fapi/v1/premiumIndex"));
    const moves: { desk: Desk; quote: Quote; from: Standing }[] = [];
    const gaps: { desk: Desk; quote: Quote }[] = [];
    for (const desk of this.#desks.values()) {
      const index_e8 = prices.get(desk.market.symbol);
      if (index_e8 === undefined) continue;
      if (Math.abs(index_e8 - desk.index_e8) > LEAP * desk.index_e8) await this.#clear(client, desk);
      desk.hasRisen = index_e8 > desk.index_e8;
      desk.index_e8 = index_e8;
      for (const quote of wishes(desk)) {
        const from = desk.standing.get(slotOf(quote));
        if (from === undefined) gaps.push({ desk, quote });
        else if (Math.abs(from.ticks - quote.ticks) > quote.toleranceTicks) moves.push({ desk, quote, from });
      }
    }
    // Those nearest to the index first, in all markets, because they are the most likely to trade.
    moves.sort((a, b) => a.quote.level - b.quote.level);
    gaps.sort((a, b) => a.quote.level - b.quote.level);
    for (const { desk, quote, from } of moves.slice(0, MAX_MOVED)) await this.#move(client, desk, quote, from);
    await this.#place(client, gaps.slice(0, MAX_PLACED));
  }

  async leave(): Promise<void> {
    if (this.#desks.size === 0) return;
    const client = await this.#wallet.client();
    const desks = [...this.#desks.values()];
    this.#desks.clear();
    await Promise.all(desks.map((desk) => this.#clear(client, desk)));
  }

  /** The exchange's state replaces the maker's memory. */
  async #reconcile(client: FapiClient): Promise<void> {
    const markets = readMarkets(await client.read("/fapi/v1/exchangeInfo"));
    for (const market of markets) if (!this.#desks.has(market.symbol)) await this.#openDesk(client, market);
    const tradable = new Set(markets.map(({ symbol }) => symbol));
    for (const symbol of this.#desks.keys()) if (!tradable.has(symbol)) this.#desks.delete(symbol);
    const open = readOpenOrders(await client.signed("GET", "/fapi/v1/openOrders"));
    const ids = new Set(open.map(({ orderId }) => orderId));
    const positions = readPositions(await client.signed("GET", "/fapi/v2/positionRisk"));
    for (const desk of this.#desks.values()) {
      for (const [slot, { orderId }] of desk.standing) if (!ids.has(orderId)) desk.standing.delete(slot);
      const held_e8 = positions.get(desk.market.symbol) ?? 0;
      desk.inventory = ((held_e8 / E8) * (desk.index_e8 / E8)) / MAX_HELD_USDT;
      await this.#withdraw(client, desk);
    }
  }

  async #openDesk(client: FapiClient, market: DemoMarket): Promise<void> {
    const sizes = Array.from(this.#random.bytes(LEVELS), (byte) => 0.75 + byte / 512);
    const desk = { market, sizes, standing: new Map(), inventory: 0, index_e8: 0, hasRisen: false };
    // Orders from before a restart, whose quotes are unknown.
    await this.#clear(client, desk);
    await client.signed("POST", "/fapi/v1/leverage", { symbol: market.symbol, leverage: LEVERAGE });
    this.#desks.set(market.symbol, desk);
  }

  async #clear(client: FapiClient, { market, standing }: Desk): Promise<void> {
    standing.clear();
    await client.signed("DELETE", "/fapi/v1/allOpenOrders", { symbol: market.symbol });
  }

  /** Cancels orders that are no longer wanted: those of a side that would increase too large a position. */
  async #withdraw(client: FapiClient, desk: Desk): Promise<void> {
    if (desk.index_e8 === 0) return;
    const wished = new Set(wishes(desk).map(slotOf));
    for (const slot of desk.standing.keys()) if (!wished.has(slot)) await this.#cancel(client, desk, slot);
  }

  async #cancel(client: FapiClient, { market, standing }: Desk, slot: string): Promise<void> {
    const order = standing.get(slot);
    standing.delete(slot);
    if (order === undefined) return;
    await tolerate(client.signed("DELETE", "/fapi/v1/order", { symbol: market.symbol, orderId: order.orderId }));
  }

  async #move(client: FapiClient, desk: Desk, quote: Quote, from: Standing): Promise<void> {
    const code = await tolerate(
      client.signed("PUT", "/fapi/v1/order", {
        symbol: desk.market.symbol,
        side: quote.side,
        orderId: from.orderId,
        price: priceText(desk.market, quote.ticks),
        quantity: quantityText(desk.market, from.lots),
      }),
    );
    if (code === 0) from.ticks = quote.ticks;
    else if (GONE.has(code)) desk.standing.delete(slotOf(quote));
    else if (STUCK.has(code)) await this.#cancel(client, desk, slotOf(quote));
  }

  async #place(client: FapiClient, gaps: readonly { desk: Desk; quote: Quote }[]): Promise<void> {
    for (let first = 0; first < gaps.length; first += ORDERS_PER_BATCH) {
      const batch = gaps.slice(first, first + ORDERS_PER_BATCH);
      const batchOrders = JSON.stringify(batch.map(({ desk, quote }) => orderOf(desk.market, quote)));
      const reply = rowsOf(await client.signed("POST", "/fapi/v1/batchOrders", { batchOrders }));
      for (const [place, { desk, quote }] of batch.entries()) {
        const placed = readPlaced(reply[place]);
        if ("orderId" in placed) {
          desk.standing.set(slotOf(quote), { orderId: placed.orderId, ticks: quote.ticks, lots: quote.lots });
        }
      }
    }
  }
}

/** 0 for success, or the code of an expected refusal; throws anything else. */
async function tolerate(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 0;
  } catch (error) {
    if (error instanceof FapiRefusal && [GONE, HARMLESS, STUCK].some((set) => set.has(error.code))) return error.code;
    throw error;
  }
}

/** The side that the price has left comes first: the other one would trade against it. */
function wishes({ market, index_e8, inventory, sizes, hasRisen }: Desk): Quote[] {
  const quotes = ladderOf({ market, index_e8, inventory, sizes });
  return hasRisen ? quotes.reverse().sort((a, b) => a.level - b.level) : quotes;
}

function orderOf(market: DemoMarket, { side, ticks, lots }: Quote) {
  return {
    symbol: market.symbol,
    side,
    type: "LIMIT",
    timeInForce: "GTX",
    price: priceText(market, ticks),
    quantity: quantityText(market, lots),
  };
}
