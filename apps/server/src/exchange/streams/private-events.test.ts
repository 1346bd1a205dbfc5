import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock } from "../../kernel/clock.ts";
import { PrivateEvents } from "./private-events.ts";
import type { TierFact } from "./private-facts.ts";

const HOUR_ms = 3_600_000;

describe("private events of the last day", () => {
  function kept(options: { commandNumber?: number; mostPerAccount?: number; mostOfAll?: number } = {}) {
    const clock = new ManualClock(Date.UTC(2026, 5, 1));
    const events = new PrivateEvents({
      clock,
      commandNumber: 0,
      render: (fact) => (fact as TierFact).tier,
      ...options,
    });
    let command = options.commandNumber ?? 0;
    const add = (account: number, tier: number) => {
      const figures = { tier, previousTier: 0, volume14d_micros: 0, time_ms: clock.now() };
      command += 1;
      return events.add(account, command, {
        channel: "vip_tier",
        kind: "tier",
        change: "upgrade_immediate",
        ...figures,
      });
    };
    const tiers = (account: number, seq: number) => events.after(account, seq).events.map(({ data }) => data);
    return { clock, events, add, tiers };
  }

  it("FUT-18: what came after a number, in order, page by page", () => {
    const { events, add } = kept();
    for (let tier = 1; tier <= 5; tier += 1) {
      add(1, tier);
      add(2, 10 * tier);
    }
    const first = events.after(1, 0, 3);
    assert.deepEqual(
      first.events.map(({ data }) => data),
      [1, 2, 3],
    );
    assert.deepEqual([first.hasMore, first.isComplete], [true, true]);
    const rest = events.after(1, first.events.at(-1)!.seq, 3);
    assert.deepEqual(
      rest.events.map(({ data }) => data),
      [4, 5],
    );
    assert.deepEqual([rest.hasMore, rest.last_seq], [false, rest.events.at(-1)!.seq]);
    assert.deepEqual(events.after(1, rest.last_seq).events, []);
  });

  it("numbers go on after a restart, and it is said that what was before is gone", () => {
    const before = kept();
    const last = before.add(1, 1);
    const after = kept({ commandNumber: 1 });
    const next = after.add(1, 2);
    assert.ok(next > last);
    assert.equal(after.events.after(1, last - 1).isComplete, false);
    assert.deepEqual(after.tiers(1, last), [2]);
  });

  it("many events of one command have numbers of their own", () => {
    const { events } = kept();
    const fact = { channel: "vip_tier", kind: "tier", change: "upgrade_immediate", tier: 1 } as const;
    const figures = { previousTier: 0, volume14d_micros: 0, time_ms: Date.UTC(2026, 5, 1) };
    const seqs = Array.from({ length: 9_000 }, () => events.add(1, 7, { ...fact, ...figures }));
    assert.ok(seqs.every((seq, place) => place === 0 || seq > seqs[place - 1]!));
    assert.ok(events.add(1, 8, { ...fact, ...figures }) > seqs.at(-1)!);
  });

  it("no more than so many per account, and the answer says what is missing", () => {
    const { events, add, tiers } = kept({ mostPerAccount: 3 });
    const seqs = [1, 2, 3, 4, 5].map((tier) => add(1, tier));
    assert.deepEqual(tiers(1, 0), [3, 4, 5]);
    assert.equal(events.after(1, seqs[0]!).isComplete, false);
    assert.equal(events.after(1, seqs[1]!).isComplete, true);
  });

  it("no more than so many in all: the oldest give way, whosever they are", () => {
    const { add, tiers } = kept({ mostOfAll: 4, mostPerAccount: 3 });
    for (const [account, tier] of [
      [1, 1],
      [2, 2],
      [1, 3],
      [2, 4],
      [3, 5],
      [3, 6],
    ] as const) {
      add(account, tier);
    }
    assert.deepEqual([tiers(1, 0), tiers(2, 0), tiers(3, 0)], [[3], [4], [5, 6]]);
  });

  it("a day, and no longer", () => {
    const { clock, events, add, tiers } = kept();
    const first = add(1, 1);
    clock.advance(23 * HOUR_ms);
    add(1, 2);
    assert.deepEqual(tiers(1, 0), [1, 2]);
    clock.advance(HOUR_ms);
    assert.deepEqual(tiers(1, 0), [2]);
    assert.equal(events.after(1, first - 1).isComplete, false);
    clock.advance(24 * HOUR_ms);
    add(2, 3);
    assert.deepEqual(tiers(1, 0), []);
  });
});
