import { BUY, type EngineEvent, type EventOf, notionalOf } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Moment } from "./order-drafts.ts";
import type { PairHourRow, RiskEventKind, RiskEventRow } from "./tables.ts";

type Fill = EventOf<"fill">;

/** The last prices of a market. */
export interface KnownPrices {
  readonly indexTicks: number;
  readonly markTicks: number;
}

/** INV-11: a fill counts as far from the mark when it is further away than this part of it. */
const FAR_per_thousand = 2;

/** A trade as the public record tells it, by the cause of the side whose fill stands in the row. */
const TOLD: Readonly<
  Partial<Record<Fill["cause"], { kind: RiskEventKind; isTold: (fill: Fill, place: 0 | 1) => boolean }>>
> = {
  liquidation: { kind: "liquidation", isTold: ({ isMaker }) => isMaker === 0 },
  fund: { kind: "fund", isTold: ({ isMaker }) => isMaker === 0 },
  // Lots that move outside the book: first the position that is given away, then the one that takes it.
  takeover: { kind: "takeover", isTold: (_fill, place) => place === 0 },
  adl: { kind: "adl", isTold: (_fill, place) => place === 1 },
};

/** Lots that nobody traded: they are in the public record, and no transfer between two accounts. */
const OUTSIDE_BOOK: ReadonlySet<string> = new Set(["takeover", "adl"]);

const isFar = (ticks: number, markTicks: number) => Math.abs(ticks - markTicks) * 1_000 > markTicks * FAR_per_thousand;

/**
 * FUT-24, INV-11: the public record of a stretch of events, and what pairs of accounts traded in it far from the mark. A trade has two fills, one
 * behind the other.
 */
export class RiskDrafts {
  readonly events: RiskEventRow[] = [];
  readonly #pairs = new Map<string, PairHourRow>();
  /** Events name no index; it is that of the last price. */
  readonly #prices: Map<number, KnownPrices>;
  #first: Fill | undefined;

  constructor(prices: ReadonlyMap<number, KnownPrices>) {
    this.#prices = new Map(prices);
  }

  /** After this stretch. */
  get prices(): ReadonlyMap<number, KnownPrices> {
    return this.#prices;
  }

  get pairs(): PairHourRow[] {
    return [...this.#pairs.values()];
  }

  hear(event: EngineEvent, moment: Moment, event_index: number, unit_micros: (market: number) => number): void {
    switch (event.kind) {
      case "price_set": {
        const { indexTicks, markTicks } = event;
        this.#prices.set(event.market, { indexTicks, markTicks });
        return;
      }
      case "fill":
        this.#onFill(event, moment, event_index, unit_micros);
        return;
      case "adl":
        // It comes behind the fills that it explains.
        this.events.at(-1)!.reason = event.reason;
        return;
      case "fund_capped": {
        const { market, outflow_micros, cap_micros, equity_micros, until_ms } = event;
        const figures = { outflow_micros, cap_micros, equity_micros, until_ms };
        this.#add("fund_capped", market, moment, event_index, figures);
        return;
      }
      default:
    }
  }

  #onFill(fill: Fill, moment: Moment, event_index: number, unit_micros: (market: number) => number): void {
    const first = this.#first;
    if (first === undefined || first.trade !== fill.trade || first.market !== fill.market) {
      this.#first = fill;
      return;
    }
    this.#first = undefined;
    this.#tell(first, fill, moment, event_index);
    if (fill.markTicks === 0 || !isFar(fill.ticks, fill.markTicks)) return;
    if (fill.account === first.account || OUTSIDE_BOOK.has(fill.cause)) return;
    this.#addToPair(first, fill, moment, unit_micros(fill.market));
  }

  #tell(first: Fill, second: Fill, moment: Moment, event_index: number): void {
    const isFirst = TOLD[first.cause]?.isTold(first, 0) === true;
    const [own, other] = isFirst ? [first, second] : [second, first];
    const told = TOLD[own.cause];
    if (told === undefined || !told.isTold(own, isFirst ? 0 : 1)) return;
    const { account, side, lots, ticks } = own;
    const figures = { account, counterparty: other.account, side, lots, ticks };
    this.#add(told.kind, own.market, moment, event_index, figures);
  }

  #add(
    kind: RiskEventKind,
    market: number,
    { number: command_number, time_ms }: Moment,
    event_index: number,
    figures: Partial<RiskEventRow>,
  ): void {
    const prices = this.#prices.get(market);
    this.events.push({
      market,
      command_number,
      event_index,
      time_ms,
      kind,
      account: null,
      counterparty: null,
      side: null,
      lots: null,
      ticks: null,
      mark_ticks: prices?.markTicks ?? null,
      index_ticks: prices?.indexTicks ?? null,
      reason: "",
      outflow_micros: null,
      cap_micros: null,
      equity_micros: null,
      until_ms: null,
      ...figures,
    });
  }

  #addToPair(first: Fill, second: Fill, { time_ms }: Moment, unit_micros: number): void {
    const { ticks, lots, markTicks } = second;
    const [buyer, seller] = second.side === BUY ? [second, first] : [first, second];
    const row = this.#pairOf(buyer.account, seller.account, Math.floor(time_ms / HOUR_ms));
    row.quote_micros += notionalOf(ticks, lots, unit_micros);
    const moved_micros = notionalOf(Math.abs(ticks - markTicks), lots, unit_micros);
    const payer = ticks > markTicks ? buyer : seller;
    if (payer.account === row.account) row.given_micros += moved_micros;
    else row.taken_micros += moved_micros;
  }

  #pairOf(one: number, other: number, hour: number): PairHourRow {
    const account = Math.min(one, other);
    const counterparty = Math.max(one, other);
    const key = `${account}:${counterparty}:${hour}`;
    let row = this.#pairs.get(key);
    if (row === undefined) {
      row = { account, counterparty, hour, quote_micros: 0, given_micros: 0, taken_micros: 0 };
      this.#pairs.set(key, row);
    }
    return row;
  }
}
