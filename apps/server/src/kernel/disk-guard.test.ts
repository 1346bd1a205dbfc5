import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DiskState, nextDiskState, type StatFs, startDiskGuard } from "./disk-guard.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";

/** A disk of a thousand blocks, and what was logged about it. */
async function watch(free: number) {
  const disk: { free: number | Error } = { free };
  const statfs: StatFs = async () => {
    if (disk.free instanceof Error) throw disk.free;
    return { bavail: disk.free, blocks: 1_000 };
  };
  const lines: string[] = [];
  const at = (level: string) => (_: object, text: string) => void lines.push(`${level} ${text.split(":")[0]}`);
  const log = { info: at("info"), warn: at("warn"), error: at("error") } as unknown as Log;
  const metrics = createMetrics();
  const guard = await startDiskGuard({ folder: "data", log, metrics, statfs, poll_ms: 2 ** 30 });
  return {
    lines,
    metrics,
    guard,
    async become(value: number | Error): Promise<DiskState> {
      disk.free = value;
      await guard.look();
      return guard.state;
    },
  };
}

describe("the disk guard", () => {
  it("LOG-8: below 10 % it is low, below 3 % full, and it comes back by itself, later than it went", async () => {
    const { become, guard, lines, metrics } = await watch(500);
    const seen: [number, DiskState][] = [];
    for (const free of [100, 99, 110, 30, 29, 35, 39, 40, 119, 120, 99, 20, 900]) seen.push([free, await become(free)]);
    assert.deepEqual(seen, [
      [100, "ample"],
      [99, "low"],
      [110, "low"],
      [30, "low"],
      [29, "full"],
      [35, "full"],
      [39, "full"],
      [40, "low"],
      [119, "low"],
      [120, "ample"],
      [99, "low"],
      [20, "full"],
      [900, "ample"],
    ]);
    const [low, full, room] = [
      "warn the disk is nearly full",
      "error the disk is full",
      "info the disk has room again",
    ];
    assert.deepEqual(lines, [low, full, low, room, low, full, room], "one line for each change");
    assert.match(await metrics.text(), /bourse_disk_free_ratio 0\.9\n/);
    guard.stop();
  });

  it("LOG-8: it knows the state before anything is served, and shows it as a check that takes nobody out of service", async () => {
    const { guard, become } = await watch(10);
    assert.equal(guard.state, "full");
    assert.equal(guard.check.isVital, false);
    await assert.rejects(guard.check.run(), /only cancels and reducing orders/);
    await become(50);
    await assert.rejects(guard.check.run(), /less than 10 %/);
    await become(500);
    assert.equal(await guard.check.run(), "has room");
    guard.stop();
  });

  it("LOG-8: a disk that cannot be asked changes nothing, and is told of once", async () => {
    const { guard, become, lines } = await watch(10);
    lines.length = 0;
    assert.equal(await become(new Error("EIO")), "full");
    assert.equal(await become(new Error("EIO")), "full");
    assert.deepEqual(lines, ["error the disk's free space cannot be read"]);
    assert.equal(await become(500), "ample");
    guard.stop();
  });

  it("LOG-8: from every state every share leads somewhere", () => {
    for (const state of ["ample", "low", "full"] as const) {
      assert.equal(nextDiskState(state, 0), "full");
      assert.equal(nextDiskState(state, 0.05), "low");
      assert.equal(nextDiskState(state, 1), "ample");
    }
  });
});
