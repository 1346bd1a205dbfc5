import type { Side } from "@bourse/engine";
import type {
  Answer,
  BookEvent,
  Command,
  Modify,
  Place,
  TestedBook,
} from "../../../engine/src/book/testing/command.ts";

interface NaiveOrder {
  readonly id: number;
  readonly account: number;
  readonly side: Side;
  ticks: number;
  lots: number;
  remaining: number;
}

type Taking = Pick<Place, "timeInForce" | "selfTradePrevention">;

/** In the order of the engine's codes, repeated here so that an error in the engine's list shows. */
const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTX"] as const;
const PREVENTIONS = ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"] as const;

/**
 * The oracle: the rules of the book in the most obvious way, two arrays of plain objects with the best order first. It
 * shares only types with the engine's book.
 */
export class NaiveBook implements TestedBook {
  readonly #sides: readonly [NaiveOrder[], NaiveOrder[]] = [[], []];

  apply(command: Command, events: BookEvent[]): Answer {
    if (command.kind === "place") {
      const { id, account, side, ticks, lots } = command;
      return this.#submit({ id, account, side, ticks, lots, remaining: lots }, command, events);
    }
    const order = [...this.#sides[0], ...this.#sides[1]].find(({ id }) => id === command.id);
    if (order === undefined) return ["UNKNOWN", 0];
    if (command.kind === "modify") return this.#modify(order, command, events);
    this.#remove(order);
    return ["CANCELED", order.remaining];
  }

  orders(side: Side): number[] {
    return this.#sides[side].flatMap(({ id, account, ticks, lots, remaining }) => [
      id,
      account,
      ticks,
      lots,
      remaining,
    ]);
  }

  depth(side: Side): number[] {
    const totals = new Map<number, number>();
    for (const { ticks, remaining } of this.#sides[side]) totals.set(ticks, (totals.get(ticks) ?? 0) + remaining);
    return [...totals].flat();
  }

  #modify(order: NaiveOrder, { ticks, lots, ...taking }: Modify, events: BookEvent[]): Answer {
    if (ticks === order.ticks && lots === order.lots) return ["UNCHANGED", order.remaining];
    this.#remove(order);
    const executed = order.lots - order.remaining;
    if (lots <= executed) return ["CANCELED", order.remaining];
    return this.#submit({ ...order, ticks, lots, remaining: lots - executed }, taking, events);
  }

  #submit(taker: NaiveOrder, taking: Taking, events: BookEvent[]): Answer {
    const timeInForce = TIMES_IN_FORCE[taking.timeInForce];
    const prevention = PREVENTIONS[taking.selfTradePrevention];
    const meets = this.#makersOf(taker);
    if (timeInForce === "GTX" && meets.length > 0) return ["REJECTED_GTX", taker.remaining];
    if (timeInForce === "FOK" && tradable(taker, meets, prevention) < taker.remaining) {
      return ["REJECTED_FOK", taker.remaining];
    }
    for (const maker of meets) {
      if (taker.remaining === 0) break;
      if (maker.account === taker.account && prevention !== "NONE") {
        if (prevention !== "EXPIRE_TAKER") {
          this.#remove(maker);
          events.push(["makerExpired", taker.id, maker.id, maker.remaining]);
        }
        if (prevention !== "EXPIRE_MAKER") return ["EXPIRED_IN_MATCH", taker.remaining];
      } else {
        const lots = Math.min(taker.remaining, maker.remaining);
        taker.remaining -= lots;
        maker.remaining -= lots;
        if (maker.remaining === 0) this.#remove(maker);
        events.push(["filled", taker.id, maker.id, maker.ticks, lots, taker.remaining, maker.remaining]);
      }
    }
    if (taker.remaining === 0) return ["FILLED", 0];
    if (timeInForce === "IOC") return ["EXPIRED", taker.remaining];
    this.#rest(taker);
    return ["RESTING", taker.remaining];
  }

  #makersOf(taker: NaiveOrder): NaiveOrder[] {
    return taker.side === 0
      ? this.#sides[1].filter((maker) => maker.ticks <= taker.ticks)
      : this.#sides[0].filter((maker) => maker.ticks >= taker.ticks);
  }

  #rest(order: NaiveOrder): void {
    const orders = this.#sides[order.side];
    const worse = orders.findIndex(({ ticks }) => (order.side === 0 ? ticks < order.ticks : ticks > order.ticks));
    orders.splice(worse === -1 ? orders.length : worse, 0, order);
  }

  #remove(order: NaiveOrder): void {
    const orders = this.#sides[order.side];
    orders.splice(orders.indexOf(order), 1);
  }
}

function tradable(taker: NaiveOrder, makers: readonly NaiveOrder[], prevention: (typeof PREVENTIONS)[number]): number {
  let lots = 0;
  for (const maker of makers) {
    if (maker.account !== taker.account || prevention === "NONE") lots += maker.remaining;
    else if (prevention !== "EXPIRE_MAKER") break;
  }
  return lots;
}
