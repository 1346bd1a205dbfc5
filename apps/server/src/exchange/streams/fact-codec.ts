import {
  BONUS_STATES,
  ByteReader,
  type ByteWriter,
  CAUSES,
  LIMIT,
  MARKET,
  REASONS,
  TIER_CHANGES,
} from "@bourse/engine";
import { CONDITIONAL_STATUSES, ORDER_STATUSES } from "../orders/order.ts";
import { EXECUTIONS, type ShownFill } from "../orders/order-facts.ts";
import { BONUS_FACTS, type ShownFact } from "./private-facts.ts";

/*
 * Facts as bytes: what a view needs and nothing else. They are written where commands are applied and read where somebody
 * asks, so writing allocates nothing and keeps no fact alive.
 */

type Fact<Kind extends ShownFact["kind"]> = Extract<ShownFact, { readonly kind: Kind }>;

/** Names are written as their place in a list; lists only ever grow at the end. */
class Names<Name extends string> {
  readonly #names: readonly Name[];
  readonly #places: ReadonlyMap<Name, number>;

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#places = new Map(names.map((name, place) => [name, place]));
  }

  write(writer: ByteWriter, name: Name): void {
    const place = this.#places.get(name);
    if (place === undefined) throw new RangeError(`${name} is none of ${this.#names.join(", ")}`);
    writer.byte(place);
  }

  read(reader: ByteReader): Name {
    const place = reader.byte();
    const name = this.#names[place];
    if (name === undefined) throw new RangeError(`${place} is no place in ${this.#names.join(", ")}`);
    return name;
  }
}

const kinds = new Names(["order", "conditional", "balance", "position", "tier", "bonus"] as const);
const executions = new Names(EXECUTIONS);
const orderStatuses = new Names(ORDER_STATUSES);
const conditionalStatuses = new Names(CONDITIONAL_STATUSES);
const reasons = new Names(REASONS);
const causes = new Names(CAUSES);
const tierChanges = new Names(TIER_CHANGES);
const bonusLines = new Names(BONUS_FACTS);
const bonusStates = new Names(BONUS_STATES);

export function writeFact(writer: ByteWriter, fact: ShownFact): void {
  kinds.write(writer, fact.kind);
  writer.number(fact.time_ms);
  switch (fact.kind) {
    case "order":
      writeOrder(writer, fact);
      return;
    case "conditional":
      writeConditional(writer, fact);
      return;
    case "balance":
      for (const field of BALANCE_FIELDS) writer.signed(fact[field]);
      return;
    case "position":
      for (const field of POSITION_FIELDS) writer.signed(fact[field]);
      writer.flag(fact.isIsolated);
      return;
    case "tier":
      tierChanges.write(writer, fact.change);
      writer.number(fact.tier);
      writer.number(fact.previousTier);
      writer.number(fact.volume14d_micros);
      return;
    case "bonus":
      writeBonus(writer, fact);
  }
}

export function readFact(reader: ByteReader): ShownFact {
  const kind = kinds.read(reader);
  const time_ms = reader.number();
  switch (kind) {
    case "order":
      return readOrder(reader, time_ms);
    case "conditional":
      return readConditional(reader, time_ms);
    case "balance":
      return { channel: "balances", kind, ...readFields(reader, BALANCE_FIELDS), time_ms };
    case "position": {
      const figures = readFields(reader, POSITION_FIELDS);
      return { channel: "positions", kind, ...figures, isIsolated: reader.flag(), time_ms };
    }
    case "tier":
      return {
        channel: "vip_tier",
        kind,
        change: tierChanges.read(reader),
        tier: reader.number(),
        previousTier: reader.number(),
        volume14d_micros: reader.number(),
        time_ms,
      };
    case "bonus":
      return readBonus(reader, time_ms);
  }
}

const BALANCE_FIELDS = [
  "principal_micros",
  "bonus_micros",
  "isolated_micros",
  "inFlight_micros",
  "balance_micros",
  "unrealised_micros",
  "initial_micros",
  "maintenance_micros",
  "available_micros",
  "withdrawable_micros",
] as const;

const POSITION_FIELDS = ["market", "lots", "cost_micros", "markTicks", "leverage", "isolated_micros"] as const;

const BONUS_FIELDS = ["amount_micros", "bonus_micros", "locked_micros", "consumed_micros", "expires_ms"] as const;

function readFields<Field extends string>(reader: ByteReader, fields: readonly Field[]): Record<Field, number> {
  const values = fields.map((field): [Field, number] => [field, reader.signed()]);
  return Object.fromEntries(values) as Record<Field, number>;
}

function writeOrder(writer: ByteWriter, { order, execution, fill }: Fact<"order">): void {
  writer.number(order.id);
  writer.number(order.market);
  writer.number(order.side);
  writer.number(order.type);
  writer.number(order.timeInForce);
  writer.flag(order.isReduceOnly);
  writer.text(order.clientId);
  writer.number(order.created_ms);
  writer.flag(order.trigger !== null);
  if (order.trigger !== null) {
    writer.number(order.trigger.type);
    // The price of the conditional order stood here, of which only whether there was one is shown.
    writer.number(order.ticks);
  }
  writer.number(order.ticks);
  writer.number(order.lots);
  writer.number(order.executedLots);
  writer.number(order.quote_micros);
  executions.write(writer, execution);
  orderStatuses.write(writer, order.status);
  reasons.write(writer, order.reason);
  writer.flag(fill !== undefined);
  if (fill !== undefined) writeFill(writer, fill);
}

function readTrigger(reader: ByteReader): { readonly type: number } {
  const type = reader.number();
  reader.number();
  return { type };
}

function readOrder(reader: ByteReader, time_ms: number): Fact<"order"> {
  const stable = {
    id: reader.number(),
    market: reader.number(),
    side: reader.number(),
    type: reader.number(),
    timeInForce: reader.number(),
    isReduceOnly: reader.flag(),
    clientId: reader.text(),
    created_ms: reader.number(),
    trigger: reader.flag() ? readTrigger(reader) : null,
    ticks: reader.number(),
    lots: reader.number(),
    executedLots: reader.number(),
    quote_micros: reader.number(),
  };
  const execution = executions.read(reader);
  const order = { ...stable, status: orderStatuses.read(reader), reason: reasons.read(reader) };
  const fill = reader.flag() ? readFill(reader) : undefined;
  return { channel: "orders", kind: "order", order, execution, fill, time_ms };
}

function writeFill(writer: ByteWriter, fill: ShownFill): void {
  writer.number(fill.trade);
  writer.number(fill.ticks);
  writer.number(fill.lots);
  writer.number(fill.fee_micros);
  writer.signed(fill.realised_micros);
  writer.number(fill.isMaker);
  causes.write(writer, fill.cause);
}

function readFill(reader: ByteReader): ShownFill {
  return {
    trade: reader.number(),
    ticks: reader.number(),
    lots: reader.number(),
    fee_micros: reader.number(),
    realised_micros: reader.signed(),
    isMaker: reader.number(),
    cause: causes.read(reader),
  };
}

const CONDITIONAL_FIELDS = [
  "id",
  "market",
  "side",
  "triggerType",
  "ticks",
  "timeInForce",
  "lots",
  "triggerTicks",
  "activateTicks",
  "callback_bps",
  "workingType",
  "isReduceOnly",
  "isClosePosition",
  "parent",
  "producedId",
  "created_ms",
] as const;

function writeConditional(writer: ByteWriter, { order }: Fact<"conditional">): void {
  const { type: triggerType, ...trigger } = order.trigger;
  const fields = { ...order, ...trigger, triggerType };
  for (const field of CONDITIONAL_FIELDS) writer.signed(Number(fields[field]));
  writer.text(order.clientId);
  conditionalStatuses.write(writer, order.status);
  reasons.write(writer, order.reason);
}

function readConditional(reader: ByteReader, time_ms: number): Fact<"conditional"> {
  const { triggerType, ...fields } = readFields(reader, CONDITIONAL_FIELDS);
  const { triggerTicks, activateTicks, callback_bps, workingType, isClosePosition, isReduceOnly, ...rest } = fields;
  const order = {
    ...rest,
    type: rest.ticks === 0 ? MARKET : LIMIT,
    isReduceOnly: isReduceOnly !== 0,
    trigger: {
      type: triggerType,
      triggerTicks,
      activateTicks,
      callback_bps,
      workingType,
      isClosePosition: isClosePosition !== 0,
    },
    clientId: reader.text(),
    status: conditionalStatuses.read(reader),
    reason: reasons.read(reader),
  };
  return { channel: "orders", kind: "conditional", order, time_ms };
}

function writeBonus(writer: ByteWriter, fact: Fact<"bonus">): void {
  writer.flag(fact.line !== undefined);
  if (fact.line !== undefined) bonusLines.write(writer, fact.line);
  bonusStates.write(writer, fact.state);
  for (const field of BONUS_FIELDS) writer.signed(fact[field]);
}

function readBonus(reader: ByteReader, time_ms: number): Fact<"bonus"> {
  const line = reader.flag() ? bonusLines.read(reader) : undefined;
  const state = bonusStates.read(reader);
  return { channel: "bonus", kind: "bonus", line, state, ...readFields(reader, BONUS_FIELDS), time_ms };
}

/** One event after the other, each with its number before it. */
export function* readEvents(bytes: Uint8Array): Generator<{ readonly seq: number; readonly fact: ShownFact }> {
  const reader = new ByteReader(bytes);
  while (reader.remaining > 0) yield { seq: reader.number(), fact: readFact(reader) };
}
