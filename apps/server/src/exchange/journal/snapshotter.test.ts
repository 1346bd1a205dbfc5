import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { NEWEST_RULES, stateHash } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { journalFolder, listSegments, type Segment } from "../../kernel/journal/segments.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { makeSnapshot, type SnapshotMade } from "./make-snapshot.ts";
import { recover } from "./recovery.ts";
import { rehearseRules } from "./rehearse-rules.ts";
import { listSnapshots, pruneBefore } from "./snapshots.ts";
import { Snapshotter, type SnapshotterOptions } from "./snapshotter.ts";
import { recordFlow, writeJournal } from "./testing/recorded-flow.ts";

const TIME_ms = Date.UTC(2026, 5, 1);
const flow = recordFlow(9, 1_000, TIME_ms);

/** An exchange on a journal with a snapshot every 100 commands; `projected` is the projector's last written command. */
async function makeExchange(t: TestContext, retention: Partial<SnapshotterOptions> = {}) {
  const folder = await makeTempDir(t);
  const { engine, log, snapshotNumber } = await recover({ folder, projectedNumber: 0, segment_bytes: 8_000 });
  const projected = { number: Number.POSITIVE_INFINITY };
  const faults: Error[] = [];
  const made: SnapshotMade[] = [];
  const passedOver: string[] = [];
  const exchange = createMemoryExchange({ engine, log, clock: new ManualClock(TIME_ms), maxCommandsWaiting: 9_999 });
  const snapshotter = new Snapshotter({
    folder,
    engine,
    snapshotNumber,
    projectedNumber: () => projected.number,
    every_commands: 100,
    ...retention,
    onMade: (one) => made.push(one),
    onPassedOver: (line) => passedOver.push(line),
    onFault: (error) => faults.push(error),
  });
  exchange.listen(snapshotter.onApplied);
  t.after(() => exchange.close());
  /** Submits the commands of the flow up to this number. */
  const runTo = async (number: number) => {
    const commands = flow.commands.slice(engine.state.commandNumber, number);
    await Promise.all(commands.map((command) => exchange.submit(command)));
    await snapshotter.idle();
  };
  return { folder, engine, exchange, snapshotter, projected, faults, made, passedOver, runTo };
}

const numbersOf = (folder: string) => listSnapshots(folder).map(({ number }) => number);

describe("Snapshotter", () => {
  it("INV-6: replays the log in a thread every so many commands and finds the live state", async (t) => {
    const { folder, made, faults, runTo } = await makeExchange(t);
    await runTo(99);
    assert.deepEqual(numbersOf(folder), []);
    await runTo(150);
    await runTo(199);
    assert.deepEqual(numbersOf(folder), [100]);
    await runTo(200);
    assert.deepEqual(numbersOf(folder), [100, 200]);
    assert.deepEqual(
      made.map(({ number, hash, isCompared, replayed }) => ({ number, hash, isCompared, replayed })),
      [100, 200].map((number) => ({ number, hash: flow.hashAfter(number), isCompared: true, replayed: 100 })),
    );
    assert.deepEqual(faults, []);
  });

  it("LOG-8: what its segments no longer have is removed from the log they are a copy of; a failure is a line", async (t) => {
    const forgotten: number[] = [];
    let isAway = false;
    const forgetBefore = async (number: number) => {
      if (isAway) throw new Error("the stream is away");
      forgotten.push(number);
    };
    const segments = { kept_ms: 0, archive: undefined };
    const { folder, passedOver, faults, runTo } = await makeExchange(t, { segments, forgetBefore });
    for (const number of [100, 200, 300, 400, 500]) await runTo(number);
    assert.equal(forgotten.at(-1), listSegments(folder)[0]!.firstNumber);
    assert.ok(forgotten.at(-1)! > 1 && forgotten.at(-1)! <= 401, "the log behind the older of two snapshots stays");
    isAway = true;
    await runTo(600);
    assert.match(passedOver.join(), /stay in the log until the next snapshot: Error: the stream is away/);
    assert.deepEqual(faults, []);
    assert.deepEqual(numbersOf(folder), [500, 600]);
  });

  it("INV-6: the last snapshot is that of the end, and the next start needs nothing else", async (t) => {
    const { folder, engine, exchange, snapshotter, runTo } = await makeExchange(t);
    await runTo(130);
    await exchange.close();
    await snapshotter.close();
    assert.deepEqual(numbersOf(folder), [100, 130]);
    await snapshotter.close();
    const { replayed, log, engine: next } = await recover({ folder, projectedNumber: 130 });
    assert.equal(replayed, 0);
    assert.equal(stateHash(next.state), stateHash(engine.state));
    await log.close();
  });

  it("INV-6: memory that is not what the log leads to is told and not kept", async (t) => {
    const { folder, engine, snapshotter, faults, made, runTo } = await makeExchange(t);
    await runTo(50);
    engine.state.totals.addFees(1);
    await runTo(100);
    assert.equal(faults.length, 1);
    assert.match(
      faults[0]!.message,
      /INV-6: after command 100 the log leads to the state [0-9a-f]{64}, the live engine/,
    );
    assert.equal(faults[0]!.name, "StateMismatch");
    assert.equal(snapshotter.lastFault, faults[0]);
    assert.deepEqual([numbersOf(folder), made], [[], []]);
  });

  it("keeps the newest two at or before the projector's cursor", async (t) => {
    const { folder, projected, runTo } = await makeExchange(t);
    for (const number of [100, 200, 300, 400]) await runTo(number);
    assert.deepEqual(numbersOf(folder), [300, 400]);
    projected.number = 450;
    await runTo(500);
    assert.deepEqual(numbersOf(folder), [300, 400, 500]);
  });

  it("INV-6: a snapshot that was damaged since is named, not counted, and gone once there are two others", async (t) => {
    const { folder, faults, passedOver, runTo } = await makeExchange(t);
    for (const number of [100, 200]) await runTo(number);
    const damaged = listSnapshots(folder)[1]!.path;
    const bytes = readFileSync(damaged);
    bytes[bytes.length >> 1]! ^= 0x10;
    writeFileSync(damaged, bytes);
    await runTo(300);
    assert.equal(passedOver.length, 1);
    assert.ok(passedOver[0]!.startsWith(`${damaged} is passed over: `), passedOver[0]);
    assert.deepEqual(numbersOf(folder), [100, 200, 300]);
    await runTo(400);
    assert.deepEqual(numbersOf(folder), [300, 400]);
    assert.deepEqual([passedOver.length, faults], [1, []]);
  });

  it("makes no more than two that the projector has not reached", async (t) => {
    const { folder, projected, runTo, faults } = await makeExchange(t);
    projected.number = 0;
    for (const number of [100, 200, 300, 400]) await runTo(number);
    assert.deepEqual(numbersOf(folder), [100, 200]);
    projected.number = 400;
    await runTo(500);
    assert.deepEqual(numbersOf(folder), [100, 200, 500]);
    assert.deepEqual(faults, []);
  });

  it("WIRE-12: gives the last one up when stopping would take too long", async (t) => {
    const { folder, exchange, snapshotter, faults, runTo } = await makeExchange(t);
    await runTo(50);
    await exchange.close();
    await snapshotter.close(0);
    assert.match(faults[0]!.message, /snapshot of command 50 was given up/);
    assert.deepEqual(numbersOf(folder), []);
  });
});

describe("pruning", () => {
  const END_ms = Number.MAX_SAFE_INTEGER;
  const AT_ONCE = { kept_ms: 0, archive: undefined };

  async function makeFolder(t: TestContext, snapshots: readonly number[]): Promise<string> {
    const folder = await makeTempDir(t);
    await writeJournal(folder, flow.records, { segment_bytes: 8_000 });
    for (const number of snapshots) {
      await makeSnapshot({ folder, number, liveHash: undefined, projectedNumber: 0, segments: AT_ONCE });
    }
    return folder;
  }

  it("INV-7: takes only segments that end before the oldest snapshot recovery may start from", async (t) => {
    const folder = await makeFolder(t, [300, 600, 900]);
    const before = listSegments(folder);
    await pruneBefore(folder, { projectedNumber: 950, now_ms: END_ms });
    assert.deepEqual(listSegments(folder), before);
    await pruneBefore(folder, { projectedNumber: 950, now_ms: END_ms, segments: AT_ONCE });
    const after = listSegments(folder);
    assert.ok(after.length < before.length);
    assert.ok(after[0]!.firstNumber <= 601, "command 601 is there");
    assert.ok(after[1] === undefined || after[1].firstNumber > 601, "nothing is there that is not needed");
    const { engine, snapshotNumber, log } = await recover({ folder, projectedNumber: 600 });
    assert.equal(snapshotNumber, 600);
    assert.equal(stateHash(engine.state), flow.hashAfter(1_000));
    await log.close();
  });

  it("LOG-8: takes only segments that are old enough and that the archive has, from the oldest on", async (t) => {
    const rising = recordFlow(9, 1_000);
    const folder = await makeTempDir(t);
    const archive = await makeTempDir(t);
    await writeJournal(folder, rising.records, { segment_bytes: 4_000 });
    for (const number of [800, 900]) await makeSnapshot({ folder, number, liveHash: undefined, projectedNumber: 0 });
    const before = listSegments(folder);
    const archived = (segment: Segment) => join(journalFolder(archive), basename(segment.path));
    mkdirSync(journalFolder(archive), { recursive: true });
    const prune = (kept_ms: number) =>
      pruneBefore(folder, {
        projectedNumber: 950,
        now_ms: rising.commands.at(-1)!.time_ms,
        segments: { kept_ms, archive },
      });
    await prune(0);
    assert.deepEqual(listSegments(folder), before, "the archive has none");
    copyFileSync(before[0]!.path, archived(before[0]!));
    copyFileSync(before[2]!.path, archived(before[2]!));
    writeFileSync(archived(before[1]!), "half a segment");
    await prune(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(listSegments(folder), before, "all are too young");
    await prune(0);
    assert.deepEqual(listSegments(folder), before.slice(1), "the second is not whole in the archive");
    copyFileSync(before[1]!.path, archived(before[1]!));
    await prune(0);
    assert.deepEqual(listSegments(folder), before.slice(3));

    const { engine, log } = await recover({ folder, projectedNumber: 900 });
    assert.equal(stateHash(engine.state), rising.hashAfter(1_000));
    await log.close();
    const rehearsal = rehearseRules({ folder, number: 1_000, version: NEWEST_RULES, since_ms: 0 });
    assert.equal(rehearsal.fromNumber, 802, "what the log still has");
    const [first] = listSegments(folder);
    const older = first!.firstNumber + 10;
    const whole = await makeTempDir(t);
    await writeJournal(whole, rising.records);
    await makeSnapshot({ folder: whole, number: older, liveHash: undefined, projectedNumber: 0 });
    const further = rehearseRules({ folder, archive: whole, number: 1_000, version: NEWEST_RULES, since_ms: 0 });
    assert.equal(further.fromNumber, older + 2, "an archived snapshot reaches back further");
    // The projector of a database that is older cannot be served.
    await assert.rejects(recover({ folder, projectedNumber: 100 }), /the log lacks the commands 1 to /);
    // A segment in the middle is missing.
    rmSync(listSegments(folder).at(-2)!.path);
    await assert.rejects(recover({ folder, projectedNumber: 800 }), /begins with command/);
  });

  it("INV-7: takes nothing that only one snapshot stands in for", async (t) => {
    const folder = await makeFolder(t, [300, 600, 900]);
    const before = listSegments(folder);
    await pruneBefore(folder, { projectedNumber: 599, now_ms: END_ms, segments: AT_ONCE });
    assert.deepEqual(listSegments(folder), before);
    assert.deepEqual(numbersOf(folder), [300, 600, 900]);
  });
});
