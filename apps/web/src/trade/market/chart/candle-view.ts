import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  type TickMarkType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { groupDigits } from "../../../lib/format.ts";
import { formatLocal } from "../../../lib/time.ts";
import type { ChartLine } from "../../chart-line.ts";
import type { Candle } from "./candles.ts";
import { type ChartColors, onColorsChanged, readColors, translucent } from "./colors.ts";
import { PriceLines } from "./price-lines.ts";

export interface CandleViewOptions {
  readonly container: HTMLElement;
  /** The candle under the crosshair, or the last one. */
  readonly onPointed: (candle: Candle | undefined) => void;
  /** The oldest candles come into sight. */
  readonly onOlderWanted: () => void;
}

export interface PriceTerms {
  readonly tick_size: string;
  readonly price_decimals: number;
}

/** How many candles before the left edge more are loaded. */
const OLDER_WITHIN = 40;
const VOLUME_ALPHA = "66";

const timeOf = ({ open_ms }: Candle) => (open_ms / 1000) as UTCTimestamp;
const msOf = (time: Time) => Number(time) * 1000;

/** Of the axis, in the reader's zone: the number is the library's kind of mark, from years to seconds. */
function tickMark(time: Time, kind: TickMarkType): string {
  const text = formatLocal(msOf(time));
  return [text.slice(0, 4), text.slice(0, 7), text.slice(5, 10), text.slice(11, 16), text.slice(11)][kind] ?? text;
}

/** The drawing itself, outside React: candles, volume, the trader's lines. */
export class CandleView {
  readonly #options: CandleViewOptions;
  readonly #chart: IChartApi;
  readonly #candleSeries: ISeriesApi<"Candlestick">;
  readonly #volumeSeries: ISeriesApi<"Histogram">;
  readonly #lines: PriceLines;
  readonly #stopColors: () => void;
  #colors: ChartColors = readColors();
  #terms: PriceTerms = { tick_size: "0.1", price_decimals: 1 };
  #candles: readonly Candle[] = [];
  #isPointing = false;

  constructor(options: CandleViewOptions) {
    this.#options = options;
    this.#chart = createChart(options.container, {
      autoSize: true,
      crosshair: { mode: CrosshairMode.Normal },
      localization: {
        priceFormatter: (price: number) => groupDigits(price.toFixed(this.#terms.price_decimals)),
        timeFormatter: (time: Time) => formatLocal(msOf(time), "minute"),
      },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 8, tickMarkFormatter: tickMark },
    });
    this.#candleSeries = this.#chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.#volumeSeries = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#candleSeries.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.22 } });
    this.#lines = new PriceLines({
      container: options.container,
      series: this.#candleSeries,
      colors: () => this.#colors,
      tick: () => this.#terms.tick_size,
      setMovable: (isMovable) => this.#chart.applyOptions({ handleScroll: isMovable, handleScale: isMovable }),
    });
    this.#chart.subscribeCrosshairMove((event) => this.#onCrosshair(event));
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < OLDER_WITHIN && this.#candles.length > 0) options.onOlderWanted();
    });
    this.#stopColors = onColorsChanged(() => this.#paint());
    this.#paint();
  }

  dispose(): void {
    this.#stopColors();
    this.#lines.dispose();
    this.#chart.remove();
  }

  setTerms(terms: PriceTerms): void {
    this.#terms = terms;
    this.#candleSeries.applyOptions({
      priceFormat: { type: "price", precision: terms.price_decimals, minMove: Number(terms.tick_size) },
    });
  }

  setLines(lines: readonly ChartLine[]): void {
    this.#lines.show(lines);
  }

  /** Another market or interval: nothing of the old one may be seen, and the view goes to the present. */
  clear(): void {
    this.#draw([]);
    this.#candles = [];
    this.#chart.timeScale().resetTimeScale();
    this.#candleSeries.priceScale().applyOptions({ autoScale: true });
    this.#tellLast();
  }

  show(candles: readonly Candle[], changedFrom: number): void {
    const isTail = changedFrom > 0 && changedFrom >= this.#candles.length - 1;
    this.#candles = candles;
    if (isTail) {
      for (const candle of candles.slice(changedFrom)) {
        this.#candleSeries.update(this.#barOf(candle));
        this.#volumeSeries.update(this.#volumeOf(candle));
      }
    } else {
      this.#draw(candles);
    }
    if (!this.#isPointing) this.#tellLast();
  }

  #tellLast(): void {
    this.#options.onPointed(this.#candles.at(-1));
  }

  #draw(candles: readonly Candle[]): void {
    this.#candleSeries.setData(candles.map((candle) => this.#barOf(candle)));
    this.#volumeSeries.setData(candles.map((candle) => this.#volumeOf(candle)));
  }

  #barOf(candle: Candle) {
    const { open, high, low, close } = candle;
    return { time: timeOf(candle), open, high, low, close };
  }

  #volumeOf(candle: Candle) {
    const { up, down } = this.#colors.tones;
    const color = translucent(candle.close >= candle.open ? up : down, VOLUME_ALPHA);
    return { time: timeOf(candle), value: candle.volume, color };
  }

  #onCrosshair({ time }: MouseEventParams): void {
    this.#isPointing = time !== undefined;
    if (time === undefined) this.#tellLast();
    else this.#options.onPointed(this.#candles.find(({ open_ms }) => open_ms === msOf(time)));
  }

  /** In the colours of the page, now and whenever they change. */
  #paint(): void {
    this.#colors = readColors();
    const { panel, line, muted, faint, raised, tones } = this.#colors;
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: panel },
        textColor: muted,
        fontSize: 11,
        fontFamily: getComputedStyle(document.body).fontFamily,
        panes: { separatorColor: line },
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      crosshair: {
        vertLine: { color: faint, labelBackgroundColor: raised },
        horzLine: { color: faint, labelBackgroundColor: raised },
      },
      rightPriceScale: { borderVisible: false },
      timeScale: { borderVisible: false },
    });
    this.#candleSeries.applyOptions({
      upColor: tones.up,
      downColor: tones.down,
      wickUpColor: tones.up,
      wickDownColor: tones.down,
    });
    this.#volumeSeries.setData(this.#candles.map((candle) => this.#volumeOf(candle)));
    this.#lines.recolor();
  }
}
