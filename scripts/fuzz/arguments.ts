import { parseOptions, UsageError } from "../support/command.ts";

export const USAGE = `Usage: npm run fuzz -- [--requests <number>] [--seed <number>] [--only http|sockets|files]

  --requests  how many HTTP requests are made (100000); messages on sockets are a fifth of it, damaged files a
              fifteenth, connections with raw bytes a fiftieth
  --seed      another run; the same seed makes the same requests, messages and damages (1)
  --only      one of the parts`;

export const PARTS = ["http", "sockets", "files"] as const;
export type Part = (typeof PARTS)[number];

export interface FuzzOrder {
  readonly requests: number;
  readonly rawConnections: number;
  readonly messages: number;
  readonly damages: number;
  readonly seed: number;
  readonly parts: readonly Part[];
}

const OPTIONS = {
  requests: { type: "string" },
  seed: { type: "string" },
  only: { type: "string" },
  help: { type: "boolean" },
} as const;

const isPart = (text: string): text is Part => PARTS.includes(text as Part);

/** Null if only help is requested. */
export function parseArguments(args: readonly string[]): FuzzOrder | null {
  const { values } = parseOptions({ args: [...args], options: OPTIONS });
  if (values.help === true) return null;
  const requests = whole("--requests", values.requests, 100_000);
  const { only } = values;
  if (only !== undefined && !isPart(only)) throw new UsageError(`--only needs ${PARTS.join(", ")}, not ${only}`);
  return {
    requests,
    rawConnections: Math.ceil(requests / 50),
    messages: Math.ceil(requests / 5),
    damages: Math.ceil(requests / 15),
    seed: whole("--seed", values.seed, 1),
    parts: only === undefined ? PARTS : [only],
  };
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} needs a whole number above 0, not ${text}`);
  return Number(text);
}
