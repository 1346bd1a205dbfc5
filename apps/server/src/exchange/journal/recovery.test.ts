import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Engine, NEWEST_RULES, stateHash, writeSnapshot } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { journalFolder, listSegments, numbered } from "../../kernel/journal/segments.ts";
import type { Applied } from "../host/exchange.ts";
import { makeSnapshot } from "./make-snapshot.ts";
import { type RecoverOptions, recover } from "./recovery.ts";
import { snapshotFolder } from "./snapshots.ts";
import { recordFlow, writeJournal } from "./testing/recorded-flow.ts";

const COMMANDS = 1_000;
/** As `writeJournal` does by default: one frame each. */
const PER_APPEND = 50;
const SEGMENT_bytes = 8_000;
const flow = recordFlow(7, COMMANDS);
const wholeHash = flow.hashAfter(COMMANDS);

/** Creates a data folder with a journal of several segments and snapshots after these commands. */
async function makeFolder(t: TestContext, ...snapshots: readonly number[]): Promise<string> {
  const folder = await makeTempDir(t);
  await writeJournal(folder, flow.records, { segment_bytes: SEGMENT_bytes });
  assert.ok(listSegments(folder).length > 2);
  for (const number of snapshots) {
    await makeSnapshot({ folder, number, liveHash: undefined, projectedNumber: 0 });
  }
  return folder;
}

async function recovered(options: RecoverOptions) {
  const applied: Applied[] = [];
  const lines: string[] = [];
  const { engine, log, ...report } = await recover({
    segment_bytes: SEGMENT_bytes,
    onApplied: (one) => void applied.push(one),
    onProgress: (line) => lines.push(line),
    ...options,
  });
  await log.close();
  return { engine, log, ...report, applied, lines, hash: stateHash(engine.state) };
}

const snapshotPath = (folder: string, number: number) => join(snapshotFolder(folder), numbered(number, ".snapshot"));

/** Changes one byte of a file; a negative offset counts from the end. */
function damage(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at < 0 ? bytes.length + at : at]! ^= 0x40;
  writeFileSync(path, bytes);
}

const refusal = (folder: string, projectedNumber: number, message: RegExp) =>
  assert.rejects(recover({ folder, projectedNumber }), (error: Error) => {
    assert.ok(error instanceof LogFault, String(error));
    assert.match(error.message, message);
    return true;
  });

describe("recover", () => {
  it("begins with nothing", async (t) => {
    const { engine, log, replayed } = await recovered({ folder: await makeTempDir(t), projectedNumber: 0 });
    assert.equal(engine.state.commandNumber, 0);
    assert.equal(log.nextNumber, 1);
    assert.equal(replayed, 0);
  });

  it("INV-6: the log alone gives the live state, and every event the database lacks", async (t) => {
    const folder = await makeFolder(t);
    const { hash, applied, log } = await recovered({ folder, projectedNumber: 400 });
    assert.equal(hash, wholeHash);
    assert.equal(log.nextNumber, COMMANDS + 1);
    assert.deepEqual(
      applied.map(({ number }) => number),
      Array.from({ length: 600 }, (_, place) => 401 + place),
    );
    const live = new Engine();
    for (const command of flow.commands) {
      live.apply(command);
      if (live.state.commandNumber <= 400) continue;
      const { number, time_ms, ...rest } = applied[live.state.commandNumber - 401]!;
      assert.deepEqual(rest, { command, events: live.events.decode() });
      assert.deepEqual([number, time_ms], [live.state.commandNumber, live.state.time_ms]);
    }
  });

  it("INV-6: starts from the newest snapshot at or before the projector's cursor", async (t) => {
    const folder = await makeFolder(t, 300, 600, 900);
    for (const [projectedNumber, snapshotNumber] of [
      [299, 0],
      [300, 300],
      [899, 600],
      [1_000, 900],
    ] as const) {
      const found = await recovered({ folder, projectedNumber });
      assert.equal(found.snapshotNumber, snapshotNumber);
      assert.equal(found.replayed, COMMANDS - snapshotNumber);
      assert.equal(found.hash, wholeHash);
      assert.equal(found.applied[0]?.number, projectedNumber === COMMANDS ? undefined : projectedNumber + 1);
      assert.equal(found.applied.length, COMMANDS - projectedNumber);
    }
  });

  it("needs no segment from before its snapshot", async (t) => {
    const folder = await makeFolder(t, 900);
    const [first, second] = listSegments(folder);
    assert.ok(second!.firstNumber <= 900);
    rmSync(first!.path);
    assert.equal((await recovered({ folder, projectedNumber: COMMANDS })).hash, wholeHash);
    await refusal(folder, 0, /\.log begins with command \d+: the log lacks the commands 1 to \d+, and no snapshot/);
  });

  it("LOG-6: passes over snapshots with damage or of rules that nobody knows", async (t) => {
    const folder = await makeFolder(t, 300, 600, 900);
    damage(snapshotPath(folder, 900), -30);
    damage(snapshotPath(folder, 600), 12);
    const found = await recovered({ folder, projectedNumber: COMMANDS });
    assert.equal(found.snapshotNumber, 300);
    assert.equal(found.hash, wholeHash);
    assert.match(found.lines[0]!, /0900\.snapshot is passed over: .*hash/);
    assert.match(
      found.lines[1]!,
      new RegExp(
        `0600\\.snapshot is passed over: the snapshot needs rules version ${NEWEST_RULES ^ 0x40}, this release knows`,
      ),
    );
  });

  it("passes over a snapshot under the name of another", async (t) => {
    const folder = await makeFolder(t);
    writeFileSync(snapshotPath(folder, 500), writeSnapshot(new Engine().state));
    const found = await recovered({ folder, projectedNumber: COMMANDS });
    assert.equal(found.snapshotNumber, 0);
    assert.match(found.lines[0]!, /has seen 0 commands/);
    assert.equal(found.hash, wholeHash);
  });

  it("hands over one command at a time, and waits for the receiver", async (t) => {
    const folder = await makeFolder(t);
    let underWay = 0;
    let most = 0;
    const onApplied = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await nextTurn();
      underWay -= 1;
    };
    const { log } = await recover({ folder, projectedNumber: 900, onApplied });
    await log.close();
    assert.equal(most, 1);
  });

  it("fails with its receiver", async (t) => {
    const folder = await makeFolder(t);
    const onApplied = () => Promise.reject(new Error("the database is gone"));
    await assert.rejects(recover({ folder, projectedNumber: 0, onApplied }), /the database is gone/);
  });
});

describe("a log that is not whole", () => {
  it("INV-7: loses an unfinished last write, and goes on behind the last whole frame", async (t) => {
    const folder = await makeFolder(t);
    const { path } = listSegments(folder).at(-1)!;
    const size_bytes = statSync(path).size;
    truncateSync(path, size_bytes - 2);
    const found = await recovered({ folder, projectedNumber: 0 });
    assert.equal(found.replayed, COMMANDS - PER_APPEND);
    assert.equal(found.hash, flow.hashAfter(COMMANDS - PER_APPEND));
    assert.ok(found.torn_bytes > 0);
    assert.equal(statSync(path).size, size_bytes - 2 - found.torn_bytes);
    assert.match(found.lines[0]!, new RegExp(`${found.torn_bytes} bytes of .*\\.log are cut off, command 950 is the`));
    const { log } = await recover({ folder, projectedNumber: 0 });
    await log.append(flow.records.slice(-PER_APPEND));
    await log.close();
    assert.equal(statSync(path).size, size_bytes);
    assert.equal((await recovered({ folder, projectedNumber: 0 })).hash, wholeHash);
  });

  it("INV-7: is refused with the place of the damage, in whichever segment", async (t) => {
    for (const place of [0, 1, -1]) {
      const folder = await makeFolder(t);
      const { path } = listSegments(folder).at(place)!;
      damage(path, 200);
      await refusal(folder, 0, /\.log is damaged at byte \d+: a block/);
    }
  });

  it("INV-7: an unfinished write is none where another segment follows", async (t) => {
    const folder = await makeFolder(t);
    const { path } = listSegments(folder)[0]!;
    truncateSync(path, statSync(path).size - 2);
    await refusal(folder, 0, /ends with command \d+ and \d+ bytes that are no record, but .* begins with/);
  });

  it("INV-7: is refused where a segment is missing or has another's name", async (t) => {
    const folder = await makeFolder(t);
    const segments = listSegments(folder);
    const second = readFileSync(segments[1]!.path);
    rmSync(segments[1]!.path);
    await refusal(folder, 0, /ends with command \d+, but .* begins with command \d+/);
    writeFileSync(join(journalFolder(folder), numbered(COMMANDS + 1, ".log")), second);
    await refusal(folder, 0, /says that it begins with command/);
  });

  it("INV-7: is refused where the database or a snapshot has seen more", async (t) => {
    const folder = await makeFolder(t, 1_000);
    await refusal(folder, COMMANDS + 1, /database has seen command 1001, the log .* ends with command 1000/);
    for (const { path, firstNumber } of listSegments(folder)) if (firstNumber > 1) rmSync(path);
    await refusal(folder, 0, /1000\.snapshot has seen more than the log/);
    await refusal(await makeTempDir(t), 5, /database has seen command 5, the log .* ends with command 0/);
  });

  it("LOG-5: is refused when it needs rules that nobody knows", async (t) => {
    const folder = await makeFolder(t);
    damage(listSegments(folder).at(-1)!.path, 12);
    await refusal(
      folder,
      COMMANDS,
      new RegExp(
        `needs rules version ${NEWEST_RULES ^ 0x40}, this release knows 3 to ${NEWEST_RULES}: start the release that wrote it`,
      ),
    );
  });

  it("loses files that a crash left unfinished", async (t) => {
    const folder = await makeFolder(t, 500);
    const next = join(journalFolder(folder), `${numbered(COMMANDS + 1, ".log")}.unfinished`);
    appendFileSync(next, "BOU");
    appendFileSync(`${snapshotPath(folder, 700)}.unfinished`, "BOURSNAP");
    assert.equal((await recovered({ folder, projectedNumber: COMMANDS })).hash, wholeHash);
    for (const where of [journalFolder(folder), snapshotFolder(folder)]) {
      assert.ok(readdirSync(where).every((name) => !name.endsWith(".unfinished")));
    }
  });
});
