import assert from "node:assert/strict";
import { Engine } from "@bourse/engine";
import { AccountDirectory } from "../../../exchange/accounts/directory.ts";
import { MemoryLog } from "../../../exchange/host/command-log.ts";
import { LoggedExchange } from "../../../exchange/host/logged-exchange.ts";
import { deliverTo } from "../../../exchange/host/outbox-delivery.ts";
import { createAuditLog } from "../../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../../kernel/clock.ts";
import type { Database } from "../../../kernel/database/database.ts";
import { OutboxDispatcher } from "../../../kernel/outbox/dispatcher.ts";
import { createOutbox } from "../../../kernel/outbox/outbox.ts";
import { seededRandom } from "../../../kernel/random.ts";
import { OutboxOutcomes } from "../../../wallet/outcomes.ts";
import { createGrants } from "../grants.ts";

export interface EngineRoomOptions {
  readonly environment?: "development" | "production";
  readonly bonusPoolCap?: string;
  readonly wait_ms?: number;
  readonly clock?: ManualClock;
  /** Rooms of one database need different ones, as processes have. */
  readonly seed?: string;
  /** Told when something was decided, before the engine hears of it. */
  readonly onDecided?: () => void;
}

/**
 * Grants with an engine and nothing else around them: nothing is delivered until the dispatcher is started, and nothing
 * is written of what the engine does.
 */
export function createEngineRoom(database: Database, options: EngineRoomOptions = {}) {
  const { environment = "development", bonusPoolCap = "50000", wait_ms = 10_000 } = options;
  const clock = options.clock ?? new ManualClock(Date.UTC(2026, 5, 1));
  const settings = { environment, bonusPoolCap, secretsKey: "ab".repeat(32), jwtSecret: "the secret of a test" };
  const random = seededRandom(options.seed ?? "engine-room");
  const outbox = createOutbox({ clock });
  const onFailure = (error: unknown) => assert.fail(String(error));
  const exchange = new LoggedExchange({
    engine: new Engine(),
    log: new MemoryLog(),
    clock,
    maxCommandsWaiting: 10_000,
    onFailure,
  });
  const dispatcher = new OutboxDispatcher({ database, clock, deliver: deliverTo(exchange), onError: onFailure });
  const directory = new AccountDirectory({ database, clock, outbox, dispatcher, exchange });
  const notify = () => {
    options.onDecided?.();
    dispatcher.notify();
  };
  const outcomes = new OutboxOutcomes({ database, exchange });
  const grants = createGrants({
    settings,
    database,
    clock,
    random,
    outbox,
    exchange,
    dispatcher: { notify },
    directory,
    outcomes,
    audit: createAuditLog({ clock }),
    projector: { waitForAccount: async () => {} },
    wait_ms,
  });
  return { grants, clock, outbox, exchange, dispatcher, directory };
}
