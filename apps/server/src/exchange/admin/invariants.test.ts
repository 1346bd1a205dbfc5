import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { definitionOf, type Engine, FIRST_MARKETS } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { recover } from "../journal/recovery.ts";
import { replayAgrees } from "../journal/rereading.ts";
import { snapshotFolder } from "../journal/snapshots.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { InvariantChecks } from "./invariants.ts";

describe("invariants", () => {
  const clock = new ManualClock(0);

  function createChecks(options: Partial<ConstructorParameters<typeof InvariantChecks>[0]> = {}) {
    const exchange = createMemoryExchange({ clock });
    return {
      engine: exchange.engine,
      exchange,
      checks: new InvariantChecks({ exchange, clock, freshFor_ms: 0, ...options }),
    };
  }

  const find = async (checks: InvariantChecks, code: string) =>
    (await checks.check()).find((row) => row.code === code)!;

  it("INV-1: money from nowhere is found", async () => {
    const { engine, checks } = createChecks();
    engine.apply({ kind: "open_account", time_ms: 0, account: 1 });
    assert.equal((await find(checks, "INV-1")).ok, true);
    engine.state.accounts.addPrincipal(1, 5);
    const { ok, detail } = await find(checks, "INV-1");
    assert.equal(ok, false);
    assert.match(detail, /5 micros are held, 0 were brought in/);
    assert.equal((await find(checks, "INV-2")).ok, true);
  });

  it("INV-2, INV-3, ENGINE: a lot too much, bonus that nobody granted and a wrong sum are found, each by its own", async () => {
    const spoil: readonly (readonly [string, (engine: Engine) => void])[] = [
      ["INV-2", ({ state }) => state.positions.setHolding(state.positions.find(1, 0), 1, 0)],
      ["INV-3", ({ state }) => state.accounts.setConsumed(1, 1)],
      ["ENGINE", ({ state }) => state.accounts.setVolume14d(1, 7)],
    ];
    for (const [code, change] of spoil) {
      const { engine, checks } = createChecks();
      engine.apply({ kind: "add_market", time_ms: 0, definition: definitionOf(FIRST_MARKETS[0]!) });
      engine.apply({ kind: "set_price", time_ms: 0, market: 0, indexTicks: 600_000, markTicks: 600_000 });
      engine.apply({ kind: "open_account", time_ms: 0, account: 1 });
      engine.apply({ kind: "set_leverage", time_ms: 0, account: 1, market: 0, leverage: 5 });
      for (const sound of ["INV-1", "INV-2", "INV-3", "ENGINE"]) {
        assert.equal((await find(checks, sound)).ok, true, `${sound} before ${code}`);
      }
      change(engine);
      const { ok, detail } = await find(checks, code);
      assert.equal(ok, false, code);
      assert.ok(detail.length > 10, detail);
    }
  });

  it("INV-6: memory that the log does not lead to is found", async (t) => {
    const folder = await makeTempDir(t);
    const { engine, log } = await recover({ folder, projectedNumber: 0 });
    const exchange = createMemoryExchange({ engine, log, clock });
    await exchange.submit({ kind: "open_account", account: 1 });
    await exchange.submit({ kind: "deposit", account: 1, number: 1, amount_micros: 5_000_000 });
    const replay = () => replayAgrees(folder, engine);
    const checks = new InvariantChecks({ exchange, clock, replay, freshFor_ms: 0 });
    assert.equal((await find(checks, "INV-6")).ok, true);
    engine.state.accounts.addPrincipal(1, 1);
    const { ok, detail } = await find(checks, "INV-6");
    assert.equal(ok, false);
    assert.match(detail, /snapshot 0 and 2 commands give [0-9a-f]{64}, memory at command 2 is [0-9a-f]{64}/);
    await exchange.close();
  });

  it("INV-6: a snapshot that is damaged is named, though the log alone leads to the same state", async (t) => {
    const folder = await makeTempDir(t);
    const { engine, log } = await recover({ folder, projectedNumber: 0 });
    const exchange = createMemoryExchange({ engine, log, clock });
    await exchange.submit({ kind: "open_account", account: 1 });
    const path = join(snapshotFolder(folder), "0000000000000001.snapshot");
    writeFileSync(path, "BOURSNAP and nothing else");
    const { ok, detail } = await replayAgrees(folder, engine);
    assert.equal(ok, true);
    assert.ok(detail.startsWith(`${path} is passed over: `), detail);
    assert.match(detail, /; snapshot 0 and 1 commands give [0-9a-f]{64}$/);
    await exchange.close();
  });

  it("INV-7: a command that is applied and not durable is found", async () => {
    let durable = 1;
    const { engine, checks } = createChecks({ durableNumber: () => durable });
    engine.apply({ kind: "open_account", time_ms: 0, account: 1 });
    assert.equal((await find(checks, "INV-7")).ok, true);
    durable = 0;
    assert.deepEqual(
      [(await find(checks, "INV-7")).ok, (await find(checks, "INV-7")).detail],
      [false, "0 commands durable, 1 applied"],
    );
  });

  it("INV-6: the replay's verdict is passed on, and a check that fails is not passed", async () => {
    const good = createChecks({ replay: async () => ({ ok: true, detail: "hash 00" }) });
    assert.deepEqual((await find(good.checks, "INV-6")).ok, true);
    const broken = createChecks({
      replay: async () => {
        throw new Error("the segment is gone");
      },
      programs: { "INV-3": async () => ({ ok: false, detail: "the pool differs by 1" }) },
    });
    const { ok, detail } = await find(broken.checks, "INV-6");
    assert.deepEqual([ok, detail], [false, "the check failed: the segment is gone"]);
    assert.equal((await find(broken.checks, "INV-3")).ok, false);
  });

  it("WIRE-10: those who ask at the same time share one look", async () => {
    let looks = 0;
    const replay = async () => {
      looks += 1;
      return { ok: true, detail: "" };
    };
    const { checks } = createChecks({ replay, freshFor_ms: 1_000 });
    await Promise.all([checks.check(), checks.check()]);
    await checks.check();
    assert.equal(looks, 1);
    clock.advance(1_000);
    await checks.check();
    assert.equal(looks, 2);
  });
});
