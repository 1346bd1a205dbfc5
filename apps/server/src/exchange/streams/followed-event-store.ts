import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../kernel/database/database.ts";
import { EventBatch } from "./event-batch.ts";
import { commandOfSeq } from "./event-numbers.ts";
import { createEventStore, type EventStore } from "./event-store.ts";
import type { Rebuild } from "./private-events.ts";

const LOOK_EVERY_ms = 25;
/** Longer than a working worker takes; the caller tries again after an error. */
const PATIENCE_ms = 2_000;

/**
 * Private events in a process that does not store them. The log gives every process the same events with the same
 * numbers, so `write` waits until the worker has stored them.
 */
export function createFollowedEventStore(database: Pick<Database, "db">): EventStore {
  const stored = createEventStore(database);
  return {
    ...stored,
    load: async (first) => first,
    async write(rows) {
      const last = rows.reduce((highest, row) => Math.max(highest, row.last_seq), 0);
      if (last === 0) return;
      const until_ms = performance.now() + PATIENCE_ms;
      for (;;) {
        const { command_number } = await stored.load({ command_number: 0, last_seq: 0, floor_seq: 0 });
        if (command_number >= commandOfSeq(last)) return;
        if (performance.now() > until_ms) throw new Error("private events are not stored: no worker does it");
        await delay(LOOK_EVERY_ms);
      }
    },
    prune: async () => 0,
  };
}

/** A process that does not store private events does not rebuild lost ones either. */
export const nothingToRebuild: Rebuild = async function* (_from, to) {
  yield { batch: new EventBatch(), through: to };
};
