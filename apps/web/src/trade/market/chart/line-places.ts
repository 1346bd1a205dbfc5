import { Decimal } from "../../../lib/decimal.ts";

export interface PlacedLine {
  readonly id: string;
  /** From the top of the chart, in pixels; null where it is out of sight. */
  readonly y: number | null;
}

/** The line that a pointer at this height means; undefined where none is near enough. */
export function lineAt(lines: readonly PlacedLine[], y: number, reach: number): string | undefined {
  let found: string | undefined;
  let nearest = reach;
  for (const line of lines) {
    if (line.y === null) continue;
    const distance = Math.abs(line.y - y);
    if (distance > nearest) continue;
    nearest = distance;
    found = line.id;
  }
  return found;
}

/** More decimals than any tick has, so that the drawing's floating point rounds only once. */
const DRAWN_DECIMALS = 12;

/** The price on the tick that is nearest to a place on the chart; never below the first tick. */
export function snapToTick(drawn: number, tick: string): string {
  const step = Decimal.parse(tick);
  const ticks = Decimal.parse(Math.max(0, drawn).toFixed(DRAWN_DECIMALS)).div(step, 0, "halfUp");
  return Decimal.max(ticks, Decimal.ONE).mul(step).toString();
}
