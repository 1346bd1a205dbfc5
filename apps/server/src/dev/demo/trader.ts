import type { Random } from "../../kernel/random.ts";
import { quantityText } from "../../kernel/units.ts";
import type { Bot } from "./bot.ts";
import { FapiRefusal } from "./fapi-client.ts";
import { type DemoMarket, readIndexPrices, readMarkets, readPositions } from "./replies.ts";
import type { DemoWallet } from "./wallet.ts";

const MARKETS_STEPS = 60;
const FILL_UP_STEPS = 600;
/** The trader acts in about one of this many steps. */
const ONE_IN = 5;
const MIN_USDT = 20;
const MAX_USDT = 400;
/** Above this position the trader only reduces. */
const MAX_HELD_USDT = 5_000;
const E8 = 100_000_000;

/** Expected refusals: nothing to reduce, no money left, a market that has just closed. */
const LIVABLE = new Set([-1013, -1020, -2019, -2020, -2022, -2027, -4087, -4131]);

/** Takes small amounts in random directions. */
export class Trader implements Bot {
  readonly name: string;
  readonly #wallet: DemoWallet;
  readonly #random: Random;
  #markets: DemoMarket[] = [];
  #steps = 0;

  constructor(wallet: DemoWallet, random: Random) {
    this.name = wallet.label;
    this.#wallet = wallet;
    this.#random = random;
  }

  async step(): Promise<void> {
    const client = await this.#wallet.client();
    if (this.#steps % FILL_UP_STEPS === 0) await this.#wallet.fillUp();
    if (this.#steps % MARKETS_STEPS === 0) this.#markets = readMarkets(await client.read("/fapi/v1/exchangeInfo"));
    this.#steps += 1;
    if (this.#below(ONE_IN) > 0 || this.#markets.length === 0) return;
    const market = this.#markets[this.#below(this.#markets.length)]!;
    const { symbol } = market;
    const index_e8 = readIndexPrices(await client.read("/fapi/v1/premiumIndex", { symbol })).get(symbol);
    if (index_e8 === undefined) return;
    const held_e8 = readPositions(await client.signed("GET", "/fapi/v2/positionRisk", { symbol })).get(symbol) ?? 0;
    const isFull = Math.abs((held_e8 / E8) * (index_e8 / E8)) > MAX_HELD_USDT;
    const isBuy = isFull ? held_e8 < 0 : this.#below(2) === 0;
    const usdt = MIN_USDT + this.#below(MAX_USDT - MIN_USDT);
    const lots = Math.floor((usdt * E8) / ((index_e8 / E8) * market.lotSize_e8));
    if (lots === 0) return;
    await this.#take({
      symbol,
      side: isBuy ? "BUY" : "SELL",
      type: "MARKET",
      quantity: quantityText(market, lots),
      ...(isFull ? { reduceOnly: true } : {}),
    });
  }

  leave(): Promise<void> {
    return Promise.resolve();
  }

  async #take(order: Record<string, string | boolean>): Promise<void> {
    const client = await this.#wallet.client();
    try {
      await client.signed("POST", "/fapi/v1/order", order);
    } catch (error) {
      if (!(error instanceof FapiRefusal && LIVABLE.has(error.code))) throw error;
    }
  }

  #below(bound: number): number {
    return this.#random.bytes(4).readUInt32LE() % bound;
  }
}
