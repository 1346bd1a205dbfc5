import { NO_SLOT } from "../book/order-pool.ts";
import type { ByteWriter } from "../codec/byte-writer.ts";
import { MARKET_RULES_FORM } from "../codec/command-fields.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { SnapshotFault } from "./snapshot-fault.ts";
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

/**
 * Writes everything that an engine remembers in one canonical form: the same logical state gives the same bytes,
 * regardless of its history. The tables define the fields of the records; `StateReader` reads them in the same order.
 */
export class StateWriter {
  readonly #state: State;
  readonly #writer: ByteWriter;
  readonly #onRecord: () => void;
  /** By slot: the order's rank in the canonical order of all resting orders. */
  readonly #ranks: Uint32Array;
  #orders = 0;

  /** `onRecord` is called after every record, so that the caller can pass the bytes on and drop them. */
  constructor(state: State, writer: ByteWriter, onRecord: () => void) {
    if (state.touched.count > 0 || state.moved.count > 0) {
      throw new SnapshotFault("inconsistent_state", "the engine is in the middle of a command");
    }
    this.#state = state;
    this.#writer = writer;
    this.#onRecord = onRecord;
    this.#ranks = new Uint32Array(state.pool.capacity);
  }

  get #hasReferences(): boolean {
    return this.#state.rulesVersion >= RULES_WITH_REFERENCES;
  }

  writeAll(): void {
    const { markets, accounts, positions, conditionals } = this.#state;
    const writer = this.#writer;
    COUNTERS.write(writer, this.#state);
    TOTALS.write(writer, this.#state.totals);
    if (this.#hasReferences) RULES.write(writer, this.#state);
    if (this.#state.isFair) this.#writeFundHours();
    this.#onRecord();
    writer.number(markets.length);
    for (const market of markets) {
      MARKET_DEFINITION.write(writer, market.definition);
      MARKET_FIGURES.write(writer, market);
      if (this.#state.isFair) this.#writeFairMarket(market);
      this.#onRecord();
    }
    writer.number(accounts.count);
    for (let account = 0; account <= accounts.count; account += 1) {
      ACCOUNTS.write(writer, accounts, account);
      this.#writeVolumes(account);
      if (this.#hasReferences) writer.text(accounts.commitment(account));
      this.#onRecord();
    }
    writer.number(positions.count);
    for (let position = 1; position <= positions.count; position += 1) {
      POSITIONS.write(writer, positions, position);
      this.#onRecord();
    }
    for (const market of markets) this.#writeBook(market);
    this.#writeOwnerOrder();
    writer.number(conditionals.count);
    for (const conditional of [...conditionals.all()].sort((a, b) => a.id - b.id)) {
      CONDITIONALS.write(writer, conditional);
      if (this.#state.isFair) writer.number(conditional.tries);
      if (this.#state.hasOrderTerms) CONDITIONAL_TERMS.write(writer, conditional);
      this.#onRecord();
    }
    if (this.#state.isFair) this.#writeFairness();
  }

  #writeFundHours(): void {
    const writer = this.#writer;
    const { fundHours } = this.#state;
    FUND_HOURS.write(writer, fundHours);
    writer.number(fundHours.highs.length);
    for (const { hour, highest_micros } of fundHours.highs) {
      writer.number(hour);
      writer.signed(highest_micros);
    }
  }

  #writeFairness(): void {
    const writer = this.#writer;
    const { bonuses, held } = this.#state.fairness;
    const byAccount = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b;
    writer.number(bonuses.size);
    for (const [account, bonus] of [...bonuses].sort(byAccount)) {
      writer.number(account);
      FAIR_BONUS.write(writer, bonus);
    }
    writer.number(held.size);
    for (const [account, gains] of [...held].sort(byAccount)) {
      writer.number(account);
      writer.number(gains.length);
      for (const { hour, micros } of gains) {
        writer.number(hour);
        writer.number(micros);
      }
      this.#onRecord();
    }
  }

  #writeFairMarket(market: MarketState): void {
    const writer = this.#writer;
    MARKET_RULES_FORM.write(writer, market.rules);
    MARKET_FUND.write(writer, market.fund);
    const seconds = [...market.indexWindow.seconds(Math.floor(this.#state.time_ms / 1000))];
    writer.number(seconds.length);
    for (const { second, highest, lowest } of seconds) {
      writer.number(second);
      writer.number(highest);
      writer.number(lowest);
    }
  }

  /**
   * Writes the days with a volume, by age, so that the layout of the ring and the cells without a day do not matter.
   */
  #writeVolumes(account: number): void {
    const { accounts, day } = this.#state;
    const { volumes } = accounts;
    const start = accounts.volumesAt(account);
    const oldest = Math.min(day, VOLUME_DAYS - 1);
    let days = 0;
    for (let age = 0; age <= oldest; age += 1) if (volumes[start + ((day - age) % VOLUME_DAYS)] !== 0) days += 1;
    this.#writer.number(days);
    for (let age = 0; age <= oldest; age += 1) {
      const volume = volumes[start + ((day - age) % VOLUME_DAYS)]!;
      if (volume === 0) continue;
      this.#writer.number(age);
      this.#writer.number(volume + 0);
    }
  }

  #writeBook(market: MarketState): void {
    this.#writer.number(market.book.bids.orders + market.book.asks.orders);
    market.book.forEachResting((slot) => {
      this.#ranks[slot] = this.#orders;
      this.#orders += 1;
      this.#writeOrder(slot);
    });
  }

  #writeOrder(slot: number): void {
    const { pool, details } = this.#state;
    ORDERS.write(this.#writer, pool, slot);
    ORDER_DETAILS.write(this.#writer, details, slot);
    if (this.#state.hasOrderTerms) ORDER_TERMS.write(this.#writer, details, slot);
    if ((pool.flags(slot) & ORDER_HAS_NAME) !== 0) this.#writer.text(details.clientId(slot));
    this.#onRecord();
  }

  /** Writes each entry's orders from the oldest, as ranks: a modified order is newer there than its id suggests. */
  #writeOwnerOrder(): void {
    const { pool, positions } = this.#state;
    let linked = 0;
    for (let position = 1; position <= positions.count; position += 1) {
      this.#writer.number(positions.orders(position));
      let count = 0;
      for (let slot = positions.firstOrder(position); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
        count += 1;
        this.#writer.number(this.#ranks[slot]!);
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
}
