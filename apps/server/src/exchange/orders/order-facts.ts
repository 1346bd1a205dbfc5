import {
  type ByteReader,
  type ByteWriter,
  CAUSES,
  type EventOf,
  NO_PRICE_MATCH,
  nameForm,
  partForm,
  REASONS,
  type ValueForm,
} from "@bourse/engine";
import {
  CONDITIONAL_STATUSES,
  type ConditionalOrder,
  ORDER_STATUSES,
  type Order,
  producedType,
  type Trigger,
} from "./order.ts";

/** What has happened to an order, in the words of an execution. */
export const EXECUTIONS = ["NEW", "TRADE", "CANCELED", "EXPIRED", "AMENDMENT", "CALCULATED"] as const;
export type Execution = (typeof EXECUTIONS)[number];

/** An order as it stood after an event. */
export interface OrderFact {
  readonly channel: "orders";
  readonly kind: "order";
  readonly order: Order;
  readonly execution: Execution;
  readonly fill: EventOf<"fill"> | undefined;
  readonly time_ms: number;
}

/** A conditional order as it stood after an event. */
export interface ConditionalFact {
  readonly channel: "orders";
  readonly kind: "conditional";
  readonly order: ConditionalOrder;
  readonly time_ms: number;
}

/*
 * As much of both as the platform's own protocol shows, and as is therefore kept, in the order of its bytes. Events are
 * kept for a day, so the bytes of the last release are read by the next.
 */

const reason = nameForm(REASONS);
const execution = nameForm(EXECUTIONS);
const orderPart = partForm<Order>();

const ORDER_HEAD = orderPart({
  id: "number",
  market: "number",
  side: "number",
  type: "number",
  timeInForce: "number",
  isReduceOnly: "flag",
  clientId: "text",
  created_ms: "number",
});
const ORDER_FIGURES = orderPart({ ticks: "number", lots: "number", executedLots: "number", quote_micros: "number" });
const ORDER_STATE = orderPart({ status: nameForm(ORDER_STATUSES), reason });

const FILL = partForm<EventOf<"fill">>()({
  trade: "number",
  ticks: "number",
  lots: "number",
  fee_micros: "number",
  realised_micros: "signed",
  isMaker: "number",
  cause: nameForm(CAUSES),
});

/** Among numbers of either sign. */
const isSo: ValueForm<boolean> = {
  write: (writer, value) => writer.signed(value ? 1 : 0),
  read: (reader) => reader.signed() !== 0,
};

type FlatConditional = Omit<ConditionalOrder, "trigger"> & Omit<Trigger, "type"> & { readonly triggerType: number };

const CONDITIONAL = partForm<FlatConditional>()({
  id: "signed",
  market: "signed",
  side: "signed",
  triggerType: "signed",
  ticks: "signed",
  timeInForce: "signed",
  lots: "signed",
  triggerTicks: "signed",
  activateTicks: "signed",
  callback_bps: "signed",
  workingType: "signed",
  isReduceOnly: isSo,
  isClosePosition: isSo,
  parent: "signed",
  producedId: "signed",
  created_ms: "signed",
  clientId: "text",
  status: nameForm(CONDITIONAL_STATUSES),
  reason,
});

/** FUT-25, FUT-26: behind the record, and only where there are any. */
const TERMS = orderPart({ goodTill_ms: "number", priceMatch: "number" });

type Kept<Form> = Form extends ValueForm<infer Row> ? Row : never;
type KeptConditional = Kept<typeof CONDITIONAL>;
type KeptTrigger = keyof KeptConditional & keyof Trigger;

type ShownTerms = Partial<Kept<typeof TERMS>>;
type ShownOrder = ShownTerms &
  Kept<typeof ORDER_HEAD> &
  Kept<typeof ORDER_FIGURES> &
  Kept<typeof ORDER_STATE> & { readonly trigger: Pick<Trigger, "type"> | null };
export type ShownFill = Kept<typeof FILL>;
type ShownConditional = ShownTerms &
  Omit<KeptConditional, KeptTrigger | "triggerType"> &
  Pick<ConditionalOrder, "type"> & { readonly trigger: Pick<Trigger, KeptTrigger | "type"> };

export type ShownOrderFact = Omit<OrderFact, "order" | "fill"> & {
  readonly order: ShownOrder;
  readonly fill: ShownFill | undefined;
};
export type ShownConditionalFact = Omit<ConditionalFact, "order"> & { readonly order: ShownConditional };

export const hasTerms = ({ goodTill_ms = 0, priceMatch = 0 }: ShownTerms): boolean =>
  goodTill_ms !== 0 || priceMatch !== 0;

export const writeTerms = (writer: ByteWriter, { goodTill_ms = 0, priceMatch = 0 }: ShownTerms): void =>
  TERMS.write(writer, { goodTill_ms, priceMatch });

export function readOrderWithTerms(reader: ByteReader, time_ms: number): ShownOrderFact {
  const fact = readOrder(reader, time_ms);
  return { ...fact, order: { ...fact.order, ...TERMS.read(reader) } };
}

export function readConditionalWithTerms(reader: ByteReader, time_ms: number): ShownConditionalFact {
  const fact = readConditional(reader, time_ms);
  const order = { ...fact.order, ...TERMS.read(reader) };
  return { ...fact, order: { ...order, type: producedType(order) } };
}

export function writeOrder(writer: ByteWriter, fact: ShownOrderFact): void {
  const { order, fill } = fact;
  ORDER_HEAD.write(writer, order);
  writer.flag(order.trigger !== null);
  if (order.trigger !== null) {
    writer.number(order.trigger.type);
    // The price of the conditional order stood here, of which only whether there was one is shown.
    writer.number(order.ticks);
  }
  ORDER_FIGURES.write(writer, order);
  execution.write(writer, fact.execution);
  ORDER_STATE.write(writer, order);
  writer.flag(fill !== undefined);
  if (fill !== undefined) FILL.write(writer, fill);
}

function readTrigger(reader: ByteReader): Pick<Trigger, "type"> {
  const type = reader.number();
  reader.number();
  return { type };
}

export function readOrder(reader: ByteReader, time_ms: number): ShownOrderFact {
  const terms = ORDER_HEAD.read(reader);
  const trigger = reader.flag() ? readTrigger(reader) : null;
  const figures = ORDER_FIGURES.read(reader);
  const happened = execution.read(reader);
  const order = { ...terms, trigger, ...figures, ...ORDER_STATE.read(reader) };
  const fill = reader.flag() ? FILL.read(reader) : undefined;
  return { channel: "orders", kind: "order", order, execution: happened, fill, time_ms };
}

export function writeConditional(writer: ByteWriter, { order }: ShownConditionalFact): void {
  CONDITIONAL.write(writer, { ...order, ...order.trigger, triggerType: order.trigger.type });
}

export function readConditional(reader: ByteReader, time_ms: number): ShownConditionalFact {
  const { triggerType, triggerTicks, activateTicks, callback_bps, workingType, isClosePosition, ...kept } =
    CONDITIONAL.read(reader);
  const trigger = { type: triggerType, triggerTicks, activateTicks, callback_bps, workingType, isClosePosition };
  const order = { ...kept, type: producedType({ ...kept, priceMatch: NO_PRICE_MATCH }), trigger };
  return { channel: "orders", kind: "conditional", order, time_ms };
}
