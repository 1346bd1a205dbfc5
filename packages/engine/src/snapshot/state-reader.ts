import type { ByteReader } from "../codec/byte-reader.ts";
import { CodecFault } from "../codec/codec-fault.ts";
import {
  type ConditionalType,
  FUND_ACCOUNT,
  type MarketStatus,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  type WorkingType,
} from "../contract/codes.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { type Bracket, buildMarket, type MarketDefinition } from "../rules/market.ts";
import { sumVolumes, TIER_WINDOW_days, VOLUME_DAYS } from "../rules/volumes.ts";
import { OWN_TERMS } from "../state/accounts.ts";
import { type Conditional, firesRising } from "../state/conditionals.ts";
import { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import { State } from "../state/state.ts";
import { ConditionalDesk } from "../trading/conditional-desk.ts";
import { Ledger } from "../trading/ledger.ts";
import { OpenOrders } from "../trading/open-orders.ts";
import { LASTING_FLAGS } from "./state-writer.ts";

/**
 * Rebuilds a state from what `StateWriter` has written. What follows from the rest is reckoned anew through the same
 * parts that keep it while the engine runs; so an error in a kept value comes to light as a difference.
 */
export class StateReader {
  readonly #reader: ByteReader;
  readonly #state = new State();
  readonly #openOrders: OpenOrders;
  /** By place in the canonical order of all resting orders. */
  readonly #slots: number[] = [];

  constructor(reader: ByteReader) {
    const state = this.#state;
    this.#reader = reader;
    this.#openOrders = new OpenOrders(state, new Ledger(state), new ConditionalDesk(state));
  }

  /** Throws where the content is not what a state can be; the caller says so in its own words. */
  readAll(): State {
    const reader = this.#reader;
    const { markets } = this.#state;
    this.#readTotals();
    for (let left = reader.count(); left > 0; left -= 1) this.#readMarket();
    const accounts = reader.count();
    for (let account = 0; account <= accounts; account += 1) this.#readAccount(account, accounts);
    for (let left = reader.count(); left > 0; left -= 1) this.#readPosition();
    for (const market of markets) {
      for (let left = reader.count(); left > 0; left -= 1) this.#readOrder(market);
    }
    this.#readOwnerOrder();
    this.#readConditionals();
    if (reader.remaining > 0) throw new CodecFault(`${reader.remaining} bytes too many`);
    return this.#state;
  }

  #readTotals(): void {
    const reader = this.#reader;
    const state = this.#state;
    const { totals } = state;
    state.commandNumber = reader.number();
    state.time_ms = reader.number();
    state.day = reader.number();
    state.externalNumber = reader.number();
    state.lastOrderId = reader.number();
    totals.deposits_micros = this.#total();
    totals.withdrawals_micros = this.#total();
    totals.payouts_micros = this.#total();
    totals.seeds_micros = this.#total();
    totals.granted_micros = this.#total();
    totals.returned_micros = this.#total();
    totals.addFees(reader.number());
  }

  /** Written in full as text: it may be beyond any plain number. */
  #total(): bigint {
    const text = this.#reader.text();
    if (!/^\d+$/.test(text)) throw new CodecFault(`a total is ${JSON.stringify(text)}`);
    return BigInt(text);
  }

  #readMarket(): void {
    const reader = this.#reader;
    const { markets, pool, index } = this.#state;
    const definition: MarketDefinition = {
      symbol: reader.text(),
      tickSize_e8: reader.number(),
      lotSize_e8: reader.number(),
      minNotional_micros: reader.number(),
      maxNotional_micros: reader.number(),
      percentPrice_e8: reader.number(),
      marketBound_e8: reader.number(),
      liquidationFee_e8: reader.number(),
      defaultLeverage: reader.number(),
      maxOpenOrders: reader.number(),
      maxConditionalOrders: reader.number(),
      brackets: this.#readBrackets(),
    };
    const market = new MarketState(markets.length, buildMarket(definition), pool, index);
    market.status = reader.number() as MarketStatus;
    const markTicks = reader.number();
    const indexTicks = reader.number();
    if (markTicks !== 0) market.setPrices(indexTicks, markTicks);
    market.lastTicks = reader.number();
    market.trades = reader.number();
    market.fundingHour = reader.signed();
    markets.push(market);
  }

  #readBrackets(): Bracket[] {
    const reader = this.#reader;
    const brackets: Bracket[] = [];
    for (let left = reader.count(); left > 0; left -= 1) {
      brackets.push({
        cap_micros: reader.number(),
        maxLeverage: reader.number(),
        maintenanceRate_e8: reader.number(),
        cumulative_micros: reader.number(),
      });
    }
    return brackets;
  }

  #readAccount(account: number, last: number): void {
    const reader = this.#reader;
    const { accounts } = this.#state;
    // The fund, number 0, is there from the beginning.
    if (account > 0) accounts.open();
    accounts.setPrincipal(account, reader.signed());
    accounts.setBonus(account, reader.number());
    accounts.setInFlight(account, reader.number());
    accounts.setConsumed(account, reader.number());
    accounts.setLocked(account, reader.number());
    accounts.setExpires(account, reader.number());
    accounts.setTermsVersion(account, reader.number());
    accounts.setTermsLeader(account, this.#leader(account, last));
    accounts.setTier(account, reader.number());
    accounts.setDiscount(account, reader.number());
    accounts.setBonusState(account, reader.number());
    accounts.setBonusLeverage(account, reader.number());
    const flags = reader.number();
    for (const flag of LASTING_FLAGS) if ((flags & flag) !== 0) accounts.raiseFlag(account, flag);
    this.#readVolumes(account);
  }

  /** It may be an account that is yet to be read. */
  #leader(account: number, last: number): number {
    const leader = this.#reader.count();
    const isOther = account !== FUND_ACCOUNT && leader <= last && leader !== account;
    if (leader !== OWN_TERMS && !isOther) throw new CodecFault(`account ${account} follows the terms of ${leader}`);
    return leader;
  }

  #readVolumes(account: number): void {
    const reader = this.#reader;
    const { accounts, day } = this.#state;
    const start = accounts.volumesAt(account);
    for (let left = reader.count(); left > 0; left -= 1) {
      const age = reader.count();
      if (age >= VOLUME_DAYS || age > day) throw new CodecFault(`a volume ${age} days old`);
      accounts.volumes[start + ((day - age) % VOLUME_DAYS)] = reader.number();
    }
    accounts.setVolume14d(account, sumVolumes(accounts.volumes, start, day, TIER_WINDOW_days));
  }

  #readPosition(): void {
    const reader = this.#reader;
    const { accounts, positions } = this.#state;
    const account = reader.number();
    const market = this.#market(reader.number());
    const lots = reader.signed();
    const cost_micros = reader.signed();
    const isolated_micros = reader.signed();
    const leverage = reader.number();
    if (account !== 0 && !accounts.isAccount(account)) throw new CodecFault(`a symbol of account ${account}`);
    const maxNotional_micros = maxNotionalAt(market.terms.brackets, leverage);
    const position = positions.create(account, market.number, leverage, maxNotional_micros);
    market.positions.push(position);
    positions.setHolding(position, lots, cost_micros);
    positions.setIsolated(position, isolated_micros);
    positions.setMode(position, reader.number());
    positions.setCalled(position, reader.flag());
    if (lots !== 0) accounts.addOpenPositions(account, 1);
    market.addOpenInterest(Math.max(0, lots));
  }

  #readOrder(market: MarketState): void {
    const reader = this.#reader;
    const { pool, positions, details } = this.#state;
    const id = reader.number();
    const position = this.#position(reader.number());
    const account = positions.account(position);
    const side = reader.number();
    const ticks = reader.number();
    const originalLots = reader.number();
    const remainingLots = reader.number();
    const quote_micros = reader.number();
    const flags = reader.number();
    const slot = pool.take(id, account, market.number, side, ticks, remainingLots, flags);
    pool.setOriginalLots(slot, originalLots);
    pool.addQuote(slot, quote_micros);
    pool.setPosition(slot, position);
    const created_ms = reader.number();
    const updated_ms = created_ms + reader.number();
    details.created(slot, reader.number());
    details.restoreTimes(slot, created_ms, updated_ms);
    if ((flags & ORDER_HAS_NAME) !== 0) {
      const clientId = reader.text();
      details.setClientId(slot, clientId);
      details.addName(account, clientId, id);
    }
    market.book.insert(slot);
    this.#slots.push(slot);
  }

  #readOwnerOrder(): void {
    const reader = this.#reader;
    const { pool, positions } = this.#state;
    let linked = 0;
    for (let position = 1; position <= positions.count; position += 1) {
      for (let left = reader.count(); left > 0; left -= 1) {
        const slot = this.#slots[reader.count()];
        if (slot === undefined || pool.position(slot) !== position) throw new CodecFault("an order of another symbol");
        this.#openOrders.add(slot);
        linked += 1;
      }
    }
    if (linked !== this.#slots.length) throw new CodecFault("orders that belong to nobody");
  }

  #readConditionals(): void {
    const { conditionals, positions, details, markets } = this.#state;
    const awake: Conditional[] = [];
    for (let left = this.#reader.count(); left > 0; left -= 1) {
      const conditional = this.#readConditional();
      conditionals.add(conditional);
      positions.addConditionals(conditional.position, 1);
      details.addName(conditional.account, conditional.clientId, conditional.id);
      if (!conditional.isAsleep) awake.push(conditional);
    }
    // In the order of the queues, so that each is added at the end of its own.
    awake.sort((a, b) => placeInQueue(a) - placeInQueue(b) || a.id - b.id);
    for (const conditional of awake) markets[conditional.market]!.triggers[conditional.workingType]!.add(conditional);
  }

  #readConditional(): Conditional {
    const reader = this.#reader;
    const { positions } = this.#state;
    const id = reader.number();
    const position = this.#position(reader.number());
    return {
      id,
      account: positions.account(position),
      market: positions.market(position),
      position,
      side: reader.number() as Side,
      type: reader.number() as ConditionalType,
      ticks: reader.number(),
      timeInForce: reader.number() as TimeInForce,
      lots: reader.number(),
      triggerTicks: reader.number(),
      activateTicks: reader.number(),
      callback_bps: reader.number(),
      workingType: reader.number() as WorkingType,
      isReduceOnly: reader.flag(),
      isClosePosition: reader.flag(),
      isPriceProtected: reader.flag(),
      keepsId: reader.flag(),
      selfTradePrevention: reader.number() as SelfTradePrevention,
      parent: reader.number(),
      clientId: reader.text(),
      created_ms: reader.number(),
      isAsleep: reader.flag(),
      bestTicks: reader.number(),
    };
  }

  #market(number: number): MarketState {
    const market = this.#state.markets[number];
    if (market === undefined) throw new CodecFault(`a symbol in market ${number}`);
    return market;
  }

  #position(number: number): number {
    if (!(number >= 1 && number <= this.#state.positions.count)) throw new CodecFault(`no symbol ${number}`);
    return number;
  }
}

function placeInQueue({ side, type, triggerTicks }: Conditional): number {
  return firesRising(side, type) ? triggerTicks : -triggerTicks;
}
