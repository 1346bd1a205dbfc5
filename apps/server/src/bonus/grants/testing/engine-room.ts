import { connectOutbox, createMemoryExchange } from "../../../exchange/testing/memory-exchange.ts";
import { createAuditLog } from "../../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../../kernel/clock.ts";
import type { Database } from "../../../kernel/database/database.ts";
import { seededRandom } from "../../../kernel/random.ts";
import { createGrants } from "../grants.ts";

export interface EngineRoomOptions {
  readonly environment?: "development" | "production";
  readonly bonusPoolCap?: string;
  readonly wait_ms?: number;
  readonly clock?: ManualClock;
  /** Must differ between rooms on one database, as it does between processes. */
  readonly seed?: string;
  /** Called after a decision is committed, before the engine gets it. */
  readonly onDecided?: () => void;
}

/**
 * Grants with an engine and nothing else: no command is delivered until the dispatcher is started, and no projector writes the
 * engine's events.
 */
export function createEngineRoom(database: Database, options: EngineRoomOptions = {}) {
  const { environment = "development", bonusPoolCap = "50000" } = options;
  const clock = options.clock ?? new ManualClock(Date.UTC(2026, 5, 1));
  const settings = { environment, bonusPoolCap, secretsKey: "ab".repeat(32), jwtSecret: "the secret of a test" };
  const random = seededRandom(options.seed ?? "engine-room");
  const exchange = createMemoryExchange({ clock, maxCommandsWaiting: 10_000 });
  const { outbox, dispatcher, engineRequests, directory } = connectOutbox(
    { database, clock, exchange },
    { timeout_ms: options.wait_ms ?? 10_000, ...(options.onDecided && { onNotify: options.onDecided }) },
  );
  const grants = createGrants({
    settings,
    database,
    clock,
    random,
    engineRequests,
    directory,
    exchange,
    audit: createAuditLog({ clock }),
  });
  return { grants, clock, outbox, engineRequests, exchange, dispatcher, directory };
}
