/** Builds exchanges with a log in memory, and their connection to a database, for all tests. */
import { Engine } from "@bourse/engine";
import { type Clock, ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { requestsWithoutTables } from "../../kernel/engine-requests/testing.ts";
import { MemoryLog } from "../../kernel/journal/command-log.ts";
import { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import { AccountDirectory } from "../accounts/directory.ts";
import type { Applied } from "../host/exchange.ts";
import { type ExchangeOptions, LoggedExchange } from "../host/logged-exchange.ts";
import { deliverTo } from "../host/outbox-delivery.ts";
import { Projector, type ProjectorOptions } from "../projector/projector.ts";

/** An error handler that makes every error a failure of the test. */
export const rethrow = (error: unknown): never => {
  throw error;
};

/** An exchange with an empty engine, a log in memory and a clock at 0, unless options say otherwise. */
export const createMemoryExchange = (options: Partial<ExchangeOptions> = {}): LoggedExchange =>
  new LoggedExchange({
    engine: new Engine(),
    log: new MemoryLog(),
    clock: new ManualClock(0),
    maxCommandsWaiting: 1_000,
    onFailure: rethrow,
    ...options,
  });

/** Records everything that is applied from now on, and reads it again as a log would. */
export function recordApplied(exchange: Pick<LoggedExchange, "listen">) {
  const applied: Applied[] = [];
  exchange.listen((one) => applied.push(one));
  const reread: ProjectorOptions["reread"] = async function* (from, to) {
    yield* applied.slice(from - 1, to);
  };
  return { applied, reread };
}

interface Ground {
  readonly database: Database;
  readonly clock: Clock;
  readonly exchange: LoggedExchange;
}

/** The outbox, the dispatcher (not started) and the account directory of an exchange that writes no tables. */
export function connectOutbox(ground: Ground, { timeout_ms, onNotify }: ConnectOptions = {}) {
  const { database, clock, exchange } = ground;
  const outbox = createOutbox({ clock });
  const dispatcher = new OutboxDispatcher({ database, clock, deliver: deliverTo(exchange), onError: rethrow });
  const notify = () => {
    onNotify?.();
    dispatcher.notify();
  };
  const engineRequests = requestsWithoutTables({
    database,
    outbox,
    dispatcher: { notify },
    exchange,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  });
  const directory = new AccountDirectory({ database, clock, engineRequests, exchange });
  return { outbox, dispatcher, engineRequests, directory };
}

export interface ConnectOptions {
  readonly timeout_ms?: number;
  /** Called when the outbox has a message, before the dispatcher is notified. */
  readonly onNotify?: () => void;
}

/** The same with a projector that writes the tables; projector and dispatcher are started. */
export async function connectTables(ground: Ground, projections: NonNullable<ProjectorOptions["projections"]>) {
  const { database, clock, exchange } = ground;
  const { applied, reread } = recordApplied(exchange);
  const projector = new Projector({ database, clock, projections, onError: rethrow, onFault: rethrow, reread });
  await projector.load();
  exchange.listen(projector.hear);
  projector.start();
  const outbox = createOutbox({ clock });
  const dispatcher = new OutboxDispatcher({ database, clock, deliver: deliverTo(exchange), onError: rethrow });
  dispatcher.start();
  const engineRequests = new EngineRequests({ database, outbox, dispatcher, exchange, projector });
  const directory = new AccountDirectory({ database, clock, engineRequests, exchange });
  return { applied, projector, outbox, dispatcher, engineRequests, directory };
}
