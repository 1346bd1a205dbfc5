import { NO_SLOT } from "../book/order-pool.ts";
import type { ByteWriter } from "../codec/byte-writer.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";
import { FLAG_CALLED, FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS } from "../state/accounts.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { SnapshotFault } from "./snapshot-fault.ts";

/** The flags of an account that outlast a command. */
export const LASTING_FLAGS = [FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, FLAG_CALLED] as const;

/**
 * Writes everything an engine remembers in one canonical form: the same logical state gives the same bytes, whatever its
 * history. Slots, capacities and everything that follows from the rest (holds, counts, open interest, names, queues) are
 * left out. `StateReader` is its mirror image: what changes here changes there.
 */
export class StateWriter {
  readonly #state: State;
  readonly #writer: ByteWriter;
  readonly #onRecord: () => void;
  /** By slot: the order's place in the canonical order of all resting orders. */
  readonly #places: Uint32Array;
  #orders = 0;

  /** `onRecord` is told after every record, so that the bytes can be passed on and forgotten. */
  constructor(state: State, writer: ByteWriter, onRecord: () => void) {
    if (state.touched.count > 0 || state.moved.count > 0) {
      throw new SnapshotFault("inconsistent_state", "the engine is in the middle of a command");
    }
    this.#state = state;
    this.#writer = writer;
    this.#onRecord = onRecord;
    this.#places = new Uint32Array(state.pool.capacity);
  }

  writeAll(): void {
    const { markets, accounts, positions, conditionals } = this.#state;
    this.#writeTotals();
    this.#writer.number(markets.length);
    for (const market of markets) this.#writeMarket(market);
    this.#writer.number(accounts.count);
    for (let account = 0; account <= accounts.count; account += 1) this.#writeAccount(account);
    this.#writer.number(positions.count);
    for (let position = 1; position <= positions.count; position += 1) this.#writePosition(position);
    for (const market of markets) this.#writeBook(market);
    this.#writeOwnerOrder();
    this.#writer.number(conditionals.count);
    for (const conditional of [...conditionals.all()].sort((a, b) => a.id - b.id)) this.#writeConditional(conditional);
  }

  /** Adding 0 turns −0 into 0: they are the same amount, and have to be the same bytes. */
  #number(value: number): void {
    this.#writer.number(value + 0);
  }

  #signed(value: number): void {
    this.#writer.signed(value + 0);
  }

  #writeTotals(): void {
    const { totals } = this.#state;
    this.#number(this.#state.commandNumber);
    this.#number(this.#state.time_ms);
    this.#number(this.#state.day);
    this.#number(this.#state.externalNumber);
    this.#number(this.#state.lastOrderId);
    this.#writer.text(String(totals.deposits_micros));
    this.#writer.text(String(totals.withdrawals_micros));
    this.#writer.text(String(totals.payouts_micros));
    this.#writer.text(String(totals.seeds_micros));
    this.#writer.text(String(totals.granted_micros));
    this.#writer.text(String(totals.returned_micros));
    this.#number(totals.feeAccount_micros);
    this.#onRecord();
  }

  #writeMarket(market: MarketState): void {
    const { terms } = market;
    this.#writer.text(terms.symbol);
    this.#number(terms.tickSize_e8);
    this.#number(terms.lotSize_e8);
    this.#number(terms.minNotional_micros);
    this.#number(terms.maxNotional_micros);
    this.#number(terms.percentPrice_e8);
    this.#number(terms.marketBound_e8);
    this.#number(terms.liquidationFee_e8);
    this.#number(terms.defaultLeverage);
    this.#number(terms.maxOpenOrders);
    this.#number(terms.maxConditionalOrders);
    this.#number(terms.brackets.length);
    for (const bracket of terms.brackets) {
      this.#number(bracket.cap_micros);
      this.#number(bracket.maxLeverage);
      this.#number(bracket.maintenanceRate_e8);
      this.#number(bracket.cumulative_micros);
    }
    this.#number(market.status);
    this.#number(market.markTicks);
    this.#number(market.indexTicks);
    this.#number(market.lastTicks);
    this.#number(market.trades);
    this.#signed(market.fundingHour);
    this.#onRecord();
  }

  #writeAccount(account: number): void {
    const { accounts } = this.#state;
    let flags = 0;
    for (const flag of LASTING_FLAGS) if (accounts.hasFlag(account, flag)) flags |= flag;
    this.#signed(accounts.principal(account));
    this.#number(accounts.bonus(account));
    this.#number(accounts.inFlight(account));
    this.#number(accounts.consumed(account));
    this.#number(accounts.locked(account));
    this.#number(accounts.expires_ms(account));
    this.#number(accounts.termsVersion(account));
    this.#number(accounts.termsLeader(account));
    this.#number(accounts.tier(account));
    this.#number(accounts.discount_bps(account));
    this.#number(accounts.bonusState(account));
    this.#number(accounts.bonusLeverage(account));
    this.#number(flags);
    this.#writeVolumes(account);
    this.#onRecord();
  }

  /** Days with a volume, by age: how the ring lies in memory does not matter, nor what stands where no day is. */
  #writeVolumes(account: number): void {
    const { accounts, day } = this.#state;
    const { volumes } = accounts;
    const start = accounts.volumesAt(account);
    const oldest = Math.min(day, VOLUME_DAYS - 1);
    let days = 0;
    for (let age = 0; age <= oldest; age += 1) if (volumes[start + ((day - age) % VOLUME_DAYS)] !== 0) days += 1;
    this.#number(days);
    for (let age = 0; age <= oldest; age += 1) {
      const volume = volumes[start + ((day - age) % VOLUME_DAYS)]!;
      if (volume === 0) continue;
      this.#number(age);
      this.#number(volume);
    }
  }

  #writePosition(position: number): void {
    const { positions } = this.#state;
    this.#number(positions.account(position));
    this.#number(positions.market(position));
    this.#signed(positions.lots(position));
    this.#signed(positions.cost(position));
    this.#signed(positions.isolated(position));
    this.#number(positions.leverage(position));
    this.#number(positions.mode(position));
    this.#writer.flag(positions.isCalled(position));
    this.#onRecord();
  }

  #writeBook(market: MarketState): void {
    this.#number(market.book.bids.orders + market.book.asks.orders);
    market.book.forEachResting((slot) => {
      this.#places[slot] = this.#orders;
      this.#orders += 1;
      this.#writeOrder(slot);
    });
  }

  /** Account and market are those of the position. */
  #writeOrder(slot: number): void {
    const { pool, details } = this.#state;
    const flags = pool.flags(slot);
    this.#number(pool.id(slot));
    this.#number(pool.position(slot));
    this.#number(pool.side(slot));
    this.#number(pool.ticks(slot));
    this.#number(pool.originalLots(slot));
    this.#number(pool.remainingLots(slot));
    this.#number(pool.quote_micros(slot));
    this.#number(flags);
    this.#number(details.created_ms(slot));
    this.#number(details.updated_ms(slot) - details.created_ms(slot));
    this.#number(details.conditional(slot));
    if ((flags & ORDER_HAS_NAME) !== 0) this.#writer.text(details.clientId(slot));
    this.#onRecord();
  }

  /** Each symbol's orders from the oldest, as places: a modified order is younger there than its id says. */
  #writeOwnerOrder(): void {
    const { pool, positions } = this.#state;
    let linked = 0;
    for (let position = 1; position <= positions.count; position += 1) {
      this.#number(positions.orders(position));
      let count = 0;
      for (let slot = positions.firstOrder(position); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
        count += 1;
        this.#number(this.#places[slot]!);
      }
      if (count !== positions.orders(position)) {
        throw new SnapshotFault("inconsistent_state", `symbol ${position} counts orders that it does not have`);
      }
      linked += count;
      this.#onRecord();
    }
    if (linked === this.#orders) return;
    throw new SnapshotFault("inconsistent_state", `${this.#orders} orders rest, ${linked} belong to somebody`);
  }

  #writeConditional(conditional: Conditional): void {
    this.#number(conditional.id);
    this.#number(conditional.position);
    this.#number(conditional.side);
    this.#number(conditional.type);
    this.#number(conditional.ticks);
    this.#number(conditional.timeInForce);
    this.#number(conditional.lots);
    this.#number(conditional.triggerTicks);
    this.#number(conditional.activateTicks);
    this.#number(conditional.callback_bps);
    this.#number(conditional.workingType);
    this.#writer.flag(conditional.isReduceOnly);
    this.#writer.flag(conditional.isClosePosition);
    this.#writer.flag(conditional.isPriceProtected);
    this.#writer.flag(conditional.keepsId);
    this.#number(conditional.selfTradePrevention);
    this.#number(conditional.parent);
    this.#writer.text(conditional.clientId);
    this.#number(conditional.created_ms);
    this.#writer.flag(conditional.isAsleep);
    this.#number(conditional.bestTicks);
    this.#onRecord();
  }
}
