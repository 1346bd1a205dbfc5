import { setImmediate as nextTurn } from "node:timers/promises";
import type { EngineEvent } from "@bourse/engine";
import { appliedOf } from "../host/exchange.ts";
import { replaySegments } from "../journal/replay.ts";
import { engineFromNewest, type OnPassedOver } from "../journal/snapshots.ts";
import { TrackedOrders } from "../market-data/tracked-orders.ts";
import { AccountReader } from "./account-reader.ts";
import { EventBatch } from "./event-batch.ts";
import { EventNumbers } from "./event-numbers.ts";
import type { Rebuild, Rebuilt } from "./private-events.ts";
import { type FactSink, PrivateFeed, type UserDataSink } from "./private-feed.ts";

/** After this many commands the event loop gets a turn. */
const COMMANDS_PER_TURN = 1_024;

const nobody: UserDataSink = { onOrder() {}, onConditional() {}, onFill() {}, onAdl() {}, onOther() {} };

const rethrow = (error: unknown) => {
  throw error;
};

/** Rebuilds the private events of logged commands on a separate engine. */
export function rebuildFrom(folder: string, onPassedOver: OnPassedOver): Rebuild {
  return async function* (from: number, to: number): AsyncGenerator<Rebuilt> {
    const engine = engineFromNewest(folder, from - 1, onPassedOver);
    const orders = new TrackedOrders(engine.state);
    const numbers = new EventNumbers();
    let batch = new EventBatch();
    let isSendingStates = false;
    const sink: FactSink = (account, command, fact) => {
      const seq = isSendingStates ? numbers.nextRebuiltState(account, command) : numbers.next(account, command, fact);
      batch.add(account, seq, fact);
    };
    const reader = new AccountReader(engine);
    const feed = new PrivateFeed({ engine, orders, reader, sink, userData: nobody, onError: rethrow });
    const finish = (through: number): Rebuilt => {
      isSendingStates = true;
      feed.sendStates();
      isSendingStates = false;
      const done = { batch, through };
      batch = new EventBatch();
      return done;
    };
    for (const command of replaySegments(folder, engine, to)) {
      const applied = appliedOf(engine, command);
      const isWanted = applied.number >= from;
      const hasHappened = applied.events.length > 0 && applied.events[0]!.kind !== "refused";
      const see = (event: EngineEvent) => {
        orders.hear(event, applied.time_ms);
        if (isWanted) feed.onEvent(event, applied);
        orders.settle(event);
      };
      if (hasHappened) {
        applied.events.forEach(see);
        orders.endCommand();
      }
      if (applied.number % COMMANDS_PER_TURN !== 0) continue;
      if (isWanted && applied.number < to) yield finish(applied.number);
      await nextTurn();
    }
    yield finish(to);
  };
}
