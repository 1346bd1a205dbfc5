import { setTimeout as delay } from "node:timers/promises";
import type { Exchange } from "../host/exchange.ts";
import type { Projector } from "./projector.ts";
import { ProjectionTimeout } from "./waiting.ts";

export interface WrittenBeforeOptions {
  readonly exchange: Pick<Exchange, "engine" | "waiting" | "current">;
  readonly projector: Pick<Projector, "waitForAll">;
}

const LOOK_AGAIN_ms = 5;

/**
 * Waits until everything stamped before the moment given is in the tables, or without one everything done so far; rejects
 * with ProjectionTimeout. Commands get their time before they are logged and are applied in its order, so that an engine
 * that is past the moment, or has nothing on its way, will say nothing of the time before any more.
 */
export async function waitUntilWritten(
  { exchange, projector }: WrittenBeforeOptions,
  before_ms: number | undefined,
  patience_ms: number,
): Promise<void> {
  const until = performance.now() + patience_ms;
  // Where others bring commands as well: no more of the time before will come.
  await exchange.current(true);
  const isUnderWay = () => before_ms !== undefined && exchange.waiting > 0 && exchange.engine.state.time_ms < before_ms;
  while (isUnderWay()) {
    const last = exchange.engine.state.commandNumber + exchange.waiting;
    if (performance.now() >= until) throw new ProjectionTimeout(last, patience_ms);
    await delay(LOOK_AGAIN_ms);
  }
  await projector.waitForAll(Math.max(1, until - performance.now()));
}
