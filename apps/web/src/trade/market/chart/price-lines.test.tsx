import "../../../../testing/dom.ts";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { IPriceLine, ISeriesApi, PriceLineOptions } from "lightweight-charts";
import type { ChartLine } from "../../chart-line.ts";
import { PriceLines } from "./price-lines.ts";

const TONES = { up: "#00ff00", down: "#ff0000", warn: "#ffff00", accent: "#0000ff" };
const COLORS = { panel: "", ground: "#000000", line: "", muted: "", faint: "", raised: "", tones: TONES };

/** A chart on which a pixel is a dollar: 60,000 at the top. */
function draw() {
  const container = document.createElement("div");
  container.setPointerCapture = () => {};
  document.body.append(container);
  const shapes: PriceLineOptions[] = [];
  const series = {
    createPriceLine: (options: PriceLineOptions) => {
      shapes.push(options);
      return {
        applyOptions: (next: Partial<PriceLineOptions>) => Object.assign(options, next),
        options,
      } as unknown as IPriceLine;
    },
    removePriceLine: (shape: { options: PriceLineOptions }) => shapes.splice(shapes.indexOf(shape.options), 1),
    priceToCoordinate: (price: number) => 60_000 - price,
    coordinateToPrice: (y: number) => 60_000 - y,
  };
  const moves: boolean[] = [];
  const lines = new PriceLines({
    container,
    series: series as unknown as ISeriesApi<"Candlestick">,
    colors: () => COLORS,
    tick: () => "0.5",
    setMovable: (isMovable) => moves.push(isMovable),
  });
  const point = (type: string, clientY: number) =>
    container.dispatchEvent(
      new PointerEvent(type, { clientY, pointerId: 1, pointerType: "mouse", button: 0, bubbles: true }),
    );
  return { lines, shapes, point, container, moves };
}

let dropped: string[] = [];
beforeEach(() => {
  dropped = [];
});
const order = (price: string, more: Partial<ChartLine> = {}): ChartLine => ({
  id: "order 1",
  kind: "order",
  price,
  title: "Buy 0.1",
  tone: "up",
  onDrop: (to) => dropped.push(to),
  ...more,
});

test("lines are drawn, changed and taken away as they are given", () => {
  const { lines, shapes } = draw();
  lines.show([order("59900"), order("59000", { id: "liquidation", kind: "liquidation", tone: "warn" })]);
  assert.deepEqual(
    shapes.map(({ price, color }) => [price, color]),
    [
      [59_900, TONES.up],
      [59_000, TONES.warn],
    ],
  );
  lines.show([order("59800")]);
  assert.deepEqual(
    shapes.map(({ price }) => price),
    [59_800],
  );
});

test("a line that is dragged is dropped on a tick, once, while the chart lies still", () => {
  const { lines, shapes, point, moves, container } = draw();
  lines.show([order("59900")]);
  point("pointermove", 102);
  assert.equal(container.style.cursor, "ns-resize");
  point("pointerdown", 102);
  assert.deepEqual(moves, [false]);
  point("pointermove", 150.4);
  assert.equal(shapes[0]?.price, 59_849.5);
  assert.match(shapes[0]?.title ?? "", /59,849\.5/);
  point("pointerup", 150.4);
  assert.deepEqual(dropped, ["59849.5"]);
  assert.deepEqual(moves, [false, true]);
  assert.equal(shapes[0]?.price, 59_900, "it stands where the order is until that says otherwise");
});

test("Escape puts a dragged line back", () => {
  const { lines, shapes, point } = draw();
  lines.show([order("59900")]);
  point("pointerdown", 100);
  point("pointermove", 150);
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  point("pointerup", 150);
  assert.deepEqual(dropped, []);
  assert.equal(shapes[0]?.price, 59_900);
});

test("a click without a move, a place beside the line, and a line that cannot be moved do nothing", () => {
  const { lines, point, moves } = draw();
  const { onDrop: _onDrop, ...fixed } = order("59700", { id: "position", kind: "position" });
  lines.show([order("59900"), fixed]);
  point("pointerdown", 100);
  point("pointerup", 100);
  point("pointerdown", 120);
  point("pointerup", 140);
  point("pointerdown", 300);
  point("pointerup", 320);
  assert.deepEqual(dropped, []);
  assert.deepEqual(moves, [false, true]);
});

test("an order that is gone while its line is dragged ends the drag", () => {
  const { lines, point, moves } = draw();
  lines.show([order("59900")]);
  point("pointerdown", 100);
  lines.show([]);
  point("pointerup", 150);
  assert.deepEqual(dropped, []);
  assert.deepEqual(moves, [false, true]);
});
