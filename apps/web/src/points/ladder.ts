import type { EarnLevel } from "@bourse/api/client";
import { Decimal } from "../lib/decimal.ts";

export interface Rung extends EarnLevel {
  readonly state: "reached" | "here" | "ahead";
  /** Points that are missing to it; nothing where it is reached. */
  readonly missing: string | undefined;
}

export interface Standing {
  readonly rungs: readonly Rung[];
  readonly here: EarnLevel | undefined;
  readonly next: EarnLevel | undefined;
  /** How far from this level's beginning to the next one's, from 0 to 1, for drawing. */
  readonly fraction: number;
}

/** T10: by whole points, so 999.999999 is not yet 1,000. */
export function levelOf(levels: readonly EarnLevel[], points: string): EarnLevel | undefined {
  const whole = Decimal.parse(points).round(0, "floor");
  return levels.toReversed().find(({ points_min }) => whole.gte(Decimal.parse(String(points_min))));
}

export function standingOf(levels: readonly EarnLevel[], points: string): Standing {
  const scored = Decimal.parse(points);
  const here = levelOf(levels, points);
  const next = levels.find(({ level }) => here !== undefined && level === here.level + 1);
  const rungs = levels.map((level): Rung => {
    if (level.level === here?.level) return { ...level, state: "here", missing: undefined };
    const missing = Decimal.parse(String(level.points_min)).sub(scored);
    return missing.gt(Decimal.ZERO)
      ? { ...level, state: "ahead", missing: missing.toString() }
      : { ...level, state: "reached", missing: undefined };
  });
  const fraction =
    here === undefined || next === undefined
      ? 1
      : (Number(scored.toString()) - here.points_min) / (next.points_min - here.points_min);
  return { rungs, here, next, fraction: Math.min(1, Math.max(0, fraction)) };
}
