import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Command, EngineEvent } from "@bourse/engine";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { kernelMigrations } from "../database/kernel-migrations.ts";
import { openTestDatabase } from "../database/testing.ts";
import { Late, refuseIfLate, unlessLate } from "../late.ts";
import { OutboxDispatcher } from "../outbox/dispatcher.ts";
import { createOutbox } from "../outbox/outbox.ts";
import { type AppliedCommand, answeredMessages } from "./answers.ts";
import { AnswerLate, EngineRequests } from "./engine-requests.ts";

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const REFUSED = { kind: "refused", reason: "balance_limit", limit: 5, actual: 6 } as unknown as EngineEvent;
const DONE = { kind: "fund_seeded" } as unknown as EngineEvent;

/** Gives scripted answers, and ignores numbers that it has had before. */
class FakeEngine {
  readonly applied: AppliedCommand[] = [];
  readonly engine = { state: { externalNumber: 0, rulesVersion: 4 } };
  readonly #listeners: ((applied: AppliedCommand) => void)[] = [];
  next: EngineEvent = DONE;

  listen(listener: (applied: AppliedCommand) => void): void {
    this.#listeners.push(listener);
  }

  apply(seq: number, payload: object): void {
    const isKnown = seq <= this.engine.state.externalNumber;
    this.engine.state.externalNumber = Math.max(seq, this.engine.state.externalNumber);
    const events = [isKnown ? ({ kind: "ignored" } as unknown as EngineEvent) : this.next];
    const command = { ...payload, number: seq } as unknown as Command;
    const applied = { number: this.applied.length + 1, time_ms: clock.now(), command, events };
    this.applied.push(applied);
    for (const listener of this.#listeners) listener(applied);
  }
}

describe("requests to the engine", () => {
  let database: Database;
  let dispatcher: OutboxDispatcher;
  const exchange = new FakeEngine();
  const waited: (number | "all")[] = [];
  const projector = {
    waitFor: async (number: number) => void waited.push(number),
    waitForAll: async () => void waited.push("all"),
  };
  const newRequests = (options: { readonly timeout_ms?: number } = {}) =>
    new EngineRequests({ database, outbox: createOutbox({ clock }), dispatcher, exchange, projector, ...options });
  const seed = (amount_micros = 1) => ({ kind: "seed_fund", amount_micros }) as const;
  const tell = (requests: EngineRequests, ref: string) =>
    database.db.transaction().execute((tx) => requests.tell(tx, ref, seed()));

  before(async () => {
    database = await openTestDatabase(kernelMigrations);
    dispatcher = new OutboxDispatcher({
      database,
      clock,
      deliver: async ({ seq, payload }) => exchange.apply(Number(seq), payload as object),
      onError: (error) => assert.fail(error),
    });
    dispatcher.start();
  });
  after(async () => {
    await dispatcher.stop();
    await database.close();
  });

  it("are answered once the engine has them: done, or refused and why", async () => {
    const requests = newRequests();
    await tell(requests, "done");
    assert.deepEqual(await requests.answer("done"), { refused: undefined, command_number: exchange.applied.length });
    exchange.next = REFUSED;
    await tell(requests, "refused");
    const { refused } = (await requests.answer("refused"))!;
    assert.deepEqual([refused?.reason, refused?.limit, refused?.actual], ["balance_limit", 5, 6]);
    exchange.next = DONE;
  });

  it("leave with their transaction or not at all, and once for each name", async () => {
    const requests = newRequests({ timeout_ms: 1 });
    const failed = database.db.transaction().execute(async (tx) => {
      await requests.tell(tx, "undone", seed());
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
    assert.equal(await tell(requests, "once"), true);
    assert.equal(await tell(requests, "once"), false);
    await dispatcher.idle();
    const { rows } = await sql<{ ref: string }>`select ref from outbox where ref in ('undone', 'once')`.execute(
      database.db,
    );
    assert.deepEqual(rows, [{ ref: "once" }]);
  });

  it("LOG-1: fail where the log could not hold them, before anything is stored", async () => {
    const requests = newRequests();
    const told = (details: object, secret: string) =>
      database.db.transaction().execute((tx) => requests.tell(tx, "large", seed(), { details, secret }));
    await assert.rejects(told({ text: "x".repeat(32_000) }, "y".repeat(32_000)), /large has 640\d\d bytes for the log/);
    await assert.rejects(told({}, "Ω".repeat(32_000)), RangeError);
    assert.equal(await told({ text: "x".repeat(31_000) }, "y".repeat(32_000)), true);
    await requests.answer("large");
  });

  it("reach the engine in the order in which they were told", async () => {
    const requests = newRequests();
    const before_ = exchange.applied.length;
    const orders = [7, 8, 9].map((amount) => ({ ref: `many ${amount}`, command: seed(amount) }));
    await database.db.transaction().execute((tx) => requests.tellAll(tx, orders));
    await requests.answer("many 9");
    const amounts = exchange.applied
      .slice(before_)
      .map(({ command }) => (command as { amount_micros: number }).amount_micros);
    assert.deepEqual(amounts, [7, 8, 9]);
  });

  it("are late where the engine is silent; the answer comes with the same name later", async () => {
    await dispatcher.stop();
    const requests = newRequests({ timeout_ms: 10 });
    await tell(requests, "silent");
    await assert.rejects(requests.answer("silent"), AnswerLate);
    await assert.rejects(requests.stored("silent"), Late);
    assert.equal(await unlessLate(requests.answer("silent")), undefined);
    await assert.rejects(
      refuseIfLate(requests.stored("silent"), () => new Error("not ready")),
      /not ready/,
    );
    dispatcher.start();
    assert.equal((await requests.answer("silent", 10_000))?.refused, undefined);
  });

  it("are stored once the tables have come to the command that answered them", async () => {
    const requests = newRequests();
    await tell(requests, "stored");
    waited.length = 0;
    const { command_number } = (await requests.stored("stored"))!;
    assert.deepEqual(waited, [command_number]);
  });

  it("that were answered before this process listened are in the tables, also where the message is gone", async () => {
    await tell(newRequests(), "earlier");
    await dispatcher.idle();
    const heir = newRequests();
    waited.length = 0;
    assert.equal(await heir.answer("earlier", 60_000), undefined);
    assert.equal(await heir.stored("earlier", 60_000), undefined);
    await sql`delete from outbox where ref = 'earlier'`.execute(database.db);
    assert.equal(await heir.answer("earlier", 60_000), undefined);
    assert.deepEqual(waited, ["all", "all", "all"]);
  });

  it("are recognised by the projections, each once, by kind", async () => {
    const requests = newRequests();
    const before_ = exchange.applied.length;
    exchange.next = REFUSED;
    await tell(requests, "projected");
    await requests.answer("projected");
    exchange.next = DONE;
    // Delivered again after a crash.
    exchange.apply(exchange.engine.state.externalNumber, seed());
    const recognised = (kind: string) =>
      database.db.transaction().execute((tx) => answeredMessages(tx, exchange.applied.slice(before_), new Set([kind])));
    const [answer, ...others] = await recognised("seed_fund");
    assert.deepEqual([answer?.ref, answer?.refused?.reason, others.length], ["projected", "balance_limit", 0]);
    assert.deepEqual([answer?.command_number, answer?.at.getTime()], [before_ + 1, clock.now()]);
    assert.deepEqual(await recognised("deposit"), []);
  });
});
