import { type EventOf, notionalOf } from "@bourse/engine";
import {
  type Applied,
  type Columns,
  countedOf,
  hasVolume,
  type ProjectedBatch,
  ProjectionFault,
  RowInserter,
  type RowOf,
} from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { DAY_ms, dayNumberOf, dayOf } from "../../kernel/dates.ts";

const ACCRUAL_COLUMNS = {
  market: "integer",
  trade: "bigint",
  side: "smallint",
  account: "integer",
  day: "date",
  terms_version: "bigint",
  fee_micros: "bigint",
  counted_micros: "bigint",
  volume_micros: "bigint",
  reason: "text",
  time_ms: "bigint",
  command_number: "bigint",
  event_index: "integer",
} as const satisfies Columns;

const SUM_COLUMNS = {
  day: "date",
  account: "integer",
  terms_version: "bigint",
  counted_micros: "bigint",
  skipped_micros: "bigint",
  volume_micros: "bigint",
  fills: "integer",
  skipped_fills: "integer",
  last_command: "bigint",
  last_event: "integer",
} as const satisfies Columns;

const ADD_SUMS = `
  on conflict (day, account, terms_version) do update set
    counted_micros = broker_pre_settlement.counted_micros + excluded.counted_micros,
    skipped_micros = broker_pre_settlement.skipped_micros + excluded.skipped_micros,
    volume_micros = broker_pre_settlement.volume_micros + excluded.volume_micros,
    fills = broker_pre_settlement.fills + excluded.fills,
    skipped_fills = broker_pre_settlement.skipped_fills + excluded.skipped_fills,
    last_command = excluded.last_command,
    last_event = excluded.last_event`;

const accruals = new RowInserter("broker_accrual", ACCRUAL_COLUMNS);
const sums = new RowInserter("broker_pre_settlement", SUM_COLUMNS, ADD_SUMS);

type AccrualRow = RowOf<typeof ACCRUAL_COLUMNS>;
type SumRow = RowOf<typeof SUM_COLUMNS>;
type Fill = EventOf<"fill">;

/** The rows of one batch: each fill under some terms, and the sums by (day, account, terms). */
class BatchAccruals {
  readonly rows: AccrualRow[] = [];
  readonly #sums = new Map<string, SumRow>();
  readonly #units_micros: ReadonlyMap<number, number>;
  #day = { number: Number.NaN, text: "" };

  constructor(units_micros: ReadonlyMap<number, number>) {
    this.#units_micros = units_micros;
  }

  add(fill: Fill, { number: command_number, time_ms }: Applied, event_index: number): void {
    const { market, trade, side, account, termsVersion: terms_version, fee_micros } = fill;
    const { counted_micros, reason } = countedOf(fill);
    const day = this.#dayOf(time_ms);
    const place = { time_ms, command_number, event_index };
    const volume_micros = this.#volumeOf(fill);
    const money = { fee_micros, counted_micros, volume_micros, reason };
    const row = { market, trade, side, account, day, terms_version, ...money, ...place };
    // The inserter writes null for missing values.
    this.rows.push(row as AccrualRow);
    const sum = this.#sumOf(day, account, terms_version);
    sum.counted_micros += counted_micros;
    sum.skipped_micros += fee_micros - counted_micros;
    sum.volume_micros += volume_micros;
    sum.fills += 1;
    if (counted_micros === 0) sum.skipped_fills += 1;
    sum.last_command = command_number;
    sum.last_event = event_index;
  }

  get sums(): SumRow[] {
    return [...this.#sums.values()];
  }

  #sumOf(day: string, account: number, terms_version: number): SumRow {
    const key = `${day} ${account} ${terms_version}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      const none = { counted_micros: 0, skipped_micros: 0, volume_micros: 0, fills: 0, skipped_fills: 0 };
      sum = { day, account, terms_version, ...none, last_command: 0, last_event: 0 };
      this.#sums.set(key, sum);
    }
    return sum;
  }

  /** A self-trade has no volume, and neither has a trade at an unfair price (FUT-15). */
  #volumeOf(fill: Fill): number {
    if (!hasVolume(fill)) return 0;
    const { market, ticks, lots } = fill;
    const unit_micros = this.#units_micros.get(market);
    if (unit_micros === undefined) throw new ProjectionFault(`a fill in market ${market}, which is unknown`);
    return notionalOf(ticks, lots, unit_micros);
  }

  /** Cached, because nearly all fills of a batch are of one day. */
  #dayOf(time_ms: number): string {
    const number = dayNumberOf(time_ms);
    if (number !== this.#day.number) {
      this.#day = { number, text: dayOf(number * DAY_ms) };
    }
    return this.#day.text;
  }
}

/**
 * BRK-8: the projection for accruals. It writes each fill under some terms once, by the fill's id, and adds it to the sum
 * of its day, account and terms.
 */
export async function projectAccruals(tx: Tx, { applied, units_micros }: ProjectedBatch): Promise<void> {
  const batch = new BatchAccruals(units_micros);
  for (const command of applied) {
    const { events } = command;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      if (event.kind === "fill" && event.termsVersion > 0) batch.add(event, command, index);
    }
  }
  if (batch.rows.length === 0) return;
  await accruals.insert(tx, batch.rows);
  await sums.insert(tx, batch.sums);
}
