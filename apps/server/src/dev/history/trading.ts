import { BUY, GTC, IOC, PLAIN_ORDER, SELL, type Side } from "@bourse/engine";
import type { Exchange, Unstamped } from "../../exchange/index.ts";

type PlaceOrder = Extract<Unstamped, { kind: "place_order" }>;

const MICROS = 1_000_000;

export interface RoundTrip {
  readonly market: number;
  readonly customer: number;
  /** The account on the other side. */
  readonly counterpart: number;
  readonly side: Side;
  readonly value_usdt: number;
  /** Whether the customer's orders rest and are taken, or take. */
  readonly isMaker: boolean;
}

/** Each customer opens a position at the mark price and closes it again, one after the other, against the counterpart. */
export async function tradeRoundTrips(exchange: Exchange, trips: readonly RoundTrip[]): Promise<void> {
  // Submitted without waiting in between: they are applied in this order and share the log's syncs.
  await Promise.all(trips.flatMap((trip) => ordersOf(exchange, trip).map((order) => place(exchange, order))));
}

/** The first half of a round trip alone. */
export async function openPosition(exchange: Exchange, trip: RoundTrip): Promise<void> {
  await Promise.all(ordersOf(exchange, trip, [trip.side]).map((order) => place(exchange, order)));
}

function ordersOf(
  exchange: Exchange,
  trip: RoundTrip,
  sides: readonly Side[] = [trip.side, opposite(trip.side)],
): PlaceOrder[] {
  const market = exchange.engine.state.markets[trip.market];
  if (market === undefined) throw new RangeError(`there is no market ${trip.market}`);
  const { markTicks: ticks, definition } = market;
  const lots = Math.floor((trip.value_usdt * MICROS) / (ticks * definition.unit_micros));
  if (lots === 0) return [];
  return sides.flatMap((side) => {
    const customer = { account: trip.customer, side };
    const counterpart = { account: trip.counterpart, side: opposite(side) };
    const [resting, taking] = trip.isMaker ? [customer, counterpart] : [counterpart, customer];
    const common = { ...PLAIN_ORDER, market: trip.market, ticks, lots };
    return [
      { ...common, ...resting, timeInForce: GTC },
      { ...common, ...taking, timeInForce: IOC },
    ];
  });
}

const opposite = (side: Side): Side => (side === BUY ? SELL : BUY);

async function place(exchange: Exchange, order: PlaceOrder): Promise<void> {
  const { events } = await exchange.submit(order);
  const refusal = events.find((event) => event.kind === "refused");
  if (refusal !== undefined) throw new Error(`an order of the demo's history was refused: ${refusal.reason}`);
}
