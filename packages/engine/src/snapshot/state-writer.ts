import { NO_SLOT } from "../book/order-pool.ts";
import type { ByteWriter } from "../codec/byte-writer.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { SnapshotFault } from "./snapshot-fault.ts";
import {
  ACCOUNTS,
  CONDITIONALS,
  COUNTERS,
  MARKET_FIGURES,
  MARKET_TERMS,
  ORDER_DETAILS,
  ORDERS,
  POSITIONS,
  RULES,
  TOTALS,
} from "./state-tables.ts";

/**
 * Writes everything an engine remembers in one canonical form: the same logical state gives the same bytes, whatever its
 * history. What the records hold stands in the tables; `StateReader` reads them in the same order.
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

  get #hasReferences(): boolean {
    return this.#state.rulesVersion >= RULES_WITH_REFERENCES;
  }

  writeAll(): void {
    const { markets, accounts, positions, conditionals } = this.#state;
    const writer = this.#writer;
    COUNTERS.write(writer, this.#state);
    TOTALS.write(writer, this.#state.totals);
    if (this.#hasReferences) RULES.write(writer, this.#state);
    this.#onRecord();
    writer.number(markets.length);
    for (const market of markets) {
      MARKET_TERMS.write(writer, market.terms);
      MARKET_FIGURES.write(writer, market);
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
      this.#onRecord();
    }
  }

  /** Days with a volume, by age: how the ring lies in memory does not matter, nor what stands where no day is. */
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
      this.#places[slot] = this.#orders;
      this.#orders += 1;
      this.#writeOrder(slot);
    });
  }

  #writeOrder(slot: number): void {
    const { pool, details } = this.#state;
    ORDERS.write(this.#writer, pool, slot);
    ORDER_DETAILS.write(this.#writer, details, slot);
    if ((pool.flags(slot) & ORDER_HAS_NAME) !== 0) this.#writer.text(details.clientId(slot));
    this.#onRecord();
  }

  /** Each symbol's orders from the oldest, as places: a modified order is younger there than its id says. */
  #writeOwnerOrder(): void {
    const { pool, positions } = this.#state;
    let linked = 0;
    for (let position = 1; position <= positions.count; position += 1) {
      this.#writer.number(positions.orders(position));
      let count = 0;
      for (let slot = positions.firstOrder(position); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
        count += 1;
        this.#writer.number(this.#places[slot]!);
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
