import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { crc32 } from "node:zlib";
import { ByteReader, type Command, commitmentTo, disclosureText, NEWEST_RULES } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { encoded, recordFlow } from "../../exchange/journal/testing/recorded-flow.ts";
import { ChainedFraming } from "./framing.ts";
import { LogBuffer } from "./log-buffer.ts";
import { BLOCK_bytes, CHAINED_HEADER_bytes, LogFault, PRIVATE, writeHeader } from "./log-format.ts";
import { LogReader } from "./log-reader.ts";

const PER_FRAME = 4;
const FRAMES = 6;
const FIRST_CHAIN = Buffer.alloc(32, 9);
const HEADER = writeHeader({ firstNumber: 1, rulesVersion: NEWEST_RULES, chain: FIRST_CHAIN });
const flow = recordFlow(3, PER_FRAME * FRAMES);

const salt = "5a".repeat(16);
const fields = "0x00000000000000000000000000000000000000aa";
const OPENING: Command = {
  kind: "open_account",
  time_ms: 1,
  account: 1,
  number: 1,
  reference: "open-account:1",
  commitment: commitmentTo(salt, fields),
  disclosure: disclosureText({ salt, fields }),
};

function framesOf(records: readonly Uint8Array[], chain = FIRST_CHAIN): Buffer[] {
  const framing = new ChainedFraming(chain);
  const frames: Buffer[] = [];
  for (let at = 0; at < records.length; at += PER_FRAME) {
    const buffer = new LogBuffer();
    framing.write(buffer, records.slice(at, at + PER_FRAME), at + 1);
    frames.push(Buffer.from(buffer.bytes));
  }
  return frames;
}

async function read(t: TestContext, pieces: readonly Uint8Array[]) {
  const path = join(await makeTempDir(t), "log");
  writeFileSync(path, Buffer.concat(pieces));
  const reader = new LogReader(path);
  try {
    const commands = [...reader.commands()];
    return { commands, torn_bytes: reader.torn_bytes, chain: reader.chain };
  } finally {
    reader.close();
  }
}

const refused = (t: TestContext, pieces: readonly Uint8Array[], message: RegExp) =>
  assert.rejects(read(t, pieces), (error: Error) => {
    assert.ok(error instanceof LogFault, String(error));
    assert.match(error.message, message);
    return true;
  });

/** The frame with another byte in its content, and a checksum that fits. */
function altered(frame: Buffer, at: number): Buffer {
  const bytes = Buffer.from(frame);
  bytes[BLOCK_bytes + at]! ^= 1;
  bytes.writeUInt32LE(crc32(bytes.subarray(BLOCK_bytes)), 5);
  return bytes;
}

describe("a chained log", () => {
  const frames = framesOf(flow.records);

  it("PRF-1: gives back what was written, and the chain at its end", async (t) => {
    const { commands, torn_bytes, chain } = await read(t, [HEADER, ...frames]);
    assert.deepEqual(commands, flow.commands);
    assert.equal(torn_bytes, 0);
    assert.deepEqual(chain, frames.at(-1)!.subarray(-32));
  });

  it("PRF-1: an altered record is named by its frame's first command, also where the checksum fits", async (t) => {
    const bytes = [HEADER, frames[0]!, altered(frames[1]!, 12), ...frames.slice(2)];
    await refused(t, bytes, /the chain breaks at command 5: the log was altered/);
  });

  it("PRF-1: an altered chain is found", async (t) => {
    const at = frames[2]!.length - BLOCK_bytes - 1;
    await refused(t, [HEADER, frames[0]!, frames[1]!, altered(frames[2]!, at)], /the chain breaks at command 9/);
  });

  it("PRF-1: dropped, swapped and repeated frames are named by their commands", async (t) => {
    const [a, b, c] = frames as [Buffer, Buffer, Buffer];
    await refused(t, [HEADER, a, c], /a frame begins with command 9, not with 5/);
    await refused(t, [HEADER, a, c, b], /a frame begins with command 9, not with 5/);
    await refused(t, [HEADER, a, b, b], /a frame begins with command 5, not with 9/);
  });

  it("PRF-1: a fork is found where it parts: its frames fit each other and not the log", async (t) => {
    const other = framesOf([...flow.records.slice(0, 8), ...flow.records.slice(0, 8)]);
    await read(t, [HEADER, ...other]);
    await refused(t, [HEADER, ...frames.slice(0, 3), other[3]!], /the chain breaks at command 13/);
    const foreign = framesOf(flow.records, Buffer.alloc(32, 1));
    await refused(t, [HEADER, ...foreign], /the chain breaks at command 1/);
  });

  it("PRF-1: a header that is not as it was written is refused", async (t) => {
    for (let at = 0; at < CHAINED_HEADER_bytes; at += 1) {
      const header = Buffer.from(HEADER);
      header[at]! ^= 1;
      await refused(t, [header, ...frames], /no log of commands|rules version|format|header/);
    }
  });

  it("INV-7: cut anywhere, it ends with the last whole frame", async (t) => {
    const whole = Buffer.concat(frames);
    const ends = frames.map((_, place) => Buffer.concat(frames.slice(0, place + 1)).length);
    for (let length = 0; length < whole.length; length += 5) {
      const { commands, torn_bytes } = await read(t, [HEADER, whole.subarray(0, length)]);
      const kept = ends.filter((end) => end <= length).length;
      assert.equal(commands.length, kept * PER_FRAME);
      assert.equal(torn_bytes, length - (ends[kept - 1] ?? 0));
    }
  });

  it("INV-7: damage before a whole frame is no unfinished write", async (t) => {
    const damaged = Buffer.from(frames[1]!);
    damaged[BLOCK_bytes + 3]! ^= 1;
    await refused(
      t,
      [HEADER, frames[0]!, damaged, ...frames.slice(2)],
      /damaged at byte \d+: a block's checksum is wrong/,
    );
  });

  it("a frame larger than the reader's buffer is read", async (t) => {
    const note = (number: number): Command => ({
      kind: "note",
      time_ms: 1,
      number,
      reference: `note:${number}`,
      details: "x".repeat(60_000),
    });
    const commands = Array.from({ length: 30 }, (_, place) => note(place + 1));
    const buffer = new LogBuffer();
    new ChainedFraming(FIRST_CHAIN).write(buffer, commands.map(encoded), 1);
    assert.deepEqual((await read(t, [HEADER, Buffer.from(buffer.bytes)])).commands, commands);
  });
});

describe("private records", () => {
  const [frame] = framesOf([encoded(OPENING)]) as [Buffer];
  const privateLength = BLOCK_bytes + frame.readUInt32LE(1);
  const [privateBlock, publicFrame] = [frame.subarray(0, privateLength), frame.subarray(privateLength)];

  it("LOG-1: stand before their frame, which holds no private field and reads without them", async (t) => {
    assert.equal(privateBlock[0], PRIVATE);
    assert.ok(privateBlock.includes(fields));
    assert.ok(!publicFrame.includes(fields) && !publicFrame.includes(salt));
    assert.deepEqual((await read(t, [HEADER, frame])).commands, [OPENING]);
    const { disclosure: _, ...published } = OPENING;
    const { commands, chain } = await read(t, [HEADER, publicFrame]);
    assert.deepEqual(commands, [published]);
    assert.deepEqual(chain, (await read(t, [HEADER, frame])).chain);
  });

  it("LOG-1: one that is not what the log commits to is refused by the command's number", async (t) => {
    const other = encoded({ ...OPENING, disclosure: disclosureText({ salt, fields: fields.replace("aa", "bb") }) });
    const [forged] = framesOf([other]) as [Buffer];
    await refused(t, [HEADER, forged], /command 1 cannot be read: its private record is not what the log commits to/);
  });

  it("INV-7: without its frame it is an unfinished write", async (t) => {
    const { commands, torn_bytes } = await read(t, [HEADER, privateBlock]);
    assert.deepEqual([commands.length, torn_bytes], [0, privateBlock.length]);
    const cut = await read(t, [HEADER, frame.subarray(0, frame.length - 1)]);
    assert.deepEqual([cut.commands.length, cut.torn_bytes], [0, frame.length - 1]);
  });

  it("a reader of records takes the disclosure off first", () => {
    const reader = new ByteReader(encoded(OPENING));
    assert.equal(reader.byte(), 3);
    assert.equal(reader.text(), OPENING.disclosure);
  });
});
