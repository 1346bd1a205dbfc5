import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type {
  AdlData,
  BalanceData,
  BonusData,
  ConditionalEvent,
  FapiInterval,
  MarkPriceData,
  OrderbookData,
  OrderEvent,
  OrderEventTrade,
  PositionData,
  PrivateChannel as PublishedPrivateChannel,
  PublicChannel as PublishedPublicChannel,
  StreamKline,
  StreamOrderStatus,
  StreamRequest,
  StreamTrade,
  TickerData,
  TierChange,
  TierData,
} from "@bourse/api";
import type { BonusState, CAUSES, TIER_CHANGES } from "@bourse/engine";
import type { Interval } from "../market-data/kline-series.ts";
import { BTC_TICKS } from "../market-data/testing.ts";
import { openedConditional } from "../orders/from-events.ts";
import type { ConditionalStatus } from "../orders/order.ts";
import type { Execution } from "../orders/order-facts.ts";
import type { PublicChannel } from "./own-channels.ts";
import { ownView } from "./own-views.ts";
import type { ADL_REASONS, BONUS_FACTS, PrivateChannel } from "./private-facts.ts";
import { StreamsForTests } from "./testing.ts";

/** Compiles only if both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** The names that the server uses equal those of the published types. */
const SAME_WORDS: readonly true[] = [
  true satisfies Same<PublishedPublicChannel, PublicChannel>,
  true satisfies Same<PublishedPrivateChannel, PrivateChannel>,
  true satisfies Same<FapiInterval, Interval>,
  true satisfies Same<OrderEvent["event"], Execution>,
  true satisfies Same<ConditionalEvent["status"], ConditionalStatus>,
  true satisfies Same<OrderEventTrade["cause"], (typeof CAUSES)[number]>,
  true satisfies Same<TierChange["kind"], (typeof TIER_CHANGES)[number]>,
  true satisfies Same<BonusData["kind"], (typeof BONUS_FACTS)[number] | "STATE">,
  true satisfies Same<BonusData["status"], BonusState>,
  true satisfies Same<AdlData["reason"], (typeof ADL_REASONS)[number]>,
  true satisfies Same<OrderEvent["status"], StreamOrderStatus>,
];

/** Every field of a published type by name; a missing or additional field does not compile. */
type Fields<Data> = { readonly [Name in keyof Required<Data>]: true };

const adl: Fields<AdlData> = {
  symbol: true,
  side: true,
  quantity: true,
  price: true,
  mark_price: true,
  index_price: true,
  reason: true,
  time: true,
};
const orderbook: Fields<OrderbookData> = { bids: true, asks: true, update_id: true, time: true };
const trade: Fields<StreamTrade> = { id: true, price: true, quantity: true, side: true, time: true };
const ticker: Fields<TickerData> = {
  last_price: true,
  open_price: true,
  high_price: true,
  low_price: true,
  price_change: true,
  price_change_percent: true,
  weighted_average_price: true,
  volume: true,
  quote_volume: true,
  trades: true,
  time: true,
};
const markprice: Fields<MarkPriceData> = {
  mark_price: true,
  index_price: true,
  funding_rate: true,
  next_funding_time: true,
  time: true,
};
const kline: Fields<StreamKline> = {
  open_time: true,
  close_time: true,
  open: true,
  high: true,
  low: true,
  close: true,
  volume: true,
  quote_volume: true,
  trades: true,
  is_closed: true,
};
const order: Fields<Omit<OrderEvent, "conditional_id">> = {
  order_id: true,
  client_order_id: true,
  symbol: true,
  side: true,
  type: true,
  original_type: true,
  time_in_force: true,
  price: true,
  quantity: true,
  executed_quantity: true,
  average_price: true,
  reduce_only: true,
  event: true,
  status: true,
  reason: true,
  created_at: true,
  time: true,
  trade: true,
};
const orderTrade: Fields<OrderEventTrade> = {
  id: true,
  price: true,
  quantity: true,
  fee: true,
  realized_pnl: true,
  is_maker: true,
  cause: true,
};
const conditional: Fields<Omit<ConditionalEvent, "activate_price" | "callback_rate">> = {
  conditional_id: true,
  client_order_id: true,
  symbol: true,
  side: true,
  type: true,
  time_in_force: true,
  stop_price: true,
  price: true,
  quantity: true,
  working_type: true,
  reduce_only: true,
  close_position: true,
  parent_order_id: true,
  order_id: true,
  status: true,
  reason: true,
  created_at: true,
  time: true,
};
const balance: Fields<BalanceData> = {
  asset: true,
  principal: true,
  bonus: true,
  isolated_margin: true,
  in_flight: true,
  margin_balance: true,
  unrealized_pnl: true,
  initial_margin: true,
  maintenance_margin: true,
  available: true,
  withdrawable: true,
  time: true,
};
const position: Fields<PositionData> = {
  symbol: true,
  side: true,
  quantity: true,
  entry_price: true,
  mark_price: true,
  notional: true,
  unrealized_pnl: true,
  leverage: true,
  margin_mode: true,
  isolated_margin: true,
  time: true,
};
const tier: Fields<TierData> = { tier: true, volume_14d: true };
const tierChange: Fields<TierChange> = { ...tier, event: true, kind: true, previous_tier: true, time: true };
const bonus: Fields<Omit<BonusData, "remaining_ms">> = {
  kind: true,
  amount: true,
  status: true,
  bonus: true,
  bonus_free: true,
  bonus_locked: true,
  bonus_consumed: true,
  expires_at: true,
  time: true,
};

function assertFields(data: unknown, fields: object): void {
  assert.ok(typeof data === "object" && data !== null);
  assert.deepEqual(Object.keys(data).toSorted(), Object.keys(fields).toSorted());
}

const first = (data: unknown) => {
  assert.ok(Array.isArray(data) && data.length > 0);
  return data[0] as unknown;
};

describe("FUT-19: what /ws sends is what the published types say", () => {
  const exchange = new StreamsForTests();
  const { market } = exchange;
  const symbol = "BTCUSDT";

  before(() => exchange.begin());
  after(() => exchange.end());

  it("uses the same words", () => assert.ok(SAME_WORDS.every((isSame) => isSame)));

  it("public channels", async () => {
    const [maker, taker, client] = [await market.trader(), await market.trader(), await exchange.connect("/ws")];
    await market.sell(maker, 5, { ticks: BTC_TICKS + 1 });
    await market.buy(taker, 1, { ticks: BTC_TICKS + 1 });
    const ask = async (request: StreamRequest) =>
      (await client.askOwn(request, { type: "snapshot" }))["data"] as unknown;
    const book = await ask({ type: "subscribe", channel: "orderbook", symbol });
    assertFields(book, orderbook);
    assert.equal((first((book as OrderbookData).asks) as unknown[]).length, 2);
    assertFields(first(await ask({ type: "subscribe", channel: "trades", symbol })), trade);
    assertFields(await ask({ type: "subscribe", channel: "ticker", symbol }), ticker);
    assertFields(await ask({ type: "subscribe", channel: "markprice", symbol }), markprice);
    assertFields(first(await ask({ type: "subscribe", channel: "kline", symbol, interval: "1m" })), kline);
    await market.buy(taker, 1, { ticks: BTC_TICKS + 1 });
    const update = await client.next({ type: "update", channel: "trades" });
    assertFields(first(update["data"]), trade);
    client.ws.close();
  });

  it("private channels", async () => {
    const [maker, account, client] = [await market.trader(), await market.trader(), await exchange.connect("/ws")];
    await client.askOwn({ type: "auth", token: `token-${account}` }, { type: "auth" });
    await market.sell(maker, 5, { ticks: BTC_TICKS + 1 });
    await market.buy(account, 1, { ticks: BTC_TICKS + 1 });
    await market.buy(account, 1, { ticks: BTC_TICKS - 3_000 });
    const ask = async (request: StreamRequest) =>
      (await client.askOwn(request, { type: "snapshot" }))["data"] as unknown;
    assertFields(first(await ask({ type: "subscribe", channel: "orders" })), order);
    assertFields(first(await ask({ type: "subscribe", channel: "positions" })), position);
    assertFields(await ask({ type: "subscribe", channel: "balances" }), balance);
    assertFields(await ask({ type: "subscribe", channel: "vip_tier" }), tier);
    assertFields(await ask({ type: "subscribe", channel: "bonus" }), bonus);

    await market.buy(account, 1, { ticks: BTC_TICKS + 1 });
    const opened = await client.next({ type: "update", channel: "orders" });
    assertFields(opened["data"], order);
    const filled = await client.next({ type: "update", channel: "orders" });
    assertFields(filled["data"]!["trade"], orderTrade);
    assertFields((await client.next({ type: "update", channel: "positions" }))["data"], position);
    assertFields((await client.next({ type: "update", channel: "balances" }))["data"], balance);
    client.ws.close();
  });

  it("what is rarely told", () => {
    const { markets } = market.engine.state;
    const time_ms = 1;
    const change = { change: "upgrade_immediate", tier: 1, previousTier: 0, volume14d_micros: 0, time_ms } as const;
    assertFields(ownView({ channel: "vip_tier", kind: "tier", ...change }, markets), tierChange);

    const money = { amount_micros: 0, bonus_micros: 0, locked_micros: 0, consumed_micros: 0, expires_ms: 5, time_ms };
    const warning = { channel: "bonus", kind: "bonus", line: "WARNING", state: "active", ...money } as const;
    assertFields(ownView(warning, markets), { ...bonus, remaining_ms: true });

    const prices = { ticks: BTC_TICKS, markTicks: BTC_TICKS, indexTicks: BTC_TICKS };
    const lots = { market: 0, side: 0, lots: 1, ...prices, reason: "fund_full", time_ms } as const;
    assertFields(ownView({ channel: "adl", kind: "adl", ...lots }, markets), adl);

    const event = {
      kind: "conditional_opened",
      ...{ conditional: 7, account: 1, market: 0, side: 0, type: 0, timeInForce: 0 },
      ...{ triggerTicks: BTC_TICKS, activateTicks: 0, ticks: 0, lots: 1, workingType: 0, isReduceOnly: 0 },
      ...{ isClosePosition: 0, isPriceProtected: 0, keepsId: 0, selfTradePrevention: 0, parent: 0, clientId: "" },
      ...{ goodTill_ms: 0, priceMatch: 0 },
    } as const;
    const told = (callback_bps: number) => {
      const order = openedConditional({ ...event, callback_bps }, time_ms);
      return ownView({ channel: "orders", kind: "conditional", order, time_ms }, markets);
    };
    assertFields(told(0), conditional);
    assertFields(told(100), { ...conditional, activate_price: true, callback_rate: true });
  });
});
