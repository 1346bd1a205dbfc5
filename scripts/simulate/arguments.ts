import { parseOptions, UsageError } from "../support/command.ts";

export const USAGE = `Usage: npm run simulate -- [--seeds <number>] [--from <number>] [--days <number>] [--actions <number>] [--parallel <number>]
       npm run simulate -- --seed <name> [--days <number>] [--actions <number>]
       npm run simulate -- --crashes [--seeds <number>] [--from <number>]

  --seeds      how many seeds (200)
  --from       the first of them (1)
  --seed       one seed alone, by its name
  --days       simulated days of a seed (3)
  --actions    actions of a seed (2000)
  --parallel   processes side by side (2)
  --crashes    the model of market crashes instead of the platform (20 seeds of each)`;

export interface SimulateRequest {
  readonly seeds: readonly string[];
  readonly days: number;
  readonly actions: number;
  readonly parallel: number;
  /** Whether the model of market crashes runs instead of the platform. */
  readonly isCrashes: boolean;
}

const OPTIONS = {
  seeds: { type: "string" },
  from: { type: "string" },
  seed: { type: "string" },
  days: { type: "string" },
  actions: { type: "string" },
  parallel: { type: "string" },
  crashes: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Null if only help is requested. */
export function parseArguments(args: readonly string[]): SimulateRequest | null {
  const { values } = parseOptions({ args: [...args], options: OPTIONS });
  if (values.help === true) return null;
  if (values.seed !== undefined && (values.seeds !== undefined || values.from !== undefined)) {
    throw new UsageError("--seed is one seed: --seeds and --from have no place beside it");
  }
  const isCrashes = values.crashes === true;
  const ofPlatform = [values.seed, values.days, values.actions, values.parallel];
  if (isCrashes && ofPlatform.some((value) => value !== undefined)) {
    throw new UsageError("--crashes has only --seeds and --from beside it");
  }
  const first = whole("--from", values.from, 1);
  const count = whole("--seeds", values.seeds, isCrashes ? 20 : 200);
  const all = Array.from({ length: count }, (_, place) => String(first + place));
  return {
    seeds: values.seed === undefined ? all : [values.seed],
    days: whole("--days", values.days, 3),
    actions: whole("--actions", values.actions, 2_000),
    parallel: whole("--parallel", values.parallel, 2),
    isCrashes,
  };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1) throw new UsageError(`${name} needs a whole number from 1 on, not ${text}`);
  return value;
}
