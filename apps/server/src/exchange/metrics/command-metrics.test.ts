import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EngineEvent } from "@bourse/engine";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { createMetrics } from "../../kernel/metrics.ts";
import type { Applied } from "../host/exchange.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { CommandMetrics } from "./command-metrics.ts";

function createWatched(log: CommandLog = new MemoryLog()) {
  const metrics = createMetrics();
  const commands = new CommandMetrics(metrics);
  const listeners: ((applied: Applied) => void)[] = [];
  const exchange = createMemoryExchange({
    log: commands.measured(log),
    maxCommandsWaiting: 2,
    onFailure: () => {},
    probe: commands,
  });
  const listen = exchange.listen.bind(exchange);
  exchange.listen = (listener) => {
    listeners.push(listener);
    listen(listener);
  };
  commands.watch(metrics, exchange);
  const tell = (events: readonly Partial<EngineEvent>[]) => {
    const applied = { number: 1, time_ms: 0, command: { kind: "set_price" }, events };
    for (const listener of listeners) listener(applied as unknown as Applied);
  };
  const read = async (name: string) => {
    const line = (await metrics.text()).split("\n").find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(" ").at(-1));
  };
  return { exchange, tell, read };
}

describe("RUN-7: what happens to commands", () => {
  it("FUT-12: both sides of a hand-over by auto-deleveraging count as one, other fills not at all", async () => {
    const { tell, read } = createWatched();
    tell([
      { kind: "fill", cause: "adl", side: 0 },
      { kind: "fill", cause: "adl", side: 1 },
      { kind: "fill", cause: "takeover", side: 0 },
      { kind: "fill", cause: "trade", side: 1 },
      { kind: "liquidation_started" },
    ]);
    assert.equal(await read("bourse_adl_fills_total"), 1);
    assert.equal(await read("bourse_liquidations_total"), 1);
  });

  it("a batch is one sync; commands beyond the limit and after the end are told apart", async () => {
    const { exchange, read } = createWatched();
    const submitted = [1, 2, 3].map((account) => exchange.submit({ kind: "open_account", account }));
    await Promise.allSettled(submitted);
    assert.equal(await read('bourse_commands_not_taken_total{reason="overloaded"}'), 1);
    assert.equal(await read("bourse_journal_sync_seconds_count"), 1);
    assert.equal(await read("bourse_journal_batch_commands_sum"), 2);
    assert.equal(await read('bourse_commands_total{kind="open_account",outcome="done"}'), 2);
    assert.equal(await read("bourse_order_reply_seconds_count"), 0, "nobody trades by opening an account");
    await exchange.close();
    await assert.rejects(exchange.submit({ kind: "advance_time" }, true));
    assert.equal(await read('bourse_commands_not_taken_total{reason="unavailable"}'), 1);
  });

  it("INV-7: a log that fails shows in bourse_engine_stopped, and nothing counts as synced", async () => {
    const log = { append: () => Promise.reject(new Error("the disk is full")), close: () => Promise.resolve() };
    const { exchange, read } = createWatched(log);
    assert.equal(await read("bourse_engine_stopped"), 0);
    await assert.rejects(exchange.submit({ kind: "open_account", account: 1 }));
    assert.equal(await read("bourse_engine_stopped"), 1);
    assert.equal(await read("bourse_journal_sync_seconds_count"), 0);
    assert.equal(await read("bourse_commands_waiting"), 0);
  });
});
