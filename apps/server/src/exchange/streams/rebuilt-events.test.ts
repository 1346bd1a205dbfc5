import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Engine } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { seededRandom } from "../../kernel/random.ts";
import { makeSnapshot } from "../journal/make-snapshot.ts";
import { recover } from "../journal/recovery.ts";
import { recordFlow } from "../journal/testing/recorded-flow.ts";
import { MarketData } from "../market-data/market-data.ts";
import { createMemoryExchange, rethrow } from "../testing/memory-exchange.ts";
import { ListenKeys } from "./listen-keys.ts";
import { ownView } from "./own-views.ts";
import { type PrivateEvent, PrivateEvents } from "./private-events.ts";
import { rebuildFrom } from "./rebuilt-events.ts";
import { Streams } from "./streams.ts";
import { MemoryEventStore, memoryKeyStore, walletOf } from "./testing.ts";

const COMMANDS = 3_000;
const START_ms = Date.UTC(2026, 5, 1, 12);

/** An exchange with a log on disk that has applied a flow of orders and stored the events. */
async function worked(t: TestContext) {
  const folder = await makeTempDir(t);
  const clock = new ManualClock(START_ms);
  const { engine, log } = await recover({ folder, projectedNumber: 0 });
  const exchange = createMemoryExchange({ engine, log, clock, maxCommandsWaiting: COMMANDS });
  const eventStore = new MemoryEventStore();
  const random = seededRandom("rebuilt events");
  const streams = new Streams({
    exchange,
    clock,
    marketData: new MarketData({ exchange, clock }),
    listenKeys: new ListenKeys({ store: memoryKeyStore(), clock, random, secret: "secret" }),
    directory: { addressOf: walletOf, numberOf: () => undefined, onKnown: () => undefined },
    eventStore,
    rebuildEvents: rebuildFrom(folder, (line) => assert.fail(line)),
    verifyToken: rethrow,
    onError: rethrow,
  });
  streams.privateEvents.start();
  const { commands } = recordFlow(11, COMMANDS, START_ms);
  for (let at = 0; at < COMMANDS; at += 100) {
    await Promise.all(commands.slice(at, at + 100).map(({ time_ms, ...command }) => exchange.submit(command)));
  }
  await exchange.close();
  return { folder, clock, engine, streams, eventStore };
}

/** A process whose database has the events of commands up to `stored` only. */
async function restarted(folder: string, clock: ManualClock, engine: Engine, store: MemoryEventStore) {
  const events = new PrivateEvents({
    clock,
    store,
    rebuild: rebuildFrom(folder, (line) => assert.fail(line)),
    commandNumber: () => engine.state.commandNumber,
    settle: () => undefined,
    render: (fact) => ownView(fact, engine.state.markets),
    onError: rethrow,
  });
  events.start();
  await events.flush(60_000);
  return events;
}

async function allOf(events: PrivateEvents, account: number): Promise<PrivateEvent[]> {
  const all: PrivateEvent[] = [];
  for (let after = 0; ; ) {
    const { events: page, hasMore } = await events.after(account, after, 100);
    all.push(...page);
    if (!hasMore) return all;
    after = page.at(-1)!.seq;
  }
}

const isState = ({ channel }: PrivateEvent) => channel === "balances" || channel === "positions";
/** Fields that depend on the mark price. A state that is sent again later has another mark. */
const OF_THE_MARK = new Set(["time", "mark_price", "notional", "unrealized_pnl"]);
const OF_OPEN_MARGIN = /margin|available|withdrawable/;
const lasting = (data: unknown) =>
  Object.entries(data as object).filter(([name]) => !OF_THE_MARK.has(name) && !OF_OPEN_MARGIN.test(name));

/** The last state of each balance and position. */
function statesOf(events: readonly PrivateEvent[]): Map<string, unknown> {
  return new Map(
    events.filter(isState).map(({ channel, data }) => {
      const { symbol = "" } = data as { readonly symbol?: string };
      return [`${channel} ${symbol}`, lasting(data)];
    }),
  );
}

describe("private events made anew from the log", () => {
  it("FUT-18, INV-6: every event as it was told, under its number, and the last state of everything", async (t) => {
    const { folder, clock, engine, streams } = await worked(t);
    const live = streams.privateEvents;
    await makeSnapshot({ folder, number: 1_000, liveHash: undefined, projectedNumber: 0 });
    for (const stored of [0, 999, 1_000, 2_345]) {
      const store = new MemoryEventStore();
      store.cursor = { command_number: stored, last_seq: 0, floor_seq: 0 };
      const anew = await restarted(folder, clock, engine, store);
      let compared = 0;
      for (let account = 1; account <= engine.state.accounts.count; account += 1) {
        const told = await allOf(live, account);
        const told_again = await allOf(anew, account);
        const first = told_again.find((event) => !isState(event))?.seq ?? Number.MAX_SAFE_INTEGER;
        // A snapshot does not hold which resting orders a trigger placed, so their trigger events are not rebuilt.
        const isFromLog = (event: PrivateEvent) => stored < 1_000 || event.seq % 2 === 0;
        const comparable = (event: PrivateEvent) => !isState(event) && isFromLog(event);
        const shown = ({ seq, data }: PrivateEvent) => [seq, { ...(data as object), original_type: "" }];
        assert.deepEqual(
          told_again.filter(comparable).map(shown),
          told.filter((event) => comparable(event) && event.seq >= first).map(shown),
          `account ${account} after command ${stored}`,
        );
        for (const [name, state] of statesOf(told_again)) {
          assert.deepEqual(state, statesOf(told).get(name), `${name} of account ${account}`);
        }
        if (told.length > 0 && told_again.length > 0) {
          const lastState = told_again.findLast(isState)!;
          assert.ok(lastState.seq >= told.at(-1)!.seq, "whoever has heard it all live hears of no earlier state again");
        }
        compared += told_again.length;
      }
      assert.ok(compared > 500, `${compared} events were compared`);
      await anew.stop();
    }
    await live.stop();
  });
});
