import type { FastifyRequest } from "fastify";
import { badRequest, forbidden } from "../../kernel/errors.ts";

const DEFAULT_LIMIT = 100;
const MAX_ROWS = 500;

/** The wallet that calls a route for wallets. */
export function walletOf({ principal }: FastifyRequest): string {
  if (principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return principal.address;
}

export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** WIRE-2: a limit above the maximum is lowered to it; the schema refuses a limit below 1. */
export const clampLimit = (limit: number | undefined) => Math.min(limit ?? DEFAULT_LIMIT, MAX_ROWS);

export interface Window {
  readonly start_ms: number | undefined;
  readonly end_ms: number | undefined;
}

export function readWindow({ start_time, end_time }: { start_time?: number; end_time?: number }): Window {
  if (start_time !== undefined && end_time !== undefined && start_time > end_time) {
    throw badRequest("start_time is after end_time", { rule: "window" });
  }
  return { start_ms: start_time, end_ms: end_time };
}
