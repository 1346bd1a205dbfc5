import type { EarnLevel } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { groupDigits } from "../../lib/format.ts";
import { wholeOf } from "../frame/typed.ts";

/** A level as typed. It ends where the next one begins, so that there is never a gap. */
export interface LevelDraft {
  readonly level: number;
  readonly from: string;
  readonly weight: string;
}

export type LevelProblems = Readonly<Partial<Record<"from" | "weight", string>>>;

const MAX_POINTS = 10n ** 15n;
const MAX_WEIGHT = 1_000_000n;

export const draftOfLevels = (levels: readonly EarnLevel[]): readonly LevelDraft[] =>
  levels.map(({ level, points_min, weight }) => ({ level, from: String(points_min), weight: String(weight) }));

const fromOf = ({ level, from }: LevelDraft) => (level === 0 ? 0n : wholeOf(from, 1n, MAX_POINTS));

/** Where a level ends; undefined for the last one, and while the start of the next is no number. */
export function lastPointsOf(rows: readonly LevelDraft[], place: number): bigint | undefined {
  const next = rows[place + 1];
  const from = next && fromOf(next);
  return from === undefined ? undefined : from - 1n;
}

/** By level, in their order. */
export function problemsOfLevels(rows: readonly LevelDraft[]): readonly LevelProblems[] {
  return rows.map((row, place) => {
    const before = rows[place - 1];
    const [from, fromBefore] = [fromOf(row), before && fromOf(before)];
    const isNotAbove = from !== undefined && fromBefore !== undefined && from <= fromBefore;
    return {
      ...(from === undefined ? { from: "A whole number from 1 on." } : {}),
      ...(isNotAbove ? { from: `Above ${groupDigits(String(fromBefore))}, where L${row.level - 1} begins.` } : {}),
      ...(wholeOf(row.weight, 0n, MAX_WEIGHT) === undefined ? { weight: "0 to 1,000,000." } : {}),
    };
  });
}

/** What is sent; undefined while something is wrong. */
export function levelsOf(rows: readonly LevelDraft[]): EarnLevel[] | undefined {
  if (problemsOfLevels(rows).some((problems) => Object.keys(problems).length > 0)) return undefined;
  return rows.map((row, place) => {
    const last = lastPointsOf(rows, place);
    return {
      level: row.level,
      points_min: Number(fromOf(row)),
      points_max: last === undefined ? null : Number(last),
      weight: Number(wholeOf(row.weight, 0n, MAX_WEIGHT)),
    };
  });
}

export function sayLevel({ points_min, points_max, weight }: EarnLevel): string {
  const [from, to] = [points_min, points_max].map((points) => groupDigits(String(points)));
  return `${points_max === null ? `${from} and more` : `${from} – ${to}`}, weight ${groupDigits(String(weight))}`;
}

export const changesOfLevels = (before: readonly EarnLevel[], after: readonly EarnLevel[]): Change[] =>
  after.flatMap((level, place) => {
    const was = before[place];
    const [old, next] = [was && sayLevel(was), sayLevel(level)];
    return old === next
      ? []
      : [{ what: `L${level.level}`, ...(old === undefined ? {} : { before: old }), after: next }];
  });
