import type { GTC, GTX, SelfTradePrevention, Side, TimeInForce } from "../codes.ts";

export interface Place {
  readonly kind: "place";
  readonly id: number;
  readonly account: number;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
  readonly timeInForce: TimeInForce;
  readonly selfTradePrevention: SelfTradePrevention;
}

export interface Cancel {
  readonly kind: "cancel";
  readonly id: number;
}

export interface Modify {
  readonly kind: "modify";
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
  readonly timeInForce: typeof GTC | typeof GTX;
  readonly selfTradePrevention: SelfTradePrevention;
}

export type Command = Place | Cancel | Modify;

export type BookEvent =
  | readonly ["filled", taker: number, maker: number, ticks: number, lots: number, takerLeft: number, makerLeft: number]
  | readonly ["makerExpired", taker: number, maker: number, makerLeft: number];

/** How the command ended, and the order's remaining lots. */
export type Answer = readonly [outcome: string, remainingLots: number];

/** A book as the tests use it. */
export interface TestedBook {
  apply(command: Command, events: BookEvent[]): Answer;
  /** Every resting order, best first, as a flat list of id, account, ticks, original and remaining lots. */
  orders(side: Side): number[];
  /** Every level, best first, as a flat list of ticks and lots. */
  depth(side: Side): number[];
}
