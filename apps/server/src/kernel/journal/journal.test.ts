import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { stateHash } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { recover } from "../../exchange/journal/recovery.ts";
import { recordFlow, writeJournal } from "../../exchange/journal/testing/recorded-flow.ts";
import { MAX_APPEND_bytes, MAX_RECORD_bytes } from "./command-log.ts";
import { Journal } from "./journal.ts";
import type { SegmentHeader } from "./log-format.ts";
import { LogReader } from "./log-reader.ts";
import { journalFolder, listSegments, type SegmentFile } from "./segments.ts";

const RECORD = Uint8Array.of(1, 2, 3);
const FRAMED_bytes = 8 + RECORD.length;

/** A scripted file: each step waits until it is let through or made to fail. */
class SlowFile implements SegmentFile {
  size_bytes = 24;
  isClosed = false;
  readonly steps: { readonly name: string; readonly bytes: number; pass(): void; fail(error: Error): void }[] = [];
  #arrived = Promise.withResolvers<void>();

  async append(bytes: Uint8Array): Promise<void> {
    this.size_bytes += bytes.length;
    await this.#step("write", bytes.length);
    await this.#step("sync", 0);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  /** The step of this number, when it has been requested. */
  async step(number: number) {
    while (this.steps.length < number) await this.#arrived.promise;
    return this.steps[number - 1]!;
  }

  async pass(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) (await this.step(number)).pass();
  }

  #step(name: string, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.steps.push({ name, bytes, pass: resolve, fail: reject });
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
    return promise;
  }
}

function makeJournal(createSegment: (header: SegmentHeader) => Promise<SegmentFile> = async () => new SlowFile()) {
  const file = new SlowFile();
  const journal = new Journal({ segment: file, nextNumber: 1, createSegment, segment_bytes: 10_000 });
  return { file, journal };
}

/** The current states of promises. */
function watch(promises: readonly Promise<unknown>[]): string[] {
  const states = promises.map(() => "waits");
  for (const [place, promise] of promises.entries()) {
    promise.then(
      () => (states[place] = "done"),
      () => (states[place] = "failed"),
    );
  }
  return states;
}

describe("Journal", () => {
  it("FUT-1: answers after the sync, with one write and one sync for all that came meanwhile", async () => {
    const { file, journal } = makeJournal();
    const first = journal.append([RECORD]);
    await file.step(1);
    const others = Array.from({ length: 5 }, () => journal.append([RECORD, RECORD]));
    const states = watch([first, ...others]);
    await file.pass(1);
    await file.step(2);
    assert.equal(states[0], "waits", "written is not durable");
    await file.pass(2);
    await first;
    assert.equal(journal.nextNumber, 2);
    await file.pass(3, 4);
    await Promise.all(others);
    assert.deepEqual(
      file.steps.map(({ name, bytes }) => [name, bytes]),
      [
        ["write", FRAMED_bytes],
        ["sync", 0],
        ["write", 10 * FRAMED_bytes],
        ["sync", 0],
      ],
    );
    assert.equal(journal.nextNumber, 12);
  });

  it("gathers what those ask for who were just answered", async () => {
    const { file, journal } = makeJournal();
    const callers = Array.from({ length: 8 }, async () => {
      await journal.append([RECORD]);
      await journal.append([RECORD]);
    });
    await file.pass(1, 2, 3, 4);
    await Promise.all(callers);
    assert.deepEqual(
      file.steps.map(({ bytes }) => bytes),
      [8 * FRAMED_bytes, 0, 8 * FRAMED_bytes, 0],
    );
  });

  for (const { what, passed } of [
    { what: "write", passed: [1, 2] },
    { what: "sync", passed: [1, 2, 3] },
  ]) {
    it(`INV-7: a ${what} that fails kills it for good and is not tried again`, async () => {
      const { file, journal } = makeJournal();
      const durable = journal.append([RECORD]);
      await file.step(1);
      const failing = journal.append([RECORD]);
      await file.pass(...passed);
      await durable;
      const step = await file.step(passed.length + 1);
      assert.equal(step.name, what);
      const waiting = journal.append([RECORD]);
      step.fail(new Error("the disk is gone"));
      await assert.rejects(failing, (error: Error) => (error.cause as Error).message === "the disk is gone");
      await assert.rejects(waiting, /could not be written/);
      await assert.rejects(journal.append([RECORD]), /could not be written/);
      assert.equal(journal.nextNumber, 2);
      assert.notEqual(journal.failure, undefined);
      await journal.close();
      assert.equal(file.steps.length, passed.length + 1);
      assert.ok(file.isClosed);
    });
  }

  it("INV-7: dies as well when no new segment can be made", async () => {
    const { file, journal } = makeJournal(() => Promise.reject(new Error("no space")));
    const first = journal.append([new Uint8Array(9_900)]);
    await file.pass(1, 2);
    await first;
    await assert.rejects(journal.append([new Uint8Array(100)]), (error: Error) => /no space/.test(String(error.cause)));
    assert.equal(file.steps.length, 2);
  });

  it("takes no record that a reader would take for damage", async () => {
    for (const records of [
      [new Uint8Array(0)],
      [new Uint8Array(MAX_RECORD_bytes + 1)],
      Array.from({ length: MAX_APPEND_bytes / MAX_RECORD_bytes + 1 }, () => new Uint8Array(MAX_RECORD_bytes)),
    ]) {
      const { file, journal } = makeJournal();
      await assert.rejects(journal.append(records), /cannot be logged/);
      assert.equal(file.steps.length, 0);
    }
  });

  it("finishes what it was given before it closes, and takes nothing after", async () => {
    const { file, journal } = makeJournal();
    const appended = [journal.append([RECORD]), journal.append([RECORD])];
    const states = watch(appended);
    const closing = journal.close();
    await assert.rejects(journal.append([RECORD]), /closed/);
    await file.pass(1, 2);
    await closing;
    assert.deepEqual(states, ["done", "done"]);
    assert.ok(file.isClosed);
    await journal.close();
  });
});

describe("segments", () => {
  it("follow each other by size, named by their first command, and each can be read alone", async (t) => {
    const folder = await makeTempDir(t);
    const { commands, records } = recordFlow(1, 1_500);
    await writeJournal(folder, records, { segment_bytes: 8_000 });
    const segments = listSegments(folder);
    assert.ok(segments.length > 3);
    const read = segments.flatMap(({ path, firstNumber }) => {
      const reader = new LogReader(path);
      assert.equal(reader.header.firstNumber, firstNumber);
      assert.ok(reader.size_bytes <= 8_000);
      const found = [...reader.commands()];
      reader.close();
      return found;
    });
    assert.deepEqual(read, commands);
    assert.deepEqual(readdirSync(journalFolder(folder))[0], "0000000000000001.log");
  });

  it("go on in the last one after a restart", async (t) => {
    const folder = await makeTempDir(t);
    const { records, hashAfter } = recordFlow(2, 300);
    for (let at = 0; at < 300; at += 100) {
      const { log } = await recover({ folder, projectedNumber: 0 });
      assert.equal(log.nextNumber, at + 1);
      await log.append(records.slice(at, at + 100));
      await log.close();
    }
    assert.equal(listSegments(folder).length, 1);
    const { engine, log } = await recover({ folder, projectedNumber: 0 });
    assert.equal(stateHash(engine.state), hashAfter(300));
    await log.close();
  });
});
