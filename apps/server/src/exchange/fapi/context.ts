import { signedParameters } from "@bourse/api";
import type { RouteShorthandOptions } from "fastify";
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import type { Clock } from "../../kernel/clock.ts";
import { forbidden } from "../../kernel/errors.ts";
import type { Access } from "../../kernel/http/access.ts";
import { invalidParameter } from "../../kernel/http/error-replies.ts";
import type { CountedReply, FapiCall } from "../../kernel/http/fapi-call.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Exchange } from "../host/exchange.ts";
import type { OpenOrderReader } from "../orders/from-engine.ts";
import type { NewConditional, NewOrder } from "../orders/read-order.ts";
import { refusalWithoutAccount } from "../orders/without-account.ts";
import type { AccountViews } from "./account-views.ts";
import type { AdlRanks } from "./adl-ranks.ts";
import type { Countdowns } from "./countdowns.ts";
import type { MarketState, Markets } from "./markets.ts";
import type { OrderCounts } from "./order-counts.ts";
import type { Orders } from "./orders.ts";
import type {
  FapiAccountSettings,
  FapiDirectory,
  FapiDownloads,
  FapiHistory,
  FapiListenKeys,
  FapiMarketData,
  FapiPrices,
} from "./ports.ts";
import type { AccountReader } from "./positions.ts";
import { refusalOf } from "./refusals.ts";

/** What the interface needs. */
export interface FapiDeps {
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly directory: FapiDirectory;
  readonly accountSettings: FapiAccountSettings;
  readonly history: FapiHistory;
  readonly marketData: FapiMarketData;
  readonly listenKeys: FapiListenKeys;
  /** Of the process that reads the price sources. Without them their routes are not registered. */
  readonly prices?: FapiPrices | undefined;
  /** Of the process that makes files of histories; as above. */
  readonly downloads?: FapiDownloads | undefined;
  readonly limits: Pick<Limits, "orders10s" | "orders1m" | "weight">;
  readonly settings: Pick<Settings, "rateLimitWeight1m" | "rateLimitOrders10s" | "rateLimitOrders1m">;
  /** FUT-17: also applied to requests that only test an order. */
  readonly maxCommandsWaiting: number;
  /** WIRE-1: whether a wallet belongs to the platform's own bots. */
  readonly isUnlimited?: (address: string) => boolean;
  /** Receives the errors of cancels by countdown. */
  readonly onError: (error: unknown) => void;
}

/** The same with the parts built from it, for every group of routes. */
export interface FapiContext extends FapiDeps {
  readonly markets: Markets;
  readonly memory: OpenOrderReader;
  readonly reader: AccountReader;
  readonly ranks: AdlRanks;
  readonly views: AccountViews;
  readonly orders: Orders;
  readonly counts: OrderCounts;
  readonly countdowns: Countdowns;
}

export function addressOf({ principal }: FapiCall): string {
  if (principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return principal.address;
}

/** For reads: 0 if the wallet has no account, which reads as an empty account. */
export const accountOf = ({ directory }: FapiContext, call: FapiCall): number =>
  directory.numberOf(addressOf(call)) ?? 0;

/** SEC-11: for orders. A wallet without an account has nothing to open a position with, and none to reduce. */
export function tradingAccount(context: FapiContext, call: FapiCall, command: NewOrder | NewConditional): number {
  const account = accountOf(context, call);
  if (account !== 0) return account;
  const { definition } = context.markets.at(command.market);
  throw refusalOf(refusalWithoutAccount(context.exchange.engine, command), definition);
}

/** SEC-11: what a wallet without an account has chosen. */
export function keptOf({ directory, accountSettings }: FapiContext, call: FapiCall) {
  const address = addressOf(call);
  return directory.numberOf(address) === undefined ? accountSettings.keptOf(address) : undefined;
}

/** One row if the request names a symbol, otherwise a row for every market. */
export function oneOrAll<Row>({ markets }: FapiContext, request: FapiCall, rowOf: (market: MarketState) => Row) {
  const market = markets.optional(request.fapi);
  return market === undefined ? markets.all.map(rowOf) : rowOf(market);
}

const LATEST_ms = 8.64e15;

function assertTime(time_ms: number, name: string): number {
  if (time_ms < 0 || time_ms > LATEST_ms) throw invalidParameter(name, { rule: "time" });
  return time_ms;
}

function timeOf(parameters: FapiParameters, name: string): number | undefined {
  const time_ms = parameters.integer(name);
  return time_ms === undefined ? undefined : assertTime(time_ms, name);
}

function assertOrdered(start_ms: number | undefined, end_ms: number | undefined): void {
  if (start_ms !== undefined && end_ms !== undefined && start_ms > end_ms) {
    throw invalidParameter("endTime", { rule: "endTime is before startTime", limit: start_ms, actual: end_ms });
  }
}

/** `startTime` and `endTime`, both required. */
export function requiredWindowOf(parameters: FapiParameters) {
  const start_ms = assertTime(parameters.requiredInteger("startTime"), "startTime");
  const end_ms = assertTime(parameters.requiredInteger("endTime"), "endTime");
  assertOrdered(start_ms, end_ms);
  return { start_ms, end_ms };
}

/** `startTime`, `endTime` and `limit`. A limit above `max` is lowered to it, a limit below 1 is refused. */
export function windowOf(parameters: FapiParameters, usual: number, max: number) {
  const start_ms = timeOf(parameters, "startTime");
  const end_ms = timeOf(parameters, "endTime");
  assertOrdered(start_ms, end_ms);
  return { start_ms, end_ms, limit: limitOf(parameters, usual, max) };
}

export function limitOf(parameters: FapiParameters, usual: number, max: number, min = 1): number {
  const limit = parameters.integer("limit") ?? usual;
  if (limit < min) throw invalidParameter("limit", { rule: "limit", limit: max, actual: limit });
  return Math.min(limit, max);
}

const MAX_PAGES = 100_000;

export function pageOf(parameters: FapiParameters): number {
  const page = parameters.integer("page") ?? 1;
  if (page < 1 || page > MAX_PAGES) throw invalidParameter("page", { rule: "page", limit: MAX_PAGES, actual: page });
  return page;
}

/** The id from which a list begins. */
export function idOf(parameters: FapiParameters, name: string): number | undefined {
  const id = parameters.integer(name);
  if (id !== undefined && id < 0) throw invalidParameter(name, { rule: "id", limit: 0, actual: id });
  return id;
}

const tags = ["Futures"];
/** The schemas only document and type the replies; serialization does not filter fields by them. */
const asItIs = () => (reply: unknown) => JSON.stringify(reply);

interface RouteText<Reply extends TSchema> {
  readonly access: Access;
  /** The route's methods in the typed client. */
  readonly client?: string | readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: TProperties;
  readonly reply: Reply;
}

export function publicRoute<Reply extends TSchema>(text: RouteText<Reply>) {
  const { access, client = [], summary, description, parameters, reply } = text;
  return {
    config: { access, client },
    schema: {
      tags,
      summary,
      ...(description === undefined ? {} : { description }),
      querystring: Type.Object(parameters ?? {}),
      response: { 200: reply },
    },
    serializerCompiler: asItIs,
  } satisfies RouteShorthandOptions;
}

export function signedRoute<Reply extends TSchema>({ parameters, ...text }: RouteText<Reply>) {
  return publicRoute({ ...text, parameters: { ...parameters, ...signedParameters } });
}

/** What a client may ask for, defined once: as a route of /fapi, and as a method of the socket interface where it has one. */
export interface Operation<Reply extends TSchema = TSchema> {
  readonly route: ReturnType<typeof publicRoute<Reply>>;
  readonly handle: (call: FapiCall, reply: CountedReply) => Static<Reply> | Promise<Static<Reply>>;
}

export const operation = <Reply extends TSchema>(
  route: Operation<Reply>["route"],
  handle: Operation<Reply>["handle"],
): Operation<Reply> => ({ route, handle });

export type { CountedReply, FapiCall };
