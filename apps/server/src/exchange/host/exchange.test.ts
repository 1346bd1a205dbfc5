import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteReader, CodecFault, decodeCommand, Engine, ISOLATED, SCOPE_BOTH, stateHash } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { recover } from "../journal/recovery.ts";
import { recordFlow } from "../journal/testing/recorded-flow.ts";
import { ExchangeOverloaded, ExchangeUnavailable, OnlyReducing, OutcomeUnknown, type Unstamped } from "./exchange.ts";
import { LoggedExchange } from "./logged-exchange.ts";

const TIME_ms = Date.UTC(2026, 5, 1);

/** A log whose appends wait until the test lets them pass or fail. */
class SlowLog implements CommandLog {
  readonly appends: { readonly records: readonly Uint8Array[]; pass(): void; fail(error: Error): void }[] = [];
  isClosed = false;
  #arrived = Promise.withResolvers<void>();

  append(records: readonly Uint8Array[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.appends.push({ records, pass: resolve, fail: reject });
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
    return promise;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** Waits for the append of this number. */
  async appended(number: number) {
    while (this.appends.length < number) await this.#arrived.promise;
    return this.appends[number - 1]!;
  }
}

function makeExchange<Log extends CommandLog>(
  log: Log,
  { maxCommandsWaiting = 10_000, isOnlyReducing = (): boolean => false } = {},
) {
  const failures: unknown[] = [];
  const clock = new ManualClock(TIME_ms);
  const engine = new Engine();
  const exchange = new LoggedExchange({
    engine,
    log,
    clock,
    maxCommandsWaiting,
    isOnlyReducing,
    onFailure: (error) => failures.push(error),
  });
  return { exchange, engine, clock, log, failures };
}

const openAccount = (account: number): Unstamped => ({ kind: "open_account", account });

/** Records how a submitted command ends. */
function note(story: string[], name: string, submitted: Promise<unknown>): Promise<unknown> {
  return submitted.then(
    () => story.push(`${name} done`),
    (error: Error) => story.push(`${name} ${error.name}`),
  );
}

describe("Exchange", () => {
  it("FUT-1: a command is logged with its time, then applied, told and answered", async () => {
    const log = new SlowLog();
    const { exchange, engine } = makeExchange(log);
    const told: number[] = [];
    exchange.listen(({ number }) => told.push(number));
    const submitted = exchange.submit(openAccount(1));
    const append = await log.appended(1);
    assert.deepEqual(decodeCommand(new ByteReader(append.records[0]!)), {
      kind: "open_account",
      account: 1,
      time_ms: TIME_ms,
    });
    assert.deepEqual([engine.state.commandNumber, told, exchange.waiting], [0, [], 1]);
    append.pass();
    const applied = await submitted;
    assert.deepEqual([applied.number, applied.time_ms], [1, TIME_ms]);
    assert.deepEqual(
      applied.events.map(({ kind }) => kind),
      ["account_opened"],
    );
    assert.deepEqual([told, exchange.waiting], [[1], 0]);
  });

  it("a command that the engine refuses resolves, and says so", async () => {
    const { exchange } = makeExchange(new MemoryLog());
    const { events } = await exchange.submit(openAccount(5));
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ["refused"],
    );
  });

  it("engine time does not go back with the clock", async () => {
    const { exchange, clock } = makeExchange(new MemoryLog());
    clock.advance(1_000);
    await exchange.submit(openAccount(1));
    const before = new LoggedExchange({
      engine: exchange.engine,
      log: new MemoryLog(),
      clock: new ManualClock(TIME_ms),
      maxCommandsWaiting: 1,
      onFailure: () => assert.fail(),
    });
    const { time_ms, command } = await before.submit(openAccount(2));
    assert.deepEqual([time_ms, command.time_ms], [TIME_ms + 1_000, TIME_ms]);
  });

  it("gathers while a batch syncs, and applies it while the next one does", async () => {
    const log = new SlowLog();
    const { exchange, engine } = makeExchange(log);
    const first = [exchange.submit(openAccount(1)), exchange.submit(openAccount(2))];
    const append = await log.appended(1);
    const second = [3, 4, 5].map((account) => exchange.submit(openAccount(account)));
    append.pass();
    const next = await log.appended(2);
    await Promise.all(first);
    assert.deepEqual([append.records.length, next.records.length], [2, 3]);
    assert.deepEqual([engine.state.commandNumber, exchange.waiting], [2, 3]);
    next.pass();
    await Promise.all(second);
    assert.equal(log.appends.length, 2);
  });

  it("tells listeners and answers in the order of the log, whatever they ask for meanwhile", async () => {
    const { exchange } = makeExchange(new MemoryLog());
    const story: string[] = [];
    const more: Promise<unknown>[] = [];
    exchange.listen(({ number }) => {
      story.push(`${number} told a`);
      if (number === 2) more.push(note(story, "more", exchange.submit(openAccount(4))));
    });
    exchange.listen(({ number }) => {
      assert.equal(exchange.engine.state.commandNumber, number);
      story.push(`${number} told b`);
    });
    await Promise.all([1, 2, 3].map((account) => note(story, String(account), exchange.submit(openAccount(account)))));
    await Promise.all(more);
    const told = ["1 told a", "1 told b", "2 told a", "2 told b", "3 told a", "3 told b"];
    assert.deepEqual(story, [...told, "1 done", "2 done", "3 done", "4 told a", "4 told b", "more done"]);
  });

  it("goes through more than fits into one batch, in order", async () => {
    const { exchange, log } = makeExchange(new MemoryLog());
    const applied = await Promise.all(Array.from({ length: 2_500 }, (_, at) => exchange.submit(openAccount(at + 1))));
    assert.deepEqual(
      applied.map(({ number }) => number),
      applied.map((_, place) => place + 1),
    );
    assert.deepEqual(
      log.records.map((record) => decodeCommand(new ByteReader(record))),
      applied.map(({ command }) => command),
    );
    assert.equal(exchange.engine.state.accounts.count, 2_500);
  });

  it("SEC-11: an opening and its settings are in one append, wherever the batch would have ended", async () => {
    const settings = [0, 1, 2].flatMap((market): Unstamped[] => [
      { kind: "set_margin_mode", account: 1, market, mode: ISOLATED },
      { kind: "set_leverage", account: 1, market, leverage: 7 },
    ]);
    const group: Unstamped[] = [openAccount(1), ...settings];
    for (const before of [9_993, 9_996, 9_999, 10_000]) {
      const log = new SlowLog();
      const { exchange } = makeExchange(log, { maxCommandsWaiting: 20_000 });
      const others = Array.from({ length: before }, (): Unstamped => ({ kind: "advance_time" }));
      // Another account's setting and the next opening are not part of it.
      const behind: Unstamped[] = [{ kind: "set_leverage", account: 2, market: 0, leverage: 3 }, openAccount(2)];
      const done = [...others, ...group, ...behind].map((command) => exchange.submit(command));
      const appends = [await log.appended(1)];
      appends[0]!.pass();
      appends.push(await log.appended(2));
      appends[1]!.pass();
      await Promise.all(done);
      const kinds = appends.map(({ records }) =>
        records.map((record) => decodeCommand(new ByteReader(record)).kind).filter((kind) => kind !== "advance_time"),
      );
      const whole = group.map(({ kind }) => kind);
      const rest = behind.map(({ kind }) => kind);
      assert.deepEqual(kinds, before === 10_000 ? [[], [...whole, ...rest]] : [whole, rest]);
      await exchange.close();
    }
  });

  it("INV-6: the log leads to the live state, also after a restart", async (t) => {
    const folder = await makeTempDir(t);
    const { commands } = recordFlow(4, 2_000);
    const { engine, log } = await recover({ folder, projectedNumber: 0, segment_bytes: 20_000 });
    const clock = new ManualClock(TIME_ms);
    const onFailure = (error: unknown) => assert.fail(String(error));
    const exchange = new LoggedExchange({ engine, log, clock, maxCommandsWaiting: 10_000, onFailure });
    const told: unknown[] = [];
    exchange.listen(({ number, events }) => told.push([number, events]));
    for (let at = 0; at < commands.length; at += 100) {
      clock.advance(700_000);
      await Promise.all(commands.slice(at, at + 100).map((command) => exchange.submit(command)));
    }
    await exchange.close();
    const toldAgain: unknown[] = [];
    const again = await recover({
      folder,
      projectedNumber: 0,
      onApplied: ({ number, events }) => void toldAgain.push([number, events]),
    });
    await again.log.close();
    assert.equal(stateHash(again.engine.state), stateHash(engine.state));
    assert.deepEqual(toldAgain, told);
  });
});

describe("too many commands", () => {
  it("FUT-17: beyond the limit a command is refused, an exempt one passes", async () => {
    const log = new SlowLog();
    const { exchange } = makeExchange(log, { maxCommandsWaiting: 2 });
    const taken = [exchange.submit(openAccount(1)), exchange.submit(openAccount(2))];
    const refused = [exchange.submit(openAccount(3))];
    taken.push(exchange.submit(openAccount(3), true));
    refused.push(exchange.submit(openAccount(4)));
    for (const promise of refused) await assert.rejects(promise, ExchangeOverloaded);
    (await log.appended(1)).pass();
    assert.deepEqual(
      (await Promise.all(taken)).map(({ number }) => number),
      [1, 2, 3],
    );
    const later = exchange.submit(openAccount(4));
    (await log.appended(2)).pass();
    assert.equal((await later).number, 4);
  });

  it("LOG-8: while the disk is full only exempt commands pass", async () => {
    let isFull = true;
    const { exchange } = makeExchange(new MemoryLog(), { isOnlyReducing: () => isFull });
    await assert.rejects(exchange.submit(openAccount(1)), OnlyReducing);
    assert.deepEqual([exchange.hasRoom(false), exchange.hasRoom(true)], [false, true]);
    assert.equal((await exchange.submit(openAccount(1), true)).number, 1);
    isFull = false;
    assert.equal((await exchange.submit(openAccount(2))).number, 2);
  });

  it("WIRE-11: with a limit of 0 only exempt commands pass", async () => {
    const { exchange } = makeExchange(new MemoryLog(), { maxCommandsWaiting: 0 });
    await assert.rejects(exchange.submit(openAccount(1)), ExchangeOverloaded);
    assert.equal((await exchange.submit(openAccount(1), true)).number, 1);
    await assert.rejects(exchange.submit(openAccount(2)), ExchangeOverloaded);
  });

  it("FUT-17: even exempt commands have a limit", async () => {
    const log = new SlowLog();
    const { exchange } = makeExchange(log, { maxCommandsWaiting: 0 });
    const taken = Array.from({ length: 100_000 }, () => exchange.submit({ kind: "advance_time" }, true));
    await assert.rejects(exchange.submit({ kind: "advance_time" }, true), ExchangeOverloaded);
    (await log.appended(1)).fail(new Error("enough"));
    assert.equal((await Promise.allSettled(taken)).length, 100_000);
  });
});

describe("commands that cannot be logged", () => {
  const unloggable: readonly (readonly [string, Unstamped])[] = [
    ["without a field", { kind: "open_account" } as unknown as Unstamped],
    ["of an unknown kind", { kind: "no_such_thing" } as unknown as Unstamped],
    ["with a number that is none", openAccount(Number.NaN)],
    [
      "with a text that is too long",
      { kind: "cancel_order", account: 1, order: 0, clientId: "x".repeat(70_000), scope: SCOPE_BOTH },
    ],
  ];
  for (const [what, command] of unloggable) {
    it(`FUT-1: one ${what} is refused to its caller, and nobody else suffers`, async () => {
      const { exchange, log, failures } = makeExchange(new MemoryLog());
      const before = exchange.submit(openAccount(1));
      const bad = exchange.submit(command);
      const after = exchange.submit(openAccount(2));
      await assert.rejects(bad, CodecFault);
      assert.deepEqual([(await before).number, (await after).number], [1, 2]);
      await assert.rejects(exchange.submit(command), CodecFault);
      assert.equal((await exchange.submit(openAccount(3))).number, 3);
      assert.deepEqual([log.records.length, exchange.waiting, failures], [3, 0, []]);
    });
  }
});

describe("an exchange that fails", () => {
  it("INV-7: a log that fails amid a pipeline: what was synced is done, the rest unknown or not taken", async () => {
    const log = new SlowLog();
    const { exchange, engine, failures } = makeExchange(log);
    const story: string[] = [];
    const synced = note(story, "synced", exchange.submit(openAccount(1)));
    const append = await log.appended(1);
    const failing = note(story, "failing", exchange.submit(openAccount(2)));
    append.pass();
    const next = await log.appended(2);
    const queued = note(story, "queued", exchange.submit(openAccount(3)));
    const broken = new Error("the disk is gone");
    next.fail(broken);
    await Promise.all([synced, failing, queued]);
    assert.deepEqual(story, ["synced done", "failing OutcomeUnknown", "queued ExchangeUnavailable"]);
    await assert.rejects(exchange.submit(openAccount(4), true), ExchangeUnavailable);
    assert.deepEqual([engine.state.commandNumber, exchange.waiting, failures], [1, 0, [broken]]);
    assert.ok(exchange.failure instanceof OutcomeUnknown);
    assert.equal(log.appends.length, 2, "nothing is tried again");
    await exchange.close();
    assert.ok(log.isClosed);
  });

  it("INV-7: a listener that throws stops it: memory and listeners would disagree", async () => {
    const log = new SlowLog();
    const { exchange, engine, failures } = makeExchange(log);
    const story: string[] = [];
    const broken = new Error("the listener has a defect");
    exchange.listen(({ number }) => {
      if (number === 2) throw broken;
      story.push(`${number} told`);
    });
    const batch = [1, 2, 3].map((account) => note(story, `${account}`, exchange.submit(openAccount(account))));
    const append = await log.appended(1);
    const following = note(story, "following", exchange.submit(openAccount(4)));
    append.pass();
    (await log.appended(2)).pass();
    await Promise.all([...batch, following]);
    const unknown = ["2", "3", "following"].map((name) => `${name} OutcomeUnknown`);
    assert.deepEqual(story, ["1 told", "1 done", ...unknown]);
    await assert.rejects(exchange.submit(openAccount(5)), ExchangeUnavailable);
    assert.deepEqual([engine.state.commandNumber, exchange.waiting, failures], [2, 0, [broken]]);
    await exchange.close();
  });

  it("INV-7: an append that throws counts as one that has failed", async () => {
    const log = new MemoryLog();
    const broken = new Error("no log at all");
    log.append = () => {
      throw broken;
    };
    const { exchange, failures } = makeExchange(log);
    await assert.rejects(exchange.submit(openAccount(1)), OutcomeUnknown);
    assert.deepEqual([exchange.waiting, failures], [0, [broken]]);
    await exchange.close();
  });
});

describe("an exchange that closes", () => {
  it("WIRE-12: finishes everything that it has taken, and takes nothing more", async () => {
    const log = new SlowLog();
    const { exchange } = makeExchange(log);
    const story: string[] = [];
    exchange.listen(({ number }) => {
      if (number === 1) void note(story, "asked by a listener", exchange.submit(openAccount(9)));
    });
    const taken = [note(story, "first", exchange.submit(openAccount(1)))];
    const append = await log.appended(1);
    taken.push(note(story, "second", exchange.submit(openAccount(2))));
    const closing = exchange.close().then(() => story.push("closed"));
    taken.push(note(story, "late", exchange.submit(openAccount(3), true)));
    append.pass();
    (await log.appended(2)).pass();
    await Promise.all([...taken, closing]);
    assert.deepEqual(
      new Set(story),
      new Set([
        "late ExchangeUnavailable",
        "first done",
        "asked by a listener ExchangeUnavailable",
        "second done",
        "closed",
      ]),
    );
    assert.equal(story.at(-1), "closed");
    assert.ok(log.isClosed);
    await exchange.close();
  });

  it("WIRE-12: also what a listener asked for just before", async () => {
    const log = new SlowLog();
    const { exchange } = makeExchange(log);
    const asked: Promise<unknown>[] = [];
    exchange.listen(({ number }) => {
      if (number > 1) return;
      asked.push(exchange.submit(openAccount(2)));
      void exchange.close();
    });
    const submitted = exchange.submit(openAccount(1));
    (await log.appended(1)).pass();
    await submitted;
    const append = await log.appended(2);
    assert.ok(!log.isClosed);
    append.pass();
    await Promise.all(asked);
    await exchange.close();
    assert.ok(log.isClosed);
    assert.equal(exchange.engine.state.accounts.count, 2);
  });
});
