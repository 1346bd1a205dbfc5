import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definitionOf, Engine, FIRST_MARKETS, ISOLATED, NO_POSITION } from "@bourse/engine";
import type { AccountSetting } from "../../kernel/engine-requests/engine-requests.ts";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { commandOf } from "../cluster/submissions.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { OutcomeUnknown } from "./exchange.ts";
import { deliverTo } from "./outbox-delivery.ts";

/** A log of a process that is killed after so many appends: what comes later is not in it. */
class CutLog implements CommandLog {
  readonly kept = new MemoryLog();
  #left: number;

  constructor(appends: number) {
    this.#left = appends;
  }

  append(records: readonly Uint8Array[]): Promise<void> {
    this.#left -= 1;
    return this.#left >= 0 ? this.kept.append(records) : Promise.reject(new Error("killed"));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const SETTINGS: readonly AccountSetting[] = [0, 1, 2, 3].map((market) => ({ market, mode: ISOLATED, leverage: 7 }));

const message = {
  seq: 1n,
  topic: "exchange",
  ref: "open-account:1",
  payload: { kind: "open_account", account: 1, settings: SETTINGS },
} as unknown as Parameters<ReturnType<typeof deliverTo>>[0];

/** Delivers the opening behind so many other commands of the same turn, with a process that dies after its first append. */
async function deliverAndDie(before: number): Promise<Engine> {
  const log = new CutLog(1);
  const exchange = createMemoryExchange({ log, maxCommandsWaiting: 100_000, onFailure: () => {} });
  const submitted = FIRST_MARKETS.map((market) =>
    exchange.submit({ kind: "add_market", definition: definitionOf(market) }),
  );
  for (let at = submitted.length; at < before; at += 1) submitted.push(exchange.submit({ kind: "advance_time" }));
  await Promise.allSettled([...submitted, deliverTo(exchange)(message)]);
  const restarted = new Engine();
  for (const record of log.kept.records) restarted.apply(commandOf(record));
  return restarted;
}

const chosenIn = ({ state: { positions } }: Engine) =>
  SETTINGS.map(({ market }) => {
    const position = positions.find(1, market);
    return position === NO_POSITION
      ? undefined
      : { market, mode: positions.mode(position), leverage: positions.leverage(position) };
  });

describe("an opening that is delivered again after a crash", () => {
  for (const before of [9_990, 9_993, 9_996, 9_999, 10_000]) {
    it(`SEC-11: has all its settings, with ${before} commands in front of it`, async () => {
      const engine = await deliverAndDie(before);
      assert.ok([0, 1].includes(engine.state.accounts.count));
      const wereThere = chosenIn(engine).filter((chosen) => chosen !== undefined).length;
      assert.equal(wereThere, engine.state.accounts.count === 0 ? 0 : SETTINGS.length, "all of them or none");
      const exchange = createMemoryExchange({ engine });
      await deliverTo(exchange)(message);
      assert.deepEqual(chosenIn(engine), SETTINGS);
      // And once more, after its owner has chosen otherwise.
      await exchange.submit({ kind: "set_leverage", account: 1, market: 2, leverage: 11 });
      await deliverTo(exchange)(message);
      assert.deepEqual(
        chosenIn(engine).map((chosen) => chosen?.leverage),
        [7, 7, 11, 7],
      );
    });
  }

  it("SEC-11: a process that was told that it failed does not know whether it is in the log", async () => {
    const exchange = createMemoryExchange({ log: new CutLog(0), onFailure: () => {} });
    await assert.rejects(deliverTo(exchange)(message), OutcomeUnknown);
  });
});
