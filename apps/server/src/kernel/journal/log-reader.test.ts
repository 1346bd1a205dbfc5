import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { crc32 } from "node:zlib";
import { OLDEST_RULES } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { recordFlow } from "../../exchange/journal/testing/recorded-flow.ts";
import { MAX_APPEND_bytes } from "./command-log.ts";
import { LogBuffer } from "./log-buffer.ts";
import { FRAME_bytes, HEADER_bytes, LogFault, writeHeader } from "./log-format.ts";
import { LogReader } from "./log-reader.ts";

const COMMANDS = 40;

async function makeLog(t: TestContext) {
  const path = join(await makeTempDir(t), "log");
  const { commands, records } = recordFlow(3, COMMANDS);
  const buffer = new LogBuffer();
  buffer.raw(writeHeader({ firstNumber: 1, rulesVersion: OLDEST_RULES, chain: undefined }));
  for (const record of records) buffer.record(record);
  const bytes = Buffer.from(buffer.bytes);
  const write = (changed: Uint8Array) => writeFileSync(path, changed);
  write(bytes);
  return { path, commands, records, bytes, write, lastStart: bytes.length - FRAME_bytes - records.at(-1)!.length };
}

function read(path: string, fromNumber = 0) {
  const reader = new LogReader(path);
  try {
    const commands = [...reader.commands(fromNumber)];
    return { commands, torn_bytes: reader.torn_bytes, lastNumber: reader.lastNumber };
  } finally {
    reader.close();
  }
}

describe("the log's format", () => {
  it("has the checksums of CRC-32", async (t) => {
    const { bytes, records } = await makeLog(t);
    let at = HEADER_bytes;
    for (const record of records) {
      assert.equal(bytes.readUInt32LE(at), record.length);
      assert.equal(bytes.readUInt32LE(at + 4), crc32(record));
      at += FRAME_bytes + record.length;
    }
    assert.equal(at, bytes.length);
  });

  it("is read as it was written, from any command on", async (t) => {
    const { path, commands } = await makeLog(t);
    assert.deepEqual(read(path), { commands, torn_bytes: 0, lastNumber: COMMANDS });
    assert.deepEqual(read(path, 30).commands, commands.slice(29));
    assert.deepEqual(read(path, COMMANDS + 1).commands, []);
  });
});

describe("the end of a log", () => {
  it("INV-7: is the last whole record, wherever a write was cut short", async (t) => {
    const { path, commands, bytes, write, lastStart } = await makeLog(t);
    for (let length = lastStart; length < bytes.length; length += 1) {
      write(bytes.subarray(0, length));
      const found = read(path);
      assert.equal(found.torn_bytes, length - lastStart);
      assert.deepEqual(found.commands, commands.slice(0, -1));
    }
  });

  it("INV-7: may be followed by zeros, with or without part of a record before them", async (t) => {
    const { path, bytes, write, lastStart } = await makeLog(t);
    for (const kept of [bytes.length, bytes.length - 3, lastStart + 9, lastStart + 2, lastStart]) {
      write(Buffer.concat([bytes.subarray(0, kept), Buffer.alloc(5_000)]));
      const isWhole = kept === bytes.length;
      const { commands, torn_bytes } = read(path);
      assert.equal(commands.length, isWhole ? COMMANDS : COMMANDS - 1);
      assert.equal(torn_bytes, (isWhole ? 0 : kept - lastStart) + 5_000);
    }
  });

  it("INV-7: no flipped bit before the last record passes for an unfinished write", async (t) => {
    const { path, bytes, write, lastStart } = await makeLog(t);
    for (let at = HEADER_bytes; at < lastStart; at += 3) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1 << (at % 8);
      write(damaged);
      assert.throws(() => read(path), LogFault, `byte ${at}`);
    }
  });

  it("is damaged where more is wrong than one write can leave", async (t) => {
    const { path, bytes, write } = await makeLog(t);
    write(Buffer.concat([bytes, Buffer.alloc(MAX_APPEND_bytes)]));
    assert.equal(read(path).commands.length, COMMANDS);
    write(Buffer.concat([bytes, Buffer.alloc(MAX_APPEND_bytes + 1)]));
    assert.throws(() => read(path), /damaged at byte \d+: a record says that it has 0 bytes/);
  });

  it("does not move while the log grows", async (t) => {
    const { path, bytes, write, lastStart } = await makeLog(t);
    write(bytes.subarray(0, lastStart));
    const reader = new LogReader(path);
    write(bytes);
    const commands = [...reader.commands()];
    reader.close();
    assert.equal(commands.length, COMMANDS - 1);
    assert.equal(reader.torn_bytes, 0);
    assert.ok(readFileSync(path).equals(bytes));
  });
});
