import {
  type ConditionalType,
  LIMIT,
  MARKET,
  type OrderType,
  PRICE_MATCHES,
  STOP,
  TAKE_PROFIT,
  TRAILING_STOP,
} from "@bourse/engine";
import { GTD } from "./good-till.ts";
import type { Order, Trigger } from "./order.ts";

/** The engine's small integers under the names that clients know them by; the place in a list is the engine's number. */
export const SIDE_NAMES = ["BUY", "SELL"] as const;
export const TIME_IN_FORCE_NAMES = ["GTC", "IOC", "FOK", "GTX"] as const;
export const SELF_TRADE_NAMES = ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"] as const;
export const WORKING_TYPE_NAMES = ["CONTRACT_PRICE", "MARK_PRICE"] as const;

/** The engine's number of a name; −1 for none of them. */
export const placeOf = (names: readonly string[], name: string | undefined): number =>
  name === undefined ? -1 : names.indexOf(name);

/** A type of order as clients name it: an ordinary one, or a conditional one that leads to an ordinary one. */
export interface NamedType {
  readonly name: string;
  readonly produces: OrderType;
  readonly conditional: ConditionalType | undefined;
}

const row = (name: string, produces: OrderType, conditional?: ConditionalType): NamedType => ({
  name,
  produces,
  conditional,
});

const ROWS = [
  row("LIMIT", LIMIT),
  row("MARKET", MARKET),
  row("STOP", LIMIT, STOP),
  row("STOP_MARKET", MARKET, STOP),
  row("TAKE_PROFIT", LIMIT, TAKE_PROFIT),
  row("TAKE_PROFIT_MARKET", MARKET, TAKE_PROFIT),
  row("TRAILING_STOP_MARKET", MARKET, TRAILING_STOP),
];

export const ORDER_TYPE_NAMES: readonly string[] = ROWS.map(({ name }) => name);

const byName = new Map(ROWS.map((type) => [type.name, type]));
byName.set("STOP_LIMIT", byName.get("STOP")!);
byName.set("TAKE_PROFIT_LIMIT", byName.get("TAKE_PROFIT")!);

export const namedType = (name: string): NamedType | undefined => byName.get(name);

/** Of the engine's numbers. */
export const sideName = (side: number) => SIDE_NAMES[side as 0 | 1];
type Timed = Pick<Order, "timeInForce"> & Partial<Pick<Order, "goodTill_ms">>;
export const timeInForceName = ({ timeInForce, goodTill_ms = 0 }: Timed): string =>
  goodTill_ms > 0 ? GTD : TIME_IN_FORCE_NAMES[timeInForce]!;
export const priceMatchName = ({ priceMatch }: Pick<Order, "priceMatch">) => PRICE_MATCHES[priceMatch]!;
export const selfTradeName = (prevention: number): string => SELF_TRADE_NAMES[prevention]!;
export const workingTypeName = (workingType: number): string => WORKING_TYPE_NAMES[workingType]!;

export function typeName(produces: number, conditional?: number): string {
  return ROWS.find((type) => type.produces === produces && type.conditional === conditional)!.name;
}

type Typed<Field extends keyof Trigger> = Pick<Order, "type"> & { readonly trigger: Pick<Trigger, Field> | null };

/** What it was placed as. */
export const placedTypeName = ({ type, trigger }: Typed<"type">): string => typeName(type, trigger?.type);

/** What it is now: fired, it is the order it produced. */
export const presentTypeName = (order: Typed<"type" | "triggered_ms">): string =>
  order.trigger === null || order.trigger.triggered_ms !== 0 ? typeName(order.type) : placedTypeName(order);
