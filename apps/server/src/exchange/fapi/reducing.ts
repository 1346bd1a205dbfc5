import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { readBatch } from "./batch.ts";

/** Whether an order gets somebody out, by what it says of itself: it may use what is reserved of a budget (SEC-10). */
export const isReducing = (parameters: FapiParameters): boolean =>
  ["reduceOnly", "closePosition"].some((name) => parameters.text(name)?.toLowerCase() === "true");

/** The same of a batch: all of its orders do. */
export const isReducingBatch = (parameters: FapiParameters): boolean =>
  readBatch(parameters).every((element) => isReducing(element()));
