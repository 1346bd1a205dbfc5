import type { ByteReader } from "../codec/byte-reader.ts";
import { CodecFault } from "../codec/codec-fault.ts";
import { MARKET_RULES_FORM } from "../codec/command-fields.ts";
import { FUND_ACCOUNT } from "../contract/codes.ts";
import { isWhole } from "../contract/validation.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { buildMarket } from "../rules/market.ts";
import { defaultRules, findRulesProblems, MARKET_RULE_NAMES, rulesOf } from "../rules/market-rules.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import { sumVolumes, TIER_WINDOW_days, VOLUME_DAYS } from "../rules/volumes.ts";
import { OWN_TERMS } from "../state/accounts.ts";
import { type Conditional, firesRising } from "../state/conditionals.ts";
import { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import { State } from "../state/state.ts";
import { ConditionalDesk } from "../trading/conditional-desk.ts";
import { Ledger } from "../trading/ledger.ts";
import { OpenOrders } from "../trading/open-orders.ts";
import {
  ACCOUNTS,
  CONDITIONAL_TERMS,
  CONDITIONALS,
  COUNTERS,
  FAIR_BONUS,
  FUND_HOURS,
  MARKET_DEFINITION,
  MARKET_FIGURES,
  MARKET_FUND,
  ORDER_DETAILS,
  ORDER_TERMS,
  ORDERS,
  POSITIONS,
  RULES,
  TOTALS,
} from "./state-tables.ts";

/** Of conditional orders before rules version 6. */
const NO_TERMS = { goodTill_ms: 0, priceMatch: 0 } as const;

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Rebuilds a state from the output of `StateWriter`. Derived values are computed again by the same parts that keep them
 * while the engine runs, so an error in a kept value shows as a difference.
 */
export class StateReader {
  readonly #reader: ByteReader;
  readonly #state: State;
  readonly #openOrders: OpenOrders;
  /** By rank in the canonical order of all resting orders. */
  readonly #slots: number[] = [];

  constructor(reader: ByteReader, rulesVersion: number) {
    const state = new State(rulesVersion);
    this.#state = state;
    this.#reader = reader;
    this.#openOrders = new OpenOrders(state, new Ledger(state), new ConditionalDesk(state));
  }

  get #hasReferences(): boolean {
    return this.#state.rulesVersion >= RULES_WITH_REFERENCES;
  }

  /** Throws where the content is not what a state can be; the caller says so in its own words. */
  readAll(): State {
    const reader = this.#reader;
    const { markets, totals } = this.#state;
    Object.assign(this.#state, COUNTERS.read(reader));
    Object.assign(totals, TOTALS.read(reader));
    if (this.#hasReferences) this.#readRules();
    if (this.#state.isFair) this.#readFundHours();
    for (let left = reader.count(); left > 0; left -= 1) this.#readMarket();
    const accounts = reader.count();
    for (let account = 0; account <= accounts; account += 1) this.#readAccount(account, accounts);
    for (let left = reader.count(); left > 0; left -= 1) this.#readPosition();
    for (const market of markets) {
      for (let left = reader.count(); left > 0; left -= 1) this.#readOrder(market);
    }
    this.#readOwnerOrder();
    this.#readConditionals();
    if (this.#state.isFair) this.#readFairness();
    if (reader.remaining > 0) throw new CodecFault(`${reader.remaining} bytes too many`);
    return this.#state;
  }

  #readMarket(): void {
    const { markets, pool, index } = this.#state;
    const definition = buildMarket(MARKET_DEFINITION.read(this.#reader));
    const market = new MarketState(markets.length, definition, pool, index, this.#state.isFair);
    const { markTicks, indexTicks, ...figures } = MARKET_FIGURES.read(this.#reader);
    if (this.#state.isFair) this.#readFairMarket(market);
    if (markTicks !== 0) market.setPrices(indexTicks, markTicks);
    Object.assign(market, figures);
    markets.push(market);
  }

  #readFairMarket(market: MarketState): void {
    const reader = this.#reader;
    market.rules = rulesOf(MARKET_RULES_FORM.read(reader));
    if (findRulesProblems(market.rules, market.definition.brackets).length > 0 && !isDefault(market)) {
      throw new CodecFault(`rules of market ${market.number} that are none`);
    }
    Object.assign(market.fund, MARKET_FUND.read(reader));
    for (let left = reader.count(); left > 0; left -= 1) {
      market.indexWindow.restore(reader.number(), reader.number(), reader.number());
    }
  }

  #readFairness(): void {
    const reader = this.#reader;
    const { fairness } = this.#state;
    for (let left = reader.count(); left > 0; left -= 1) fairness.bonuses.set(reader.number(), FAIR_BONUS.read(reader));
    for (let left = reader.count(); left > 0; left -= 1) {
      const account = reader.number();
      for (let gains = reader.count(); gains > 0; gains -= 1) fairness.hold(account, reader.number(), reader.number());
    }
  }

  #readFundHours(): void {
    const reader = this.#reader;
    const { fundHours } = this.#state;
    Object.assign(fundHours, FUND_HOURS.read(reader));
    for (let left = reader.count(); left > 0; left -= 1) {
      fundHours.highs.push({ hour: reader.number(), highest_micros: reader.signed() });
    }
  }

  #readAccount(account: number, last: number): void {
    const { accounts } = this.#state;
    // The fund, number 0, exists from the beginning.
    if (account > 0) accounts.open();
    const row = ACCOUNTS.read(this.#reader);
    // The leader may be an account that has not been read yet.
    const leader = row.termsLeader;
    const isOther = account !== FUND_ACCOUNT && isWhole(leader, 1, last) && leader !== account;
    if (leader !== OWN_TERMS && !isOther) throw new CodecFault(`account ${account} follows the terms of ${leader}`);
    ACCOUNTS.restore(accounts, account, row);
    this.#readVolumes(account);
    if (this.#hasReferences) accounts.setCommitment(account, this.#readCommitment());
  }

  #readRules(): void {
    const { rulesVersion, externalDigest, referencesFrom } = RULES.read(this.#reader);
    const { rulesVersion: announced } = this.#state;
    if (rulesVersion !== announced) throw new CodecFault(`rules version ${rulesVersion} instead of ${announced}`);
    if (!DIGEST.test(externalDigest)) throw new CodecFault("a digest that is none");
    Object.assign(this.#state, { externalDigest, referencesFrom });
  }

  #readCommitment(): string {
    const commitment = this.#reader.text();
    if (commitment !== "" && !DIGEST.test(commitment)) throw new CodecFault("a commitment that is none");
    return commitment;
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
    const { accounts, positions } = this.#state;
    const row = POSITIONS.read(this.#reader);
    const market = this.#market(row.market);
    const { account, lots, leverage } = row;
    if (account !== FUND_ACCOUNT && !accounts.isAccount(account))
      throw new CodecFault(`a symbol of account ${account}`);
    const maxNotional_micros = maxNotionalAt(market.definition.brackets, leverage);
    const position = positions.create(account, market.number, leverage, maxNotional_micros);
    market.positions.push(position);
    positions.setHolding(position, lots, row.cost);
    positions.setIsolated(position, row.isolated);
    positions.setMode(position, row.mode);
    positions.setCalled(position, row.isCalled);
    if (lots !== 0) accounts.addOpenPositions(account, 1);
    market.addOpenInterest(Math.max(0, lots));
  }

  #readOrder(market: MarketState): void {
    const { pool, positions, details } = this.#state;
    const order = ORDERS.read(this.#reader);
    const { id, flags } = order;
    const position = this.#position(order.position);
    const account = positions.account(position);
    const slot = pool.take(id, account, market.number, order.side, order.ticks, order.remainingLots, flags);
    pool.setOriginalLots(slot, order.originalLots);
    pool.addQuote(slot, order.quote_micros);
    pool.setPosition(slot, position);
    ORDER_DETAILS.restore(details, slot, ORDER_DETAILS.read(this.#reader));
    if (this.#state.hasOrderTerms) ORDER_TERMS.restore(details, slot, ORDER_TERMS.read(this.#reader));
    if ((flags & ORDER_HAS_NAME) !== 0) {
      const clientId = this.#reader.text();
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
    const { conditionals, positions, details } = this.#state;
    const awake: Conditional[] = [];
    for (let left = this.#reader.count(); left > 0; left -= 1) {
      const conditional = this.#readConditional();
      conditionals.add(conditional);
      positions.addConditionals(conditional.position, 1);
      details.addName(conditional.account, conditional.clientId, conditional.id);
      if (!conditional.isAsleep) awake.push(conditional);
    }
    // In the order of the queues, so that each is appended to its queue.
    awake.sort((a, b) => rankInQueue(a) - rankInQueue(b) || a.id - b.id);
    const desk = new ConditionalDesk(this.#state);
    for (const conditional of awake) desk.enqueue(conditional);
  }

  #readConditional(): Conditional {
    const { positions } = this.#state;
    const { id, ...row } = CONDITIONALS.read(this.#reader);
    const position = this.#position(row.position);
    const tries = this.#state.isFair ? this.#reader.count() : 0;
    const terms = this.#state.hasOrderTerms ? CONDITIONAL_TERMS.read(this.#reader) : NO_TERMS;
    return { id, account: positions.account(position), market: positions.market(position), ...row, tries, ...terms };
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

/** The rules of a class hold even where a market's brackets leave no room for the smallest bounds. */
function isDefault({ rules, definition }: MarketState): boolean {
  const own = defaultRules(definition.brackets);
  return MARKET_RULE_NAMES.every((name) => rules[name] === own[name]);
}

function rankInQueue({ side, type, triggerTicks }: Conditional): number {
  return firesRising(side, type) ? triggerTicks : -triggerTicks;
}
