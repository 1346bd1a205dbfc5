import { BUY } from "@bourse/engine";
import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import { INDEX_KIND, type KlineKind, type KlineRow, MARK_KIND, TRADES_KIND } from "./tables.ts";

/** What is kept; other intervals are summed up from these. */
export const KEPT_INTERVALS_ms = [MINUTE_ms, HOUR_ms] as const;

const KINDS = Math.max(TRADES_KIND, MARK_KIND, INDEX_KIND) + 1;

interface Trade {
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly takerSide: number;
}

/** The candles that a stretch of events touched, as far as these events go; the table adds them to what it has. */
export class KlineDrafts {
  readonly #rows = new Map<string, KlineRow>();
  /** The candle that was touched last, by market, kind and interval: nearly always the one that is touched next. */
  readonly #latest = new Map<number, KlineRow>();

  get rows(): KlineRow[] {
    return [...this.#rows.values()];
  }

  hearTrade(market: number, time_ms: number, trade: Trade): void {
    const isBuy = trade.takerSide === BUY;
    const quote_micros = BigInt(trade.quote_micros);
    for (const interval_ms of KEPT_INTERVALS_ms) {
      const row = this.#moved(market, TRADES_KIND, interval_ms, time_ms, trade.ticks);
      row.lots += trade.lots;
      row.quote_micros += quote_micros;
      row.trades += 1;
      if (!isBuy) continue;
      row.taker_buy_lots += trade.lots;
      row.taker_buy_quote_micros += quote_micros;
    }
  }

  hearPrices(market: number, time_ms: number, markTicks: number, indexTicks: number): void {
    for (const interval_ms of KEPT_INTERVALS_ms) {
      this.#moved(market, MARK_KIND, interval_ms, time_ms, markTicks);
      this.#moved(market, INDEX_KIND, interval_ms, time_ms, indexTicks);
    }
  }

  #moved(market: number, kind: KlineKind, interval_ms: number, time_ms: number, ticks: number): KlineRow {
    const open_ms = time_ms - (time_ms % interval_ms);
    const place = (market * KINDS + kind) * 2 + (interval_ms === MINUTE_ms ? 0 : 1);
    let row = this.#latest.get(place);
    if (row?.open_ms !== open_ms) {
      row = this.#rowOf(market, kind, interval_ms, open_ms, ticks);
      this.#latest.set(place, row);
    }
    row.high_ticks = Math.max(row.high_ticks, ticks);
    row.low_ticks = Math.min(row.low_ticks, ticks);
    row.close_ticks = ticks;
    return row;
  }

  #rowOf(market: number, kind: KlineKind, interval_ms: number, open_ms: number, ticks: number): KlineRow {
    const key = `${market}:${kind}:${interval_ms}:${open_ms}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = {
        market,
        kind,
        interval_ms,
        open_ms,
        open_ticks: ticks,
        high_ticks: ticks,
        low_ticks: ticks,
        close_ticks: ticks,
        lots: 0,
        quote_micros: 0n,
        trades: 0,
        taker_buy_lots: 0,
        taker_buy_quote_micros: 0n,
      };
      this.#rows.set(key, row);
    }
    return row;
  }
}
