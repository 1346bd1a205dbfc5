import { type IPriceLine, type ISeriesApi, LineStyle, type PriceLineOptions } from "lightweight-charts";
import { formatDecimal } from "../../../lib/format.ts";
import type { ChartLine } from "../../chart-line.ts";
import type { ChartColors } from "./colors.ts";
import { lineAt, snapToTick } from "./line-places.ts";

const STYLES: Readonly<Record<ChartLine["kind"], LineStyle>> = {
  position: LineStyle.Solid,
  order: LineStyle.Dashed,
  trigger: LineStyle.Dotted,
  liquidation: LineStyle.LargeDashed,
};

const MOUSE_REACH_PX = 5;
const FINGER_REACH_PX = 14;

interface Drawn {
  line: ChartLine;
  readonly shape: IPriceLine;
}

interface Drag {
  readonly id: string;
  readonly pointer: number;
  price: string;
}

export interface PriceLinesOptions {
  /** What the candles are drawn in. */
  readonly container: HTMLElement;
  readonly series: ISeriesApi<"Candlestick">;
  readonly colors: () => ChartColors;
  readonly tick: () => string;
  /** While a line is dragged the chart itself must lie still. */
  readonly setMovable: (isMovable: boolean) => void;
}

/** The trader's lines over the candles; those with `onDrop` can be dragged to another price. */
export class PriceLines {
  readonly #options: PriceLinesOptions;
  readonly #drawn = new Map<string, Drawn>();
  readonly #ending = new AbortController();
  #drag: Drag | undefined;

  constructor(options: PriceLinesOptions) {
    this.#options = options;
    const { container } = options;
    const { signal } = this.#ending;
    // Before the chart hears of it.
    const early = { capture: true, signal };
    container.addEventListener("pointerdown", (event) => this.#onDown(event), early);
    container.addEventListener("pointermove", (event) => this.#onMove(event), early);
    container.addEventListener("pointerup", (event) => this.#onUp(event), early);
    container.addEventListener("pointercancel", () => this.#cancel(), early);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#cancel(), { signal });
  }

  show(lines: readonly ChartLine[]): void {
    const wanted = new Map(lines.map((line) => [line.id, line]));
    for (const [id, { shape }] of this.#drawn) {
      if (wanted.has(id)) continue;
      this.#options.series.removePriceLine(shape);
      this.#drawn.delete(id);
      if (this.#drag?.id === id) this.#end();
    }
    for (const line of lines) {
      const drawn = this.#drawn.get(line.id);
      if (drawn === undefined) {
        this.#drawn.set(line.id, { line, shape: this.#options.series.createPriceLine(this.#lookOf(line)) });
      } else if (drawn.line !== line) {
        drawn.line = line;
        this.#redraw(drawn);
      }
    }
  }

  recolor(): void {
    for (const drawn of this.#drawn.values()) this.#redraw(drawn);
  }

  dispose(): void {
    this.#ending.abort();
  }

  #lookOf(line: ChartLine): PriceLineOptions {
    const { tones, ground } = this.#options.colors();
    const color = tones[line.tone];
    const dragged = this.#drag?.id === line.id ? this.#drag.price : undefined;
    return {
      id: line.id,
      price: Number(dragged ?? line.price),
      color,
      lineWidth: dragged === undefined ? 1 : 2,
      lineStyle: STYLES[line.kind],
      lineVisible: true,
      axisLabelVisible: true,
      title: dragged === undefined ? line.title : `${line.title} → ${formatDecimal(dragged)}`,
      axisLabelColor: color,
      axisLabelTextColor: ground,
    };
  }

  #redraw({ line, shape }: Drawn): void {
    shape.applyOptions(this.#lookOf(line));
  }

  #yOf(event: PointerEvent): number {
    return event.clientY - this.#options.container.getBoundingClientRect().top;
  }

  #draggableAt(event: PointerEvent): string | undefined {
    const places = [...this.#drawn.values()]
      .filter(({ line }) => line.onDrop !== undefined)
      .map(({ line }) => ({ id: line.id, y: this.#options.series.priceToCoordinate(Number(line.price)) }));
    return lineAt(places, this.#yOf(event), event.pointerType === "mouse" ? MOUSE_REACH_PX : FINGER_REACH_PX);
  }

  #onDown(event: PointerEvent): void {
    const id = event.button === 0 ? this.#draggableAt(event) : undefined;
    const drawn = id === undefined ? undefined : this.#drawn.get(id);
    if (id === undefined || drawn === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#options.container.setPointerCapture(event.pointerId);
    this.#options.setMovable(false);
    this.#drag = { id, pointer: event.pointerId, price: drawn.line.price };
    this.#redraw(drawn);
  }

  #onMove(event: PointerEvent): void {
    const { container, series, tick } = this.#options;
    const drag = this.#drag;
    if (drag === undefined) {
      container.style.cursor = this.#draggableAt(event) === undefined ? "" : "ns-resize";
      return;
    }
    const drawn = this.#drawn.get(drag.id);
    const at = series.coordinateToPrice(this.#yOf(event));
    if (event.pointerId !== drag.pointer || drawn === undefined || at === null) return;
    event.stopPropagation();
    drag.price = snapToTick(at, tick());
    this.#redraw(drawn);
  }

  #onUp(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === undefined || event.pointerId !== drag.pointer) return;
    event.stopPropagation();
    const line = this.#drawn.get(drag.id)?.line;
    this.#end();
    if (line !== undefined && Number(line.price) !== Number(drag.price)) line.onDrop?.(drag.price);
  }

  #cancel(): void {
    if (this.#drag !== undefined) this.#end();
  }

  /** The line is back where it belongs; where it was dropped it goes when the order says so. */
  #end(): void {
    const drag = this.#drag;
    this.#drag = undefined;
    this.#options.setMovable(true);
    this.#options.container.style.cursor = "";
    const drawn = drag === undefined ? undefined : this.#drawn.get(drag.id);
    if (drawn !== undefined) this.#redraw(drawn);
  }
}
