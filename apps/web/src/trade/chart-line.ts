/** A line over the candles: something of the trader's own at a price. */
export interface ChartLine {
  readonly id: string;
  readonly kind: "position" | "order" | "trigger" | "liquidation";
  readonly price: string;
  readonly title: string;
  readonly tone: "up" | "down" | "warn" | "accent";
  /** Present where the line can be dragged; called once, with a price on the tick, when it is dropped. */
  readonly onDrop?: (price: string) => void;
}
