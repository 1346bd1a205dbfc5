import assert from "node:assert/strict";
import { checkBook } from "../check-book.ts";
import {
  BUY,
  FOK,
  GTC,
  GTX,
  IOC,
  SELL,
  STP_EXPIRE_BOTH,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
} from "../codes.ts";
import type { BookEvent, Command } from "./command.ts";
import { EngineBook } from "./engine-book.ts";

const SIDES = { BUY, SELL } as const;
const TIMES_IN_FORCE = { GTC, IOC, FOK, GTX } as const;
const PREVENTIONS = {
  EXPIRE_MAKER: STP_EXPIRE_MAKER,
  EXPIRE_TAKER: STP_EXPIRE_TAKER,
  EXPIRE_BOTH: STP_EXPIRE_BOTH,
  NONE: STP_NONE,
} as const;

export interface PlaceOptions {
  readonly account?: number;
  readonly timeInForce?: keyof typeof TIMES_IN_FORCE;
  readonly stp?: keyof typeof PREVENTIONS;
}

/** A book for examples: orders and events as text. Checks itself after each command. */
export class ExampleBook {
  readonly engine = new EngineBook();
  #nextAccount = 100;

  /** Without `account` the order belongs to another account. Returns the outcome, the remaining lots and the events. */
  place(id: number, side: keyof typeof SIDES, lots: number, ticks: number, options: PlaceOptions = {}): unknown[] {
    return this.#apply({
      kind: "place",
      ...{ id, side: SIDES[side], lots, ticks },
      account: options.account ?? this.#nextAccount++,
      timeInForce: TIMES_IN_FORCE[options.timeInForce ?? "GTC"],
      selfTradePrevention: PREVENTIONS[options.stp ?? "EXPIRE_MAKER"],
    });
  }

  modify(id: number, lots: number, ticks: number, timeInForce: "GTC" | "GTX" = "GTC"): unknown[] {
    return this.#apply({
      kind: "modify",
      ...{ id, lots, ticks },
      timeInForce: TIMES_IN_FORCE[timeInForce],
      selfTradePrevention: STP_EXPIRE_MAKER,
    });
  }

  cancel(id: number): unknown[] {
    return this.#apply({ kind: "cancel", id });
  }

  /** The orders of a side in the order in which they would trade, as `id: remaining/original @ ticks`. */
  line(side: keyof typeof SIDES): string[] {
    const flat = this.engine.orders(SIDES[side]);
    return Array.from({ length: flat.length / 5 }, (_, i) => {
      const [id, , ticks, original, remaining] = flat.slice(i * 5);
      return `${id}: ${remaining}/${original} @ ${ticks}`;
    });
  }

  #apply(command: Command): unknown[] {
    const events: BookEvent[] = [];
    const answer = this.engine.apply(command, events);
    checkBook(this.engine.book);
    assert.equal(this.engine.pool.taken, this.engine.book.index.size);
    return [...answer, ...events];
  }
}
