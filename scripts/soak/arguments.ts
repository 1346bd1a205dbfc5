import { parseOptions, UsageError } from "../support/command.ts";

export const USAGE = `Usage: npm run soak -- [--hours <number>] [--speed <number>] [--warm-up <number>] [--limit <MiB>]

  --hours     how long the demo market runs, in hours of its own time (1)
  --speed     how many times faster than life, at most; from 1 to 40 (20)
  --warm-up   hours at the beginning that do not count (a third of all)
  --limit     growth of the heap in MiB an hour that is still called flat (4)`;

export interface SoakRequest {
  readonly hours: number;
  readonly speed: number;
  readonly warmUp_hours: number;
  readonly limit_mib: number;
}

const OPTIONS = {
  hours: { type: "string" },
  speed: { type: "string" },
  "warm-up": { type: "string" },
  limit: { type: "string" },
  help: { type: "boolean" },
} as const;

/** Null if only help is requested. */
export function parseArguments(args: readonly string[]): SoakRequest | null {
  const { values } = parseOptions({ args: [...args], options: OPTIONS });
  if (values.help === true) return null;
  const hours = positive("--hours", values.hours, 1);
  const speed = positive("--speed", values.speed, 20);
  if (!Number.isInteger(speed) || speed > 40) throw new UsageError("--speed needs a whole number from 1 to 40");
  const warmUp_hours = positive("--warm-up", values["warm-up"], hours / 3);
  if (warmUp_hours >= hours) throw new UsageError("--warm-up leaves nothing to measure");
  return { hours, speed, warmUp_hours, limit_mib: positive("--limit", values.limit, 4) };
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new UsageError(`${name} needs a number above 0, not ${text}`);
  return value;
}
