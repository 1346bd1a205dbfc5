import type { FastifyRequest } from "fastify";
import { badRequest } from "../../kernel/errors.ts";
import type { PageQuery } from "../history/records.ts";
import { findMarket } from "./markets.ts";
import type { AccountAreaOptions } from "./ports.ts";
import { clampLimit, readWindow, walletOf } from "./requests.ts";

interface PageParameters {
  readonly symbol?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly offset?: number;
  readonly order?: "asc" | "desc";
  readonly start_time?: number;
  readonly end_time?: number;
}

/** Reads the account and the part of the list that a request asks for (WIRE-8). */
export function createPageReader({ exchange, directory }: AccountAreaOptions) {
  return (request: FastifyRequest, parameters: PageParameters) => {
    const { symbol, limit, cursor, offset, order } = parameters;
    const account = directory.numberOf(walletOf(request));
    if (cursor !== undefined && offset !== undefined) throw badRequest("give either cursor or offset");
    const query: PageQuery = {
      ...readWindow(parameters),
      market: symbol === undefined ? undefined : findMarket(exchange, symbol).number,
      limit: clampLimit(limit),
      cursor,
      offset,
      isDescending: order === "desc",
    };
    return { account, query };
  };
}
