import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditEntry } from "@bourse/api/client";
import { findEntries, wordsOfAction } from "./audit-words.ts";
import { leadWords, stepMs, UNITS } from "./clock-words.ts";
import { meaningOf, verdictOf } from "./invariant-words.ts";
import { scheduleWords, stateOfJob, tookMs } from "./job-words.ts";
import { freshSources, guardWords, problemsOfMarket, wordsOfUse } from "./market-words.ts";

describe("jobs in words", () => {
  it("schedules are said as people say them, others stay as written", () => {
    const said = {
      "*/10 * * * *": "every 10 minutes",
      "* * * * *": "every minute",
      "*/12 * * * * *": "every 12 seconds",
      "0 * * * *": "every full hour",
      "7 * * * *": "hourly at :07",
      "30 0 * * *": "daily at 00:30 UTC",
      "0 0 * * 1": "0 0 * * 1",
      "0 */6 * * *": "0 */6 * * *",
    };
    for (const [schedule, words] of Object.entries(said)) assert.equal(scheduleWords(schedule), words);
  });

  it("a failing job is a warning, also while it runs again", () => {
    const job = { running: true, consecutive_failures: 2, last_finished_at: null };
    assert.deepEqual(stateOfJob(job), { tone: "warn", words: "failed 2 times" });
    assert.equal(stateOfJob({ ...job, consecutive_failures: 0 }).words, "running");
    assert.equal(stateOfJob({ running: false, consecutive_failures: 0, last_finished_at: null }).words, "waits");
  });

  it("the last run's length is known once it has ended", () => {
    const at = "2026-06-01T00:00:00.000Z";
    assert.equal(tookMs({ last_started_at: at, last_finished_at: "2026-06-01T00:00:00.153Z" }), 153);
    assert.equal(tookMs({ last_started_at: at, last_finished_at: null }), undefined);
    assert.equal(tookMs({ last_started_at: "2026-06-01T00:00:01.000Z", last_finished_at: at }), undefined);
  });
});

describe("invariants in words", () => {
  it("all hold only where each was computed and holds", () => {
    assert.deepEqual(verdictOf([{ ok: true }, { ok: true }]), { tone: "good", words: "All 2 hold" });
    assert.equal(verdictOf([{ ok: true }, { ok: null }]).tone, "neutral");
    assert.deepEqual(verdictOf([{ ok: null }, { ok: false }]), { tone: "bad", words: "1 of 2 do not hold" });
  });

  it("INV-1 to INV-8 each say what they mean", () => {
    const meanings = Array.from({ length: 8 }, (_, at) => meaningOf(`INV-${at + 1}`));
    assert.equal(new Set(meanings).size, 8);
  });
});

describe("the audit log in words", () => {
  const of = (action: string, reason: string | null) =>
    ({ seq: 7, actor: "a", role: "admin", action, reason }) as AuditEntry;
  it("finds entries by what is shown of them", () => {
    const entries = [of("switch.withdrawals", "a drill"), of("market.status", null)];
    assert.deepEqual(findEntries(entries, "withdrawal switch"), [entries[0]]);
    assert.deepEqual(findEntries(entries, "DRILL"), [entries[0]]);
    assert.deepEqual(findEntries(entries, "market.st"), [entries[1]]);
    assert.equal(wordsOfAction("something.new"), "something.new");
  });
});

describe("the clock of a development server", () => {
  it("moves by whole steps of at most ten years", () => {
    assert.equal(stepMs("2", "day"), 2 * UNITS.day);
    for (const amount of ["0", "", "-1", "1.5", "99999999"]) assert.equal(stepMs(amount, "day"), undefined, amount);
    assert.equal(stepMs("4000", "day"), undefined);
  });

  it("is told apart from the way of the messages", () => {
    assert.equal(leadWords(900), "the same");
    assert.equal(leadWords(2 * UNITS.day), "2 d 00 h ahead");
  });
});

describe("a new market", () => {
  const DOGE = { symbol: "DOGEUSDT", tickSize: "0.0001", lotSize: "1", startPrice: "0.15" };
  it("FUT-2: is checked before it is sent", () => {
    assert.deepEqual(problemsOfMarket(DOGE), {});
    assert.deepEqual(Object.keys(problemsOfMarket({ ...DOGE, symbol: "doge" })), ["symbol"]);
    assert.match(problemsOfMarket({ ...DOGE, startPrice: "0.15005" }).startPrice ?? "", /multiple of the tick/);
    assert.deepEqual(Object.keys(problemsOfMarket({ symbol: "", tickSize: "0", lotSize: "x", startPrice: "" })), [
      "symbol",
      "tickSize",
      "lotSize",
      "startPrice",
    ]);
  });

  it("FUT-13: counts the sources that are fresh", () => {
    const source = { name: "s", price: "1", age_ms: 0 };
    assert.equal(
      freshSources({
        sources: [
          { ...source, fresh: true, use: "counted" },
          { ...source, fresh: false, use: "stale" },
        ],
      }),
      1,
    );
  });

  it("FUT-13: says why a source counts less, and why a market is held", () => {
    assert.equal(wordsOfUse({ use: "counted", age_ms: 400 }), undefined);
    assert.equal(wordsOfUse({ use: "clamped", age_ms: 400 }), "clamped to the median");
    assert.equal(wordsOfUse({ use: "stale", age_ms: 12_400 }), "stale, 12 s");
    const since = "2026-06-01T12:00:00.000Z";
    assert.equal(guardWords({ guard: null, no_index: null }), undefined);
    assert.equal(guardWords({ guard: null, no_index: "too_few_sources" }), "too few sources");
    assert.equal(
      guardWords({ guard: { phase: "halted", since }, no_index: "sources_disagree" }),
      "halted: sources disagree",
    );
    assert.equal(guardWords({ guard: { phase: "resuming", since }, no_index: null }), "reduce-only, resuming");
  });
});
