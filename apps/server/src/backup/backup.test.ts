import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Engine, NEWEST_RULES, stateHash } from "@bourse/engine";
import { makeTempDir } from "../../../../tests/support/files.ts";
import { makeSnapshot } from "../exchange/journal/make-snapshot.ts";
import { replaySegments } from "../exchange/journal/replay.ts";
import { recordFlow, writeJournal } from "../exchange/journal/testing/recorded-flow.ts";
import { LogReader } from "../kernel/journal/log-reader.ts";
import { listSegments, segmentPath } from "../kernel/journal/segments.ts";
import { createLog } from "../kernel/log.ts";
import { createProcessMetrics } from "../kernel/metrics.ts";
import { Archive } from "./archive.ts";
import { checkBackup, tableText } from "./check.ts";
import { findCut } from "./cut.ts";
import { BackupFault } from "./fault.ts";
import { filesBelow, hashOf } from "./files.ts";
import { MANIFEST, type Manifest, writeManifest } from "./manifest.ts";
import { marksOf } from "./marks.ts";
import { restoreBackup } from "./restore.ts";

const COMMANDS = 200;
const PER_WRITE = 10;
const SNAPSHOT = 100;
const flow = recordFlow(7, COMMANDS);
const quiet = () => undefined;

async function writeData(folder: string, segment_bytes = 4_000): Promise<void> {
  await writeJournal(folder, flow.records, { perAppend: PER_WRITE, segment_bytes });
  await makeSnapshot({ folder, number: SNAPSHOT, liveHash: undefined, projectedNumber: 0 });
}

/** Writes the manifest that fits what is in the folder, but for what is given. */
async function describeFolder(folder: string, other: Partial<Manifest> = {}): Promise<void> {
  rmSync(join(folder, MANIFEST), { force: true });
  const reader = new LogReader(listSegments(folder).at(-1)!.path);
  reader.skipAll();
  reader.close();
  const paths = filesBelow(folder);
  const parts = await Promise.all(
    paths.map(async (path) => ({
      path,
      size_bytes: statSync(join(folder, path)).size,
      sha256: await hashOf(join(folder, path)),
    })),
  );
  await writeManifest(folder, {
    format: 1,
    release: "0.1.0",
    made_at: new Date(0).toISOString(),
    rules_version: NEWEST_RULES,
    command_number: COMMANDS,
    state_hash: flow.hashAfter(COMMANDS),
    external_number: 0,
    log_chain: reader.chain!.toString("hex"),
    database: { kind: "embedded", command_number: 95, fits_from: 95, outbox_number: 9, accounts: 9, chain_block: null },
    chain_block: null,
    folders: [],
    parts,
    ...other,
  });
}

async function backupIn(t: TestContext): Promise<string> {
  const folder = join(await makeTempDir(t), "backup");
  await writeData(folder);
  await describeFolder(folder);
  return folder;
}

/** Neither checked nor restored, and nothing is left where it would have been restored to. */
async function assertRefused(t: TestContext, folder: string, message: RegExp): Promise<void> {
  const refused = (error: unknown) => error instanceof BackupFault && message.test(error.message);
  await assert.rejects(checkBackup(folder, quiet), refused);
  const place = await makeTempDir(t);
  const dataDir = join(place, "data");
  await assert.rejects(
    restoreBackup({ folder, dataDir, databaseUrl: undefined, until: undefined, say: quiet }),
    refused,
  );
  assert.deepEqual(readdirSync(place), []);
}

function assertEndsWith(dataDir: string, number: number): void {
  const last = new LogReader(listSegments(dataDir).at(-1)!.path);
  last.skipAll();
  last.close();
  assert.deepEqual([last.lastNumber, last.torn_bytes], [number, 0]);
}

/** The folder of an exchange, and a backup that was made of it when it had fewer commands. */
async function earlierBackup(t: TestContext, command_number: number) {
  const place = await makeTempDir(t);
  const [folder, data] = [join(place, "backup"), join(place, "data")];
  await writeData(data, 1_000);
  const whole = join(place, "whole");
  cpSync(data, whole, { recursive: true });
  await describeFolder(whole);
  const options = { folder: whole, databaseUrl: undefined, until: command_number, say: quiet };
  await restoreBackup({ ...options, dataDir: folder });
  await describeFolder(folder, { command_number, state_hash: flow.hashAfter(command_number) });
  return { folder, data };
}

const flip = (path: string, at: number) => {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
};

describe("a backup", () => {
  it("LOG-4: that is whole is checked and restored, to the state of its manifest", async (t) => {
    const folder = await backupIn(t);
    const { findings } = await checkBackup(folder, quiet);
    assert.ok(tableText(findings).every((line) => line.startsWith("ok  ")));
    const dataDir = join(await makeTempDir(t), "data");
    const restored = await restoreBackup({ folder, dataDir, databaseUrl: undefined, until: undefined, say: quiet });
    assert.deepEqual(restored, { command_number: COMMANDS, state_hash: flow.hashAfter(COMMANDS), commandsBeyond: 0 });
    await assert.rejects(
      restoreBackup({ folder, dataDir, databaseUrl: undefined, until: undefined, say: quiet }),
      /is not empty .*: set DATA_DIR to a new folder/,
    );
    await assert.rejects(
      restoreBackup({ folder, dataDir, databaseUrl: "postgres://x/y", until: undefined, say: quiet }),
      /backup of an embedded database: unset DATABASE_URL/,
    );
  });

  it("LOG-4: one flipped byte anywhere is named by its file", async (t) => {
    const folder = await backupIn(t);
    for (const path of filesBelow(folder)) {
      const place = join(folder, path);
      const size_bytes = statSync(place).size;
      for (const at of [0, Math.floor(size_bytes / 2), size_bytes - 1]) {
        flip(place, at);
        const expected = path === MANIFEST ? /manifest\.json is damaged/ : /has changed since it was written/;
        await assert.rejects(
          checkBackup(folder, quiet),
          (error: Error) => expected.test(error.message) && error.message.includes(path),
        );
        flip(place, at);
      }
    }
    flip(segmentPath(folder, 1), 100);
    await assertRefused(t, folder, /has changed since it was written: .*: take it from another copy/);
  });

  it("LOG-4: a manifest that is missing, damaged or of an unknown version is refused", async (t) => {
    const folder = await backupIn(t);
    await describeFolder(folder, { format: 2 });
    await assertRefused(t, folder, /has format 2, this release knows 1: use the release that wrote it/);
    await describeFolder(folder, { rules_version: NEWEST_RULES + 1 });
    await assertRefused(t, folder, /needs rules version \d+, this release knows .*: use the release that wrote it/);
    writeFileSync(join(folder, MANIFEST), "{");
    await assertRefused(t, folder, /manifest\.json is damaged: take it from another copy/);
    rmSync(join(folder, MANIFEST));
    await assertRefused(t, folder, /is no backup: it has no manifest\.json/);
  });

  it("LOG-4: a missing segment is named, whether the manifest knows of it or not", async (t) => {
    const folder = await backupIn(t);
    const [, second] = listSegments(folder);
    rmSync(second!.path);
    await assertRefused(t, folder, /\.log is missing: take it from another copy/);
    await describeFolder(folder);
    await assertRefused(t, folder, /the log lacks the commands \d+ to \d+ before .*\.log/);
  });

  it("LOG-8: of a log whose beginning was removed is checked and restored from its snapshot on", async (t) => {
    const folder = join(await makeTempDir(t), "backup");
    await writeData(folder);
    const segments = listSegments(folder);
    const needed = segments.findLastIndex(({ firstNumber }) => firstNumber <= SNAPSHOT + 1);
    assert.ok(needed > 0);
    for (const { path } of segments.slice(0, needed)) rmSync(path);
    const seen = { kind: "embedded", outbox_number: 9, accounts: 9, chain_block: null } as const;
    await describeFolder(folder, { database: { ...seen, command_number: 120, fits_from: 120 } });
    const dataDir = join(await makeTempDir(t), "data");
    const restored = await restoreBackup({ folder, dataDir, databaseUrl: undefined, until: 150, say: quiet });
    assert.deepEqual([restored.command_number, restored.state_hash], [150, flow.hashAfter(150)]);
    rmSync(listSegments(folder)[0]!.path);
    await describeFolder(folder);
    await assertRefused(t, folder, /the log lacks the commands 101 to /);
  });

  it("LOG-4: a segment of another exchange is named", async (t) => {
    const folder = await backupIn(t);
    const other = await backupIn(t);
    const [, second] = listSegments(folder);
    cpSync(segmentPath(other, second!.firstNumber), second!.path);
    await describeFolder(folder);
    await assertRefused(t, folder, /\.log does not continue the log: it belongs to another exchange/);
  });

  it("LOG-4: a snapshot newer than the log, one of another state, and a file that does not belong are refused", async (t) => {
    const folder = await backupIn(t);
    const snapshot = join(folder, "snapshots", `${"0".repeat(13)}${SNAPSHOT}.snapshot`);
    cpSync(snapshot, join(folder, "snapshots", `${"0".repeat(13)}900.snapshot`));
    await assertRefused(t, folder, /900\.snapshot is not part of this backup: move it elsewhere/);
    await describeFolder(folder);
    await assertRefused(t, folder, /900\.snapshot is newer than the log, which ends with command 200/);
    rmSync(join(folder, "snapshots"), { recursive: true });
    await describeFolder(folder, { state_hash: stateHash(new Engine().state) });
    await assertRefused(t, folder, /the log leads to the state .* says .*: they are not of one exchange/);
  });

  it("LOG-4: is restored up to any command that the database fits, also within a write; others name the backup that would do", async (t) => {
    const folder = await backupIn(t);
    for (const until of [95, 96, 100, 155, COMMANDS - 1]) {
      const dataDir = join(await makeTempDir(t), "data");
      const restored = await restoreBackup({ folder, dataDir, databaseUrl: undefined, until, say: quiet });
      assert.deepEqual(restored, { command_number: until, state_hash: flow.hashAfter(until), commandsBeyond: 0 });
      assertEndsWith(dataDir, until);
    }
    const older = join(folder, "..", "older");
    cpSync(folder, older, { recursive: true });
    const { database } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Manifest;
    await describeFolder(older, { database: { ...database, fits_from: 10 } });
    const dataDir = join(await makeTempDir(t), "data");
    const restore = (until: number) => restoreBackup({ folder, dataDir, databaseUrl: undefined, until, say: quiet });
    await assert.rejects(restore(50), /has seen command 95, and cannot be taken back: .*older would do for command 50/);
    await assert.rejects(restore(9), /No backup beside it would do for command 9/);
    await assert.rejects(restore(999), /ends with command 200: .* from 95 to 200/);
    assert.equal(existsSync(dataDir), false);
  });
});

describe("a backup with the log behind it", () => {
  const EARLY = 110;

  it("LOG-4: is restored up to any later command, or to the end of that log", async (t) => {
    const { folder, data } = await earlierBackup(t, EARLY);
    for (const until of [EARLY - 5, EARLY + 1, 155, undefined]) {
      const dataDir = join(await makeTempDir(t), "data");
      const restored = await restoreBackup({ folder, dataDir, databaseUrl: undefined, until, log: data, say: quiet });
      const number = until ?? COMMANDS;
      const commandsBeyond = Math.max(0, number - EARLY);
      assert.deepEqual(restored, { command_number: number, state_hash: flow.hashAfter(number), commandsBeyond });
      assertEndsWith(dataDir, number);
    }
  });

  it("LOG-4: a log of another exchange, one with a gap, one that ends too early and a folder without one are refused", async (t) => {
    const { folder, data } = await earlierBackup(t, EARLY);
    const place = await makeTempDir(t);
    const assertNo = async (log: string, until: number | undefined, message: RegExp) => {
      const options = { folder, dataDir: join(place, "data"), databaseUrl: undefined, until, log, say: quiet };
      await assert.rejects(restoreBackup(options), message);
      assert.deepEqual(readdirSync(place), []);
    };
    const { data: others } = await earlierBackup(t, EARLY);
    await assertNo(others, undefined, /does not continue the backup's log: it belongs to another exchange/);
    await assertNo(await makeTempDir(t), undefined, /has no folder journal: it holds no log/);
    await assertNo(data, COMMANDS + 1, /the log ends with command 200: it can be restored up to .* from 95 to 200/);
    const later = listSegments(data).filter(({ firstNumber }) => firstNumber > EARLY);
    assert.ok(later.length > 1, "the log goes on for several segments");
    rmSync(later[0]!.path);
    await assertNo(data, undefined, /the log lacks the commands|but .* begins with command/);
    for (const { path } of listSegments(data)) rmSync(path);
    await assertNo(data, undefined, /lacks \d+\.log, with which the backup's log ends/);
  });
});

describe("the cut of a log", () => {
  it("LOG-4: ends before the first write with a message or an account that the database lacks", async (t) => {
    const folder = await makeTempDir(t);
    await writeData(folder);
    const all = new Engine();
    for (const _ of replaySegments(folder, all, COMMANDS));
    const { externalNumber, accounts } = all.state;
    assert.ok(externalNumber > 3, "the flow has commands of the outside world");
    const base = { command_number: 0, deliveredNumber: 0, deliveredAccount: 0, chain_block: null };
    const numberOf = (command: object) => ("number" in command ? Number(command.number ?? 0) : 0);
    for (let outbox_number = 0; outbox_number <= externalNumber; outbox_number += 1) {
      const positions = { ...base, outbox_number, accounts: accounts.count };
      const { engine, segment, size_bytes } = findCut(folder, positions, marksOf(folder)!, quiet);
      const { commandNumber } = engine.state;
      const lacking = flow.commands.findIndex((command) => numberOf(command) > outbox_number);
      const expected = lacking < 0 ? COMMANDS : lacking - (lacking % PER_WRITE);
      assert.equal(commandNumber, expected);
      assert.equal(stateHash(engine.state), flow.hashAfter(expected));
      assert.ok(size_bytes <= statSync(segment.path).size);
    }
    const early = { ...base, outbox_number: externalNumber, accounts: 0 };
    const opening = flow.commands.findIndex(({ kind }) => kind === "open_account");
    const cut = findCut(folder, early, marksOf(folder)!, quiet);
    assert.equal(cut.engine.state.commandNumber, opening - (opening % PER_WRITE));
  });

  it("LOG-4: a database that has seen more than the log is refused", async (t) => {
    const folder = await makeTempDir(t);
    await writeData(folder);
    const positions = {
      command_number: COMMANDS + 1,
      outbox_number: 1_000,
      accounts: 1_000,
      deliveredNumber: 0,
      deliveredAccount: 0,
      chain_block: null,
    };
    assert.throws(
      () => findCut(folder, positions, marksOf(folder)!, quiet),
      /the database has seen command 201 .*: they do not belong together\. Check DATA_DIR and DATABASE_URL/,
    );
  });
});

describe("the archive", () => {
  async function archived(
    t: TestContext,
    folder: string,
    to: string,
    isOver: (archive: Archive, metrics: string) => boolean,
  ) {
    const metrics = createProcessMetrics();
    const archive = new Archive({ folder, to, log: createLog("silent"), metrics, poll_ms: 5 });
    t.after(() => archive.stop());
    archive.start();
    for (;;) {
      const text = await metrics.text();
      if (isOver(archive, text)) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await archive.stop();
  }

  it("LOG-4: gets every closed segment and every snapshot, byte for byte, and nothing unfinished", async (t) => {
    const [folder, to] = [await makeTempDir(t), await makeTempDir(t)];
    await writeData(folder);
    const closed = filesBelow(folder).filter((path) => join(folder, path) !== listSegments(folder).at(-1)!.path);
    await archived(
      t,
      folder,
      to,
      () => filesBelow(to).length >= closed.length && !filesBelow(to).some((path) => path.endsWith(".unfinished")),
    );
    assert.deepEqual(filesBelow(to), closed);
    for (const path of closed) assert.deepEqual(readFileSync(join(to, path)), readFileSync(join(folder, path)));
  });

  it("LOG-4: a file of another exchange is not replaced, and the metrics say that it is behind", async (t) => {
    const [folder, to] = [await makeTempDir(t), await makeTempDir(t)];
    await writeData(folder);
    await writeData(to);
    const before = readFileSync(segmentPath(to, 1));
    await archived(t, folder, to, (archive, text) => archive.behind > 0 && /^bourse_archive_failed 1$/m.test(text));
    assert.deepEqual(readFileSync(segmentPath(to, 1)), before);
  });
});
