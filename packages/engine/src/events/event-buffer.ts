import { movedInto } from "../book/columns.ts";
import { compiled } from "../codec/compiled.ts";
import {
  type EngineEvent,
  EVENT_FIELDS,
  type EventKind,
  type EventOf,
  NAMED_FIELDS,
  TEXT_FIELDS,
} from "../contract/events.ts";

export const EVENT_KINDS = Object.keys(EVENT_FIELDS) as readonly EventKind[];

/** How a field is written: a number, an index into a list of names, or an index into the texts of the command. */
interface FieldCodec {
  readonly name: string;
  readonly names: readonly string[] | null;
  readonly isText: boolean;
}

const CODECS: readonly (readonly FieldCodec[])[] = EVENT_KINDS.map((kind) =>
  EVENT_FIELDS[kind].map((name: string) => ({
    name,
    names: (NAMED_FIELDS as Readonly<Record<string, readonly string[]>>)[name] ?? null,
    isText: (TEXT_FIELDS as readonly string[]).includes(name),
  })),
);

const KIND_NUMBERS = Object.fromEntries(EVENT_KINDS.map((kind, number) => [kind, number])) as Record<EventKind, number>;
const REFUSED = KIND_NUMBERS.refused;
const ORDER_OPENED = KIND_NUMBERS.order_opened;
const ORDER_CLOSED = KIND_NUMBERS.order_closed;
const FILL = KIND_NUMBERS.fill;

const FIRST_CAPACITY = 4096;
const OPENED_LENGTH = 1 + EVENT_FIELDS.order_opened.length;
const FILL_LENGTH = 1 + EVENT_FIELDS.fill.length;
/** The fields of trade and order that precede those of the account. */
const FILL_PARTS_BEFORE = 1 + EVENT_FIELDS.fill.indexOf("quote_micros");
const MAX_RECORD = 1 + Math.max(...CODECS.map((fields) => fields.length));

/** An event as it is told: what is so or not may be a boolean. Whatever else an object holds is left out. */
type Emitted<Kind extends EventKind> = {
  readonly [Field in Exclude<keyof EventOf<Kind>, "kind">]:
    | EventOf<Kind>[Field]
    | (EventOf<Kind>[Field] extends number ? boolean : never);
};

/** Fields of `order_opened` that a request does not have by the same name, in the same form. */
const OPENED_INSTEAD = {
  order: "request.id",
  market: "request.market.number",
  isReduceOnly: "request.isReduceOnly ? 1 : 0",
  cause: "request.cause",
  clientId: "text",
};
/** A request that has become an order. `cause` is a place in CAUSES. */
type OpenedRequest = Omit<EventOf<"order_opened">, "kind" | Exclude<keyof typeof OPENED_INSTEAD, "clientId">> & {
  readonly id: number;
  readonly market: { readonly number: number };
  readonly isReduceOnly: boolean;
  readonly cause: number;
};

/** Compiled from the names above, so that each field has a line of its own: every order passes here. */
const writeOpened = compiled<(data: Float64Array, at: number, request: OpenedRequest, text: number) => void>(
  ["data", "at", "request", "text"],
  EVENT_FIELDS.order_opened
    .map((field, place) => {
      const instead: string | undefined = (OPENED_INSTEAD as Readonly<Record<string, string>>)[field];
      return `data[at + ${place + 1}] = ${instead ?? `request.${field}`};`;
    })
    .join("\n"),
);

/**
 * The events of one command, as records of numbers in a reused buffer: kind, then the fields in the order of the
 * contract. Events of every order have their own method and allocate nothing; the others are written from an object.
 * Readers decode records into objects, or copy the numbers.
 */
export class EventBuffer {
  #data = new Float64Array(FIRST_CAPACITY);
  #length = 0;
  #count = 0;
  readonly #texts: string[] = [];

  get count(): number {
    return this.#count;
  }

  /** The records, one after the other; valid until the next command. */
  get numbers(): Float64Array {
    return this.#data.subarray(0, this.#length);
  }

  /** The texts that text fields refer to. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
    if (this.#texts.length > 0) this.#texts.length = 0;
  }

  emit<Kind extends EventKind>(kind: Kind, event: Emitted<Kind>): void {
    const number = KIND_NUMBERS[kind];
    const data = this.#room();
    let at = this.#length;
    data[at++] = number;
    const values = event as unknown as Readonly<Record<string, number | boolean | string>>;
    for (const codec of CODECS[number]!) {
      const value = values[codec.name]!;
      if (codec.isText) data[at++] = this.#textPlace(value as string);
      else data[at++] = codec.names === null ? Number(value) : codec.names.indexOf(value as string);
    }
    this.#length = at;
  }

  refused(account: number, reason: number, limit: number, actual: number): void {
    const data = this.#room();
    const at = this.#length;
    data[at] = REFUSED;
    data[at + 1] = account;
    data[at + 2] = reason;
    data[at + 3] = limit;
    data[at + 4] = actual;
    this.#length = at + 5;
  }

  orderOpened(request: OpenedRequest): void {
    const data = this.#room();
    data[this.#length] = ORDER_OPENED;
    writeOpened(data, this.#length, request, this.#textPlace(request.clientId));
    this.#length += OPENED_LENGTH;
  }

  orderClosed(
    order: number,
    account: number,
    market: number,
    status: number,
    reason: number,
    lots: number,
    executedLots: number,
    quote_micros: number,
  ): void {
    const data = this.#room();
    const at = this.#length;
    data[at] = ORDER_CLOSED;
    data[at + 1] = order;
    data[at + 2] = account;
    data[at + 3] = market;
    data[at + 4] = status;
    data[at + 5] = reason;
    data[at + 6] = lots;
    data[at + 7] = executedLots;
    data[at + 8] = quote_micros;
    this.#length = at + 9;
  }

  /** A fill is written in three parts, to avoid calls with two dozen arguments: the trade, the order, the account. */
  fillTrade(
    trade: number,
    market: number,
    cause: number,
    ticks: number,
    lots: number,
    isSelfTrade: number,
    markTicks: number,
    isOffMarket: number,
  ): void {
    const data = this.#room();
    const at = this.#length;
    data[at] = FILL;
    data[at + 1] = trade;
    data[at + 2] = market;
    data[at + 7] = cause;
    data[at + 8] = ticks;
    data[at + 9] = lots;
    data[at + 23] = isSelfTrade;
    data[at + 24] = markTicks;
    data[at + 25] = isOffMarket;
  }

  fillOrder(
    account: number,
    order: number,
    side: number,
    isMaker: number,
    orderLots: number,
    executedLots: number,
  ): void {
    const data = this.#data;
    const at = this.#length;
    data[at + 3] = account;
    data[at + 4] = order;
    data[at + 5] = side;
    data[at + 6] = isMaker;
    data[at + 10] = orderLots;
    data[at + 11] = executedLots;
  }

  /**
   * The caller writes the last part into `data` from `fillOffset` on (executed quote, fee, fee from bonus, realised,
   * loss from bonus, lots, cost, principal, bonus, isolated, terms version): as arguments, the numbers would be boxed.
   */
  get data(): Float64Array {
    return this.#data;
  }

  get fillOffset(): number {
    return this.#length + FILL_PARTS_BEFORE;
  }

  completeFill(): void {
    this.#length += FILL_LENGTH;
  }

  decode(): EngineEvent[] {
    return decodeEvents(this.#data, this.#length, this.#texts);
  }

  #textPlace(text: string): number {
    if (text === "") return -1;
    return this.#texts.push(text) - 1;
  }

  #room(): Float64Array {
    this.#count += 1;
    if (this.#length + MAX_RECORD > this.#data.length) {
      this.#data = movedInto(new Float64Array(this.#data.length * 2), this.#data);
    }
    return this.#data;
  }
}

/** Decodes records into objects, for callers that kept a copy of the numbers and texts. */
export function decodeEvents(data: Float64Array, length: number, texts: readonly string[]): EngineEvent[] {
  const events: EngineEvent[] = [];
  let at = 0;
  while (at < length) {
    const number = data[at]!;
    const event: Record<string, number | string> = { kind: EVENT_KINDS[number]! };
    at += 1;
    for (const codec of CODECS[number]!) {
      const value = data[at]!;
      at += 1;
      if (codec.isText) event[codec.name] = value < 0 ? "" : texts[value]!;
      else event[codec.name] = codec.names === null ? value : codec.names[value]!;
    }
    events.push(event as unknown as EngineEvent);
  }
  return events;
}
