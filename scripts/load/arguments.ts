import { parseOptions, UsageError } from "../support/command.ts";

export const USAGE = `Usage: npm run load -- [--minutes <number>] [--rate <number> | --find] [--bots <number>] [--sockets <number>]
                       [--url <origin>] [--database <URL>] [--workers <number>] [--bound <ms>] [--quick]

  --minutes    how long the rate is held; 0 leaves the load out (10)
  --rate       requests a second to hold; without it the knee is looked for, and seven tenths of it are held
  --find       look for the knee even where --rate is given
  --bots       accounts that trade (64)
  --sockets    WebSockets that follow the market; 0 leaves them out (10000)
  --url        a development server that runs already, its limits raised; without it one is started for the run
  --database   a PostgreSQL server for the started one, instead of the embedded database
  --workers    processes of the fleet (one less than the machine has cores, from 1 to 4)
  --bound      99th percentile in ms beyond which a rate counts as too much (100)
  --quick      short steps and a lowered MAX_COMMANDS_WAITING: does it run at all`;

export interface LoadRequest {
  readonly minutes: number;
  readonly rate: number | undefined;
  /** Whether the run searches for the knee. */
  readonly isFinding: boolean;
  readonly bots: number;
  readonly sockets: number;
  readonly url: string | undefined;
  readonly database: string | undefined;
  readonly workers: number;
  readonly bound_ms: number;
  readonly isQuick: boolean;
}

const OPTIONS = {
  minutes: { type: "string" },
  rate: { type: "string" },
  find: { type: "boolean" },
  bots: { type: "string" },
  sockets: { type: "string" },
  url: { type: "string" },
  database: { type: "string" },
  workers: { type: "string" },
  bound: { type: "string" },
  quick: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const MAX_WORKERS = 4;
/** A quarter of the bots is audited to the last fill, and the flood needs some of the others. */
const MIN_BOTS = 8;

/** Null if only help is requested. */
export function parseArguments(args: readonly string[], cores: number): LoadRequest | null {
  const { values } = parseOptions({ args: [...args], options: OPTIONS });
  if (values.help === true) return null;
  const rate = values.rate === undefined ? undefined : positive("--rate", values.rate, 0);
  const workers = Math.min(MAX_WORKERS, Math.max(1, cores - 1));
  const request = {
    minutes: number("--minutes", values.minutes, 10),
    rate,
    isFinding: rate === undefined || values.find === true,
    bots: whole("--bots", values.bots, 64),
    sockets: whole("--sockets", values.sockets, 10_000),
    url: values.url === undefined ? undefined : originOf(values.url),
    database: values.database,
    workers: whole("--workers", values.workers, workers),
    bound_ms: positive("--bound", values.bound, 100),
    isQuick: values.quick === true,
  };
  if (request.bots < MIN_BOTS) throw new UsageError(`--bots needs at least ${MIN_BOTS}`);
  if (request.workers < 1) throw new UsageError("--workers needs at least 1");
  if (request.minutes === 0 && request.sockets === 0)
    throw new UsageError("--minutes 0 --sockets 0 leaves nothing to do");
  if (request.url !== undefined && request.database !== undefined) {
    throw new UsageError("--database is for the server that the run starts, --url for one that runs already");
  }
  return request;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:")
    throw new UsageError(`--url needs an origin such as http://127.0.0.1:8080, not ${text}`);
  return url.origin;
}

function number(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`${name} needs a number, not ${text}`);
  return Number(text);
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  const value = number(name, text, otherwise);
  if (text !== undefined && value === 0) throw new UsageError(`${name} needs a number above 0`);
  return value;
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  const value = number(name, text, otherwise);
  if (!Number.isInteger(value)) throw new UsageError(`${name} needs a whole number, not ${text}`);
  return value;
}
