import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { readBatch } from "./batch.ts";

/**
 * Whether an order declares that it only reduces a position; then it may use the reserved part of a budget (SEC-10).
 */
export const isReducing = (parameters: FapiParameters): boolean =>
  ["reduceOnly", "closePosition"].some((name) => parameters.text(name)?.toLowerCase() === "true");

/** Whether all orders of a batch do. */
export const isReducingBatch = (parameters: FapiParameters): boolean =>
  readBatch(parameters).every((element) => isReducing(element()));
