import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { decimalsOf } from "../../lib/format.ts";
import type { AttachedDraft, Side } from "./draft.ts";
import { textOnStep } from "./steps.ts";

export type TriggerRole = "take_profit" | "stop_loss";

interface TriggerGround {
  /** Side of the opening order; its triggers are on the other side. */
  readonly side: Side;
  readonly role: TriggerRole;
  /** The limit price, or what a market order would pay. */
  readonly entry: Decimal;
  /** Zero where it is not known yet: then no amount of PnL leads to a price. */
  readonly quantity: Decimal;
  readonly tick: string;
}

const HUNDRED = Decimal.parse("100");

/** Whether the trigger lies above the entry: a buyer's profit, a seller's loss. */
export const isAbove = (side: Side, role: TriggerRole): boolean => (side === "BUY") === (role === "take_profit");

/**
 * The trigger price of what was typed, on the tick; undefined where there is none. A move or a profit is rounded away from
 * the entry, so that a take profit brings at least what was asked, a stop loss fires no earlier.
 */
export function triggerPriceOf(draft: AttachedDraft, ground: TriggerGround): string | undefined {
  const typed = parseTyped(draft.text);
  if (typed === undefined || typed.isZero()) return undefined;
  if (draft.measure === "price") return typed.toFixed(Math.max(typed.scale, decimalsOf(ground.tick)), "exact");
  const distance = distanceOf(draft.measure, typed, ground);
  if (distance === undefined) return undefined;
  const above = isAbove(ground.side, ground.role);
  const price = above ? ground.entry.add(distance) : ground.entry.sub(distance);
  if (price.isNegative() || price.isZero()) return undefined;
  const text = textOnStep(price, ground.tick, above ? "ceil" : "floor");
  return Decimal.parse(text).isZero() ? undefined : text;
}

function distanceOf(measure: "percent" | "pnl", typed: Decimal, { entry, quantity }: TriggerGround) {
  if (measure === "percent") return entry.mul(typed).div(HUNDRED, 18, "ceil");
  return quantity.isZero() ? undefined : typed.div(quantity, 18, "ceil");
}

/** What the position would gain or lose, before fees, if it closed at the trigger. */
export function pnlAt(trigger: string, { side, entry, quantity }: TriggerGround): Decimal {
  const move = Decimal.parse(trigger).sub(entry);
  return (side === "BUY" ? move : Decimal.ZERO.sub(move)).mul(quantity);
}
