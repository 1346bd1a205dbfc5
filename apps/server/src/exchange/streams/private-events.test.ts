import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock } from "../../kernel/clock.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { EventBatch } from "./event-batch.ts";
import { EventNumbers } from "./event-numbers.ts";
import { PrivateEvents, type Rebuild } from "./private-events.ts";
import type { TierFact } from "./private-facts.ts";
import { MemoryEventStore } from "./testing.ts";

interface TierChange {
  readonly account: number;
  readonly fact: TierFact;
}

function tierFact(tier: number, time_ms: number): TierFact {
  const figures = { tier, previousTier: 0, volume14d_micros: 0, time_ms };
  return { channel: "vip_tier", kind: "tier", change: "upgrade_immediate", ...figures };
}

/** A log of tier changes by command number, from which a rebuild can repeat the private events. */
class TierLog {
  readonly clock = new ManualClock(Date.UTC(2026, 5, 1));
  readonly store = new MemoryEventStore();
  readonly changes: TierChange[][] = [];
  readonly errors: unknown[] = [];
  rebuilds = 0;

  /** A process that uses the same store and log. */
  open(options: { maxWaiting_bytes?: number; rebuild?: Rebuild; kept_ms?: number } = {}): PrivateEvents {
    const events = new PrivateEvents({
      clock: this.clock,
      store: this.store,
      rebuild: (from, to) => this.#rebuild(from, to),
      commandNumber: () => this.changes.length,
      settle: () => undefined,
      render: (fact) => (fact as TierFact).tier,
      onError: (error) => this.errors.push(error),
      ...options,
    });
    events.start();
    return events;
  }

  append(events: PrivateEvents | undefined, account: number, ...tiers: number[]): number {
    const facts = tiers.map((tier) => ({ account, fact: tierFact(tier, this.clock.now()) }));
    this.changes.push(facts);
    let last = 0;
    for (const { fact } of facts) last = events?.add(account, this.changes.length, fact) ?? 0;
    return last;
  }

  async *#rebuild(from: number, to: number) {
    this.rebuilds += 1;
    const numbers = new EventNumbers();
    for (let number = from; number <= to; number += 1) {
      const batch = new EventBatch();
      for (const { account, fact } of this.changes[number - 1]!)
        batch.add(account, numbers.next(account, number, fact), fact);
      yield { batch, through: number };
    }
  }
}

const tiersOf = async (events: PrivateEvents, account: number, seq = 0) =>
  (await events.after(account, seq)).events.map(({ data }) => data);

describe("private events of the last day", () => {
  it("FUT-18: what came after a number, in order, page by page", async () => {
    const log = new TierLog();
    const events = log.open();
    for (let tier = 1; tier <= 5; tier += 1) {
      log.append(events, 1, tier);
      log.append(events, 2, 10 * tier);
    }
    const first = await events.after(1, 0, 3);
    assert.deepEqual(
      first.events.map(({ data }) => data),
      [1, 2, 3],
    );
    assert.deepEqual([first.hasMore, first.isComplete], [true, true]);
    const rest = await events.after(1, first.events.at(-1)!.seq, 3);
    assert.deepEqual(
      rest.events.map(({ data }) => data),
      [4, 5],
    );
    assert.deepEqual([rest.hasMore, rest.last_seq], [false, rest.events.at(-1)!.seq]);
    assert.deepEqual(await tiersOf(events, 1, rest.last_seq), []);
    await events.stop();
  });

  it("FUT-18: a stop and a start later they are all there, and numbers go on", async () => {
    const log = new TierLog();
    const before = log.open();
    const last = log.append(before, 1, 1, 2);
    await before.stop();
    const after = log.open();
    assert.ok(after.lastSeq(1) >= last);
    assert.deepEqual([await tiersOf(after, 1), log.rebuilds], [[1, 2], 0]);
    assert.ok(log.append(after, 1, 3) > last);
    const answer = await after.after(1, last);
    assert.deepEqual(
      answer.events.map(({ data }) => data),
      [3],
    );
    assert.equal(answer.isComplete, true);
    await after.stop();
  });

  it("FUT-19: what is no event of the exchange stands behind all that was told, and before all that comes", async () => {
    const log = new TierLog();
    const before = log.open();
    const last = log.append(before, 1, 1);
    await before.stop();
    const events = log.open();
    const known = events.lastSeq(1);
    const [first = 0] = await events.keepBesides([{ account: 1, fact: tierFact(2, log.clock.now()) }]);
    const [second = 0] = await events.keepBesides([{ account: 1, fact: tierFact(3, log.clock.now()) }]);
    assert.ok(last <= known && known < first && first < second, "a client that keeps the last number misses nothing");
    assert.ok(log.append(events, 1, 4) > second);
    assert.deepEqual(await tiersOf(events, 1), [1, 2, 3, 4]);
    await events.stop();
    assert.deepEqual(await tiersOf(log.open(), 1, first), [3, 4]);
  });

  it("FUT-18: what is no event of the exchange is kept also where no command came since the last write", async () => {
    const log = new TierLog();
    const events = log.open();
    log.append(events, 1, 1);
    assert.deepEqual(await tiersOf(events, 1), [1]);
    await events.keepBesides([{ account: 1, fact: tierFact(2, log.clock.now()) }]);
    // The first process does not stop; its stored events are readable all the same.
    const after = log.open();
    assert.deepEqual(await tiersOf(after, 1), [1, 2]);
    await after.stop();
  });

  it("FUT-18, INV-7: a command's events that a crash took do not meet what was kept before it", async () => {
    const log = new TierLog();
    const before = log.open();
    log.append(before, 2, 1);
    const [kept = 0] = await before.keepBesides([{ account: 1, fact: tierFact(2, log.clock.now()) }]);
    const lost = log.append(before, 1, 3, 4);
    const after = log.open();
    assert.deepEqual(await tiersOf(after, 1), [2, 3, 4]);
    assert.deepEqual(await tiersOf(after, 1, kept), [3, 4]);
    assert.deepEqual(await tiersOf(after, 1, lost), []);
    await after.stop();
  });

  it("FUT-18: what is kept by process after process without a command in between has numbers of its own", async () => {
    const log = new TierLog();
    const seqs: number[] = [];
    for (const tier of [1, 2, 3]) {
      const events = log.open();
      seqs.push(...(await events.keepBesides([{ account: 1, fact: tierFact(tier, log.clock.now()) }])));
    }
    assert.ok(seqs[0]! < seqs[1]! && seqs[1]! < seqs[2]!, seqs.join());
    const last = log.open();
    assert.deepEqual(await tiersOf(last, 1), [1, 2, 3]);
    assert.deepEqual(await tiersOf(last, 1, seqs[1]), [3]);
    await last.stop();
  });

  it("FUT-18: what cannot be stored is not told", async () => {
    const log = new TierLog();
    const events = log.open();
    await events.flush();
    log.store.failure = "before";
    const kept = events.keepBesides([{ account: 1, fact: tierFact(1, log.clock.now()) }]);
    await assert.rejects(kept, ProjectionTimeout);
    await events.stop();
  });

  it("FUT-18, INV-7: what a crash took is told again from the log, under the numbers it had", async () => {
    const log = new TierLog();
    const before = log.open();
    log.append(before, 1, 1);
    await before.flush();
    const seqs = [log.append(before, 1, 2, 3), log.append(before, 1, 4)];
    // The first process does not stop: it crashed, and events that it had not stored are lost.
    const after = log.open();
    log.append(after, 1, 5);
    assert.deepEqual(await tiersOf(after, 1), [1, 2, 3, 4, 5]);
    assert.deepEqual(await tiersOf(after, 1, seqs[0]), [4, 5]);
    assert.deepEqual(await tiersOf(after, 1, seqs[1]), [5]);
    assert.equal(log.rebuilds, 1);
    await after.stop();
  });

  it("FUT-18: memory is bounded: what does not fit is made anew from the log once the database answers", async () => {
    const log = new TierLog();
    const events = log.open({ maxWaiting_bytes: 200 });
    await events.flush();
    log.store.failure = "before";
    const expected = Array.from({ length: 200 }, (_, place) => place + 1);
    for (const tier of expected) log.append(events, 1 + (tier % 3), tier);
    await assert.rejects(events.flush(20), ProjectionTimeout);
    log.store.failure = "none";
    await events.flush(30_000);
    const all = [...(await tiersOf(events, 1)), ...(await tiersOf(events, 2)), ...(await tiersOf(events, 3))];
    assert.deepEqual(
      all.map(Number).sort((a, b) => a - b),
      expected,
    );
    assert.ok(log.rebuilds > 0 && log.errors.length > 0);
    await events.stop();
  });

  it("FUT-18: a write whose answer got lost is not repeated", async () => {
    const log = new TierLog();
    const events = log.open();
    await events.flush();
    log.store.failure = "after";
    log.append(events, 1, 1, 2);
    await assert.rejects(events.flush(20), ProjectionTimeout);
    log.store.failure = "none";
    log.append(events, 1, 3);
    await events.flush(30_000);
    assert.deepEqual(await tiersOf(events, 1), [1, 2, 3]);
    await events.stop();
  });

  it("many events of one command have numbers of their own", () => {
    const numbers = new EventNumbers();
    const fact = tierFact(1, 0);
    const seqs = Array.from({ length: 40_000 }, () => numbers.next(1, 7, fact));
    assert.ok(seqs.every((seq, place) => place === 0 || seq > seqs[place - 1]!));
    assert.ok(numbers.next(1, 8, fact) > seqs.at(-1)!);
    assert.equal(numbers.next(2, 8, fact), numbers.next(3, 8, fact));
  });

  it("LOG-8: for as long as the operator has set, instead of a day", async () => {
    const log = new TierLog();
    const events = log.open({ kept_ms: 72 * HOUR_ms });
    log.append(events, 1, 1);
    log.clock.advance(71 * HOUR_ms);
    assert.deepEqual(await events.prune(log.clock.now()), { removed: 0 });
    assert.deepEqual(await tiersOf(events, 1), [1]);
    log.clock.advance(HOUR_ms);
    assert.deepEqual(await tiersOf(events, 1), []);
    assert.deepEqual(await events.prune(log.clock.now()), { removed: 1 });
    await events.stop();
  });

  it("FUT-18: a day, and no longer, also once they are removed", async () => {
    const log = new TierLog();
    const { clock } = log;
    const events = log.open();
    const first = log.append(events, 1, 1);
    await events.flush();
    clock.advance(23 * HOUR_ms);
    log.append(events, 1, 2);
    assert.deepEqual(await tiersOf(events, 1), [1, 2]);
    clock.advance(HOUR_ms);
    assert.deepEqual(await tiersOf(events, 1), [2]);
    assert.equal((await events.after(1, first - 1)).isComplete, false);
    assert.equal((await events.after(1, first)).isComplete, true);
    assert.deepEqual(await events.prune(clock.now()), { removed: 1 });
    assert.equal((await events.after(1, first - 1)).isComplete, false);
    assert.equal((await events.after(1, first)).isComplete, true);
    assert.equal((await events.after(2, 0)).isComplete, true, "others have lost nothing");
    clock.advance(24 * HOUR_ms);
    assert.deepEqual(await tiersOf(events, 1), []);
    await events.stop();
  });

  it("FUT-18: where the log begins later than what is missing, it is said to be gone", async () => {
    const log = new TierLog();
    const before = log.open();
    await before.flush();
    const lost = log.append(undefined, 1, 1);
    const rebuild: Rebuild = async function* () {
      yield* [];
      throw new LogFault("the log begins later");
    };
    const after = log.open({ rebuild });
    log.append(after, 1, 2);
    const answer = await after.after(1, lost);
    assert.deepEqual([answer.isComplete, answer.events.map(({ data }) => data)], [false, [2]]);
    assert.equal((await after.after(1, answer.last_seq)).isComplete, true);
    assert.ok(log.errors[0] instanceof LogFault);
    await after.stop();
  });
});
