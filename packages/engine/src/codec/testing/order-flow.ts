import { GTC, IOC, STP_EXPIRE_MAKER, STP_NONE } from "../../book/codes.ts";
import { Prng } from "../../book/testing/prng.ts";
import {
  CONTRACT_PRICE,
  CROSS,
  HALTED,
  ISOLATED,
  LIMIT,
  MARK_PRICE,
  MARKET,
  type MarketStatus,
  NO_MARKET,
  REDUCE_ONLY,
  SCOPE_BOTH,
  SCOPE_ORDERS,
  type SelfTradePrevention,
  STOP,
  TAKE_PROFIT,
  type TimeInForce,
  TRADING,
  TRAILING_STOP,
} from "../../contract/codes.ts";
import type { AttachedTrigger, Command } from "../../contract/commands.ts";
import { FIRST_MARKETS } from "../../rules/market.ts";
import { BUY, type Side } from "../../side.ts";
import type { MarketState } from "../../state/market-state.ts";
import type { State } from "../../state/state.ts";

export interface FlowOptions {
  readonly accounts: number;
  readonly markets: number;
}

const START_ms = Date.UTC(2026, 0, 1);
const HOUR_ms = 3_600_000;
const DAY_ms = 24 * HOUR_ms;
const START_PRICES_usdt = [60_000, 3_000, 150, 30];
const ONE_usdt = 1_000_000;
/** These accounts trade enough to reach other fee tiers. */
const RICH_ACCOUNTS = 4;

/**
 * Seeded order flow that covers the whole engine: the same seed and the same engine give the same commands. It reads
 * the engine's state to name existing orders, so each command has to be applied before the next is made.
 */
export class OrderFlow {
  readonly #prng: Prng;
  readonly #state: State;
  readonly #options: FlowOptions;
  #time_ms = START_ms;
  #number = 0;
  #started = 0;

  constructor(seed: number, state: State, options: FlowOptions = { accounts: 40, markets: 3 }) {
    this.#prng = new Prng(seed);
    this.#state = state;
    this.#options = options;
  }

  next(): Command {
    const opening = this.#nextOpening();
    if (opening !== null) return opening;
    const prng = this.#prng;
    // Occasional quiet hours, so that midnights pass, bonuses expire and volumes leave the window.
    this.#time_ms += prng.isIn(1) ? prng.between(HOUR_ms, 10 * HOUR_ms) : prng.below(2_000);
    const closed = this.#state.markets.find((market) => market.status !== TRADING);
    if (closed !== undefined && prng.isIn(4)) return this.#setStatus(closed.number, TRADING);
    const dice = prng.below(1000);
    if (dice < 560) return this.#placeOrder();
    if (dice < 700) return this.#cancelOrModify();
    if (dice < 760) return this.#placeConditional();
    if (dice < 900) return this.#setPrice(this.#market());
    if (dice < 940) return this.#settings();
    if (dice < 985) return this.#fromOutside();
    return this.#rare();
  }

  /** First markets with a price, then the fund, then accounts with money. */
  #nextOpening(): Command | null {
    const { accounts, markets } = this.#options;
    const step = this.#started;
    this.#started += 1;
    const time_ms = this.#time_ms;
    const market = step >> 1;
    if (market < markets) {
      if (step % 2 === 0) return { kind: "add_market", time_ms, definition: FIRST_MARKETS[market]! };
      const ticks = startTicks(market);
      return { kind: "set_price", time_ms, market, indexTicks: ticks, markTicks: ticks };
    }
    if (step === markets * 2) {
      return { kind: "seed_fund", time_ms, number: this.#nextNumber(), amount_micros: 20_000 * ONE_usdt };
    }
    const account = (step - markets * 2 + 1) >> 1;
    if (account > accounts) return null;
    if (step % 2 === 1) return { kind: "open_account", time_ms, account };
    const max_usdt = account <= RICH_ACCOUNTS ? 3_000_000 : 20_000;
    const amount_micros = this.#prng.between(max_usdt / 100, max_usdt) * ONE_usdt;
    return { kind: "deposit", time_ms, number: this.#nextNumber(), account, amount_micros };
  }

  #placeOrder(): Command {
    const prng = this.#prng;
    const market = this.#market();
    const account = this.#account();
    const side = prng.below(2) as Side;
    const type = prng.isIn(20) ? MARKET : LIMIT;
    const isReduceOnly = prng.isIn(15);
    const ticks = type === MARKET ? 0 : this.#ticksNear(market, side, 150);
    const isQuoted = prng.isIn(10);
    const hasTriggers = !isReduceOnly && prng.isIn(15);
    return {
      kind: "place_order",
      time_ms: this.#time_ms,
      account,
      market: market.number,
      side,
      type,
      timeInForce: type === MARKET ? IOC : prng.isIn(70) ? GTC : (prng.below(4) as TimeInForce),
      ticks,
      lots: isQuoted ? 0 : this.#lots(market, account),
      quote_micros: isQuoted ? prng.between(5, 5_000) * ONE_usdt : 0,
      isReduceOnly,
      selfTradePrevention: prng.below(4) as SelfTradePrevention,
      clientId: this.#clientId(),
      maxSlippage_e8: type === MARKET && prng.isIn(30) ? prng.below(2_000_000) : -1,
      takeProfit: hasTriggers && prng.isIn(70) ? this.#attached(market, side === BUY) : null,
      stopLoss: hasTriggers && prng.isIn(70) ? this.#attached(market, side !== BUY) : null,
    };
  }

  #placeConditional(): Command {
    const prng = this.#prng;
    const market = this.#market();
    const account = this.#account();
    const side = prng.below(2) as Side;
    const type = prng.pick([STOP, TAKE_PROFIT, TRAILING_STOP]);
    const isTrailing = type === TRAILING_STOP;
    const isClosePosition = prng.isIn(30);
    const isAbove = (side === BUY) !== (type === TAKE_PROFIT);
    const triggerTicks = isTrailing ? 0 : this.#ticksBeyond(market, isAbove);
    return {
      kind: "place_conditional",
      time_ms: this.#time_ms,
      account,
      market: market.number,
      side,
      type,
      ticks: isTrailing || isClosePosition || prng.isIn(50) ? 0 : triggerTicks,
      timeInForce: GTC,
      lots: isClosePosition ? 0 : this.#lots(market, account),
      triggerTicks,
      activateTicks: isTrailing && prng.isIn(50) ? this.#ticksBeyond(market, side !== BUY) : 0,
      callback_bps: isTrailing ? prng.between(10, 200) : 0,
      workingType: prng.pick([CONTRACT_PRICE, MARK_PRICE]),
      isReduceOnly: !isClosePosition && prng.isIn(50),
      isClosePosition,
      isPriceProtected: prng.isIn(20),
      keepsId: prng.isIn(50),
      selfTradePrevention: prng.pick([STP_EXPIRE_MAKER, STP_NONE]),
      clientId: this.#clientId(),
    };
  }

  #cancelOrModify(): Command {
    const prng = this.#prng;
    const { index, pool, lastOrderId, conditionals } = this.#state;
    const time_ms = this.#time_ms;
    const order = Math.max(1, lastOrderId - prng.below(400));
    const slot = index.get(order);
    const account = slot === 0 ? (conditionals.get(order)?.account ?? this.#account()) : pool.account(slot);
    if (prng.isIn(3)) return { kind: "cancel_all", time_ms, account, market: NO_MARKET, scope: SCOPE_BOTH };
    if (slot === 0 || prng.isIn(50)) {
      const isNamed = prng.isIn(10);
      const clientId = isNamed ? this.#clientId() : "";
      return { kind: "cancel_order", time_ms, account, order: isNamed ? 0 : order, clientId, scope: SCOPE_BOTH };
    }
    const side = pool.side(slot) as Side;
    const isSmaller = prng.isIn(50);
    const market = this.#state.markets[pool.market(slot)]!;
    return {
      kind: "modify_order",
      time_ms,
      account,
      order,
      clientId: "",
      side: prng.isIn(50) ? side : -1,
      ticks: isSmaller ? pool.ticks(slot) : this.#ticksNear(market, side, 150),
      lots: isSmaller ? prng.between(1, pool.originalLots(slot)) : this.#lots(market, account),
    };
  }

  #setPrice(market: MarketState): Command {
    const prng = this.#prng;
    // Mostly small steps, sometimes a jump that causes liquidations; never far from the first price.
    const max_bps = prng.isIn(6) ? 600 : 40;
    const step_bps = prng.between(-max_bps, max_bps);
    const start = startTicks(market.number);
    let by_bps = step_bps;
    if (market.markTicks < start / 2) by_bps = Math.abs(step_bps);
    else if (market.markTicks > start * 2) by_bps = -Math.abs(step_bps);
    const markTicks = moved(market.markTicks, by_bps);
    const indexTicks = moved(markTicks, prng.between(-3, 3));
    return { kind: "set_price", time_ms: this.#time_ms, market: market.number, indexTicks, markTicks };
  }

  #settings(): Command {
    const prng = this.#prng;
    const base = { time_ms: this.#time_ms, account: this.#account(), market: this.#market().number };
    const dice = prng.below(10);
    if (dice < 5) return { kind: "set_leverage", ...base, leverage: prng.pick([1, 2, 5, 10, 20, 25, 50]) };
    if (dice < 8) return { kind: "set_margin_mode", ...base, mode: prng.isIn(70) ? ISOLATED : CROSS };
    return { kind: "move_isolated_margin", ...base, amount_micros: prng.between(-200, 200) * ONE_usdt };
  }

  #fromOutside(): Command {
    const prng = this.#prng;
    const base = { time_ms: this.#time_ms, number: this.#nextNumber() };
    const account = this.#account();
    const amount_micros = prng.between(1, 2_000) * ONE_usdt + prng.below(ONE_usdt);
    const expires_ms = this.#time_ms + prng.between(1, 7) * DAY_ms;
    return prng.pick<Command>([
      { kind: "deposit", ...base, account, amount_micros },
      { kind: "hold_withdrawal", ...base, account, amount_micros },
      {
        kind: "settle_withdrawal",
        ...base,
        account,
        amount_micros: Math.ceil(amount_micros / 10),
        isDone: prng.isIn(50),
      },
      { kind: "grant_bonus", ...base, account, amount_micros, maxLeverage: prng.pick([5, 10, 20]), expires_ms },
      { kind: "grant_bonus", ...base, account, amount_micros, maxLeverage: prng.pick([5, 10, 20]), expires_ms },
      { kind: "freeze_bonus", ...base, account },
      { kind: "unfreeze_bonus", ...base, account },
      { kind: "recall_bonus", ...base, account },
      this.#terms(base, account, prng.below(9)),
      { kind: "set_discount", ...base, account, discount_bps: prng.below(3_000) },
      { kind: "seed_fund", ...base, amount_micros },
      { kind: "pay_out", ...base, amount_micros: Math.ceil(amount_micros / 100) },
      { kind: "return_payout", ...base, amount_micros: Math.ceil(amount_micros / 200) },
    ]);
  }

  /** One draw for both kinds and none for the leader, so that following changes nothing else in the flow of a seed. */
  #terms(base: { readonly time_ms: number; readonly number: number }, account: number, drawn: number): Command {
    if (drawn % 2 === 0) return { kind: "set_terms", ...base, account, version: drawn };
    return { kind: "follow_terms", ...base, account, leader: 1 + (base.number % this.#options.accounts) };
  }

  #rare(): Command {
    const prng = this.#prng;
    const time_ms = this.#time_ms;
    const market = this.#market().number;
    const account = this.#account();
    return prng.pick<Command>([
      {
        kind: "apply_funding",
        time_ms,
        market,
        rate_e8: prng.between(-9_000, 9_000),
        hour: Math.floor(time_ms / HOUR_ms),
      },
      {
        kind: "apply_funding",
        time_ms,
        market,
        rate_e8: prng.between(-9_000, 9_000),
        hour: Math.floor(time_ms / HOUR_ms),
      },
      { kind: "expire_bonus", time_ms, account },
      { kind: "close_expired_bonus", time_ms, account },
      { kind: "advance_time", time_ms },
      this.#setStatus(market, prng.pick([TRADING, REDUCE_ONLY, HALTED])),
      { kind: "cancel_all", time_ms, account, market, scope: SCOPE_ORDERS },
      // Invalid commands, which a log may still hold.
      { kind: "set_leverage", time_ms, account: -5, market: 2 ** 60, leverage: 0.5 },
    ]);
  }

  #setStatus(market: number, status: MarketStatus): Command {
    return { kind: "set_market_status", time_ms: this.#time_ms, market, status };
  }

  #nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  #account(): number {
    if (this.#prng.isIn(15)) return this.#prng.between(1, Math.min(RICH_ACCOUNTS, this.#options.accounts));
    return this.#prng.between(1, this.#options.accounts);
  }

  #market(): MarketState {
    return this.#prng.pick(this.#state.markets);
  }

  #clientId(): string {
    return this.#prng.isIn(30) ? `order-${this.#prng.below(500)}` : "";
  }

  /** Worth some hundred USDT, rarely much more. */
  #lots(market: MarketState, account: number): number {
    const isLarge = account <= RICH_ACCOUNTS || this.#prng.isIn(10);
    const max_usdt = isLarge ? 60_000 : 1_500;
    const perLot_micros = market.markTicks * market.definition.unit_micros;
    return Math.max(1, Math.floor((this.#prng.between(10, max_usdt) * ONE_usdt) / perLot_micros));
  }

  /** Mostly on its own side of the mark price, so that a book builds up. */
  #ticksNear(market: MarketState, side: Side, max_bps: number): number {
    const away_bps = this.#prng.between(-20, max_bps);
    return moved(market.markTicks, side === BUY ? -away_bps : away_bps);
  }

  #ticksBeyond(market: MarketState, isAbove: boolean): number {
    const away_bps = this.#prng.between(5, 300);
    return moved(market.workingTicks(CONTRACT_PRICE), isAbove ? away_bps : -away_bps);
  }

  #attached(market: MarketState, isAbove: boolean): AttachedTrigger {
    const triggerTicks = this.#ticksBeyond(market, isAbove);
    const workingType = this.#prng.pick([CONTRACT_PRICE, MARK_PRICE]);
    return { triggerTicks, ticks: this.#prng.isIn(50) ? 0 : triggerTicks, workingType };
  }
}

function moved(ticks: number, by_bps: number): number {
  return Math.max(1, Math.round((ticks * (10_000 + by_bps)) / 10_000));
}

function startTicks(market: number): number {
  return Math.floor((START_PRICES_usdt[market]! * 1e8) / FIRST_MARKETS[market]!.tickSize_e8);
}
