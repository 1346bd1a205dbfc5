import {
  BONUS_STATES,
  ByteReader,
  type ByteWriter,
  nameForm,
  partForm,
  TIER_CHANGES,
  type ValueForm,
} from "@bourse/engine";
import {
  hasTerms,
  readConditional,
  readConditionalWithTerms,
  readOrder,
  readOrderWithTerms,
  writeConditional,
  writeOrder,
  writeTerms,
} from "../orders/order-facts.ts";
import {
  ADL_REASONS,
  type AdlFact,
  type BalanceFact,
  BONUS_FACTS,
  type BonusFact,
  type PositionFact,
  type ShownFact,
  type TierFact,
} from "./private-facts.ts";

/*
 * Facts as bytes: what a view needs and nothing else. They are written where commands are applied and read where somebody
 * asks, so writing keeps no fact alive. The fields of a record stand in the order of their bytes.
 */

const KIND = nameForm([
  "order",
  "conditional",
  "balance",
  "position",
  "tier",
  "bonus",
  "adl",
  /** From rules version 6 on, where there are any: all that has them is newer than that. */
  "order_with_terms",
  "conditional_with_terms",
] as const);

const BALANCE = partForm<BalanceFact>()({
  principal_micros: "signed",
  bonus_micros: "signed",
  isolated_micros: "signed",
  inFlight_micros: "signed",
  balance_micros: "signed",
  unrealised_micros: "signed",
  initial_micros: "signed",
  maintenance_micros: "signed",
  available_micros: "signed",
  withdrawable_micros: "signed",
});

const POSITION = partForm<PositionFact>()({
  market: "signed",
  lots: "signed",
  cost_micros: "signed",
  markTicks: "signed",
  leverage: "signed",
  isolated_micros: "signed",
  isIsolated: "flag",
});

const TIER = partForm<TierFact>()({
  change: nameForm(TIER_CHANGES),
  tier: "number",
  previousTier: "number",
  volume14d_micros: "number",
});

const BONUS_LINE = nameForm(BONUS_FACTS);
const NO_OR_BONUS_LINE: ValueForm<BonusFact["line"]> = {
  write(writer, line) {
    writer.flag(line !== undefined);
    if (line !== undefined) BONUS_LINE.write(writer, line);
  },
  read: (reader) => (reader.flag() ? BONUS_LINE.read(reader) : undefined),
};

const BONUS = partForm<BonusFact>()({
  line: NO_OR_BONUS_LINE,
  state: nameForm(BONUS_STATES),
  amount_micros: "signed",
  bonus_micros: "signed",
  locked_micros: "signed",
  consumed_micros: "signed",
  expires_ms: "signed",
});

const ADL = partForm<AdlFact>()({
  market: "number",
  side: "number",
  lots: "number",
  ticks: "number",
  markTicks: "number",
  indexTicks: "number",
  reason: nameForm(ADL_REASONS),
});

export function writeFact(writer: ByteWriter, fact: ShownFact): void {
  const terms = (fact.kind === "order" || fact.kind === "conditional") && hasTerms(fact.order) ? fact : undefined;
  KIND.write(writer, terms === undefined ? fact.kind : `${terms.kind}_with_terms`);
  writer.number(fact.time_ms);
  writeBody(writer, fact);
  if (terms !== undefined) writeTerms(writer, terms.order);
}

function writeBody(writer: ByteWriter, fact: ShownFact): void {
  switch (fact.kind) {
    case "order":
      writeOrder(writer, fact);
      return;
    case "conditional":
      writeConditional(writer, fact);
      return;
    case "balance":
      BALANCE.write(writer, fact);
      return;
    case "position":
      POSITION.write(writer, fact);
      return;
    case "tier":
      TIER.write(writer, fact);
      return;
    case "bonus":
      BONUS.write(writer, fact);
      return;
    case "adl":
      ADL.write(writer, fact);
  }
}

export function readFact(reader: ByteReader): ShownFact {
  const kind = KIND.read(reader);
  const time_ms = reader.number();
  switch (kind) {
    case "order":
      return readOrder(reader, time_ms);
    case "conditional":
      return readConditional(reader, time_ms);
    case "order_with_terms":
      return readOrderWithTerms(reader, time_ms);
    case "conditional_with_terms":
      return readConditionalWithTerms(reader, time_ms);
    case "balance":
      return { channel: "balances", kind, ...BALANCE.read(reader), time_ms };
    case "position":
      return { channel: "positions", kind, ...POSITION.read(reader), time_ms };
    case "tier":
      return { channel: "vip_tier", kind, ...TIER.read(reader), time_ms };
    case "bonus":
      return { channel: "bonus", kind, ...BONUS.read(reader), time_ms };
    case "adl":
      return { channel: "adl", kind, ...ADL.read(reader), time_ms };
  }
}

/** One event after the other, each with its number before it. */
export function* readEvents(bytes: Uint8Array): Generator<{ readonly seq: number; readonly fact: ShownFact }> {
  const reader = new ByteReader(bytes);
  while (reader.remaining > 0) yield { seq: reader.number(), fact: readFact(reader) };
}
