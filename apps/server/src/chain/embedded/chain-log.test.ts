import assert from "node:assert/strict";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import type { Hex } from "viem";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { LogBuffer } from "../../kernel/journal/log-buffer.ts";
import { seededRandom } from "../../kernel/random.ts";
import { CHAIN_ID, openTestChain, START_ms, transfer } from "../testing/chains.ts";
import { chainLogPath, continueChainLog, createChainLog, readChainLog } from "./chain-log.ts";
import { EmbeddedChain } from "./embedded-chain.ts";
import { type ChainRecord, decodeRecord, encodeRecord, type GenesisRecord } from "./records.ts";

const hash = (digit: number): Hex => `0x${digit.toString(16).padStart(2, "0").repeat(32)}`;
const genesis: GenesisRecord = { kind: "genesis", chainId: 43_113, timestamp_s: 1_780_000_000, hash: hash(1) };
const block = (number: number, ...transactions: Hex[]) =>
  ({
    kind: "block",
    number,
    timestamp_s: 1_780_000_000 + number,
    prevRandao: hash(7),
    hash: hash(number),
    transactions,
  }) as const;

/** A folder with a log of these records after the genesis. */
async function folderWith(t: TestContext, ...records: ChainRecord[]): Promise<string> {
  const folder = await makeTempDir(t);
  const log = await createChainLog(folder, genesis);
  for (const record of records) await log.append([record]);
  await log.close();
  return folder;
}

describe("the chain's log", () => {
  const samples: readonly ChainRecord[] = [
    genesis,
    block(1),
    block(2, "0x02f8", "0x01"),
    { kind: "rewind", number: 1, hash: hash(1) },
  ];
  for (const record of samples) {
    it(`a ${record.kind} record comes back as it was`, () => {
      assert.deepEqual(decodeRecord(encodeRecord(record)), record);
    });
  }

  it("a record that is cut short, too long or of no known kind is refused", () => {
    const bytes = encodeRecord({ kind: "rewind", number: 1, hash: hash(1) });
    assert.throws(() => decodeRecord(bytes.subarray(0, -1)), /too short/);
    assert.throws(() => decodeRecord(Buffer.concat([bytes, Buffer.of(0)])), /1 bytes too many/);
    assert.throws(() => decodeRecord(Buffer.from("X")), /of no known kind/);
  });

  it("no log, no chain", async (t) => {
    assert.equal(readChainLog(await makeTempDir(t)), undefined);
  });

  it("RUN-2: gives the blocks that count: a rewind takes those after it away", async (t) => {
    const folder = await folderWith(
      t,
      block(1),
      block(2),
      block(3, "0x01"),
      { kind: "rewind", number: 1, hash: hash(1) },
      block(2, "0x02"),
    );
    const recorded = readChainLog(folder);
    assert.deepEqual(recorded?.genesis, genesis);
    assert.deepEqual(recorded?.blocks, [block(1), block(2, "0x02")]);
    assert.equal(recorded?.torn_bytes, 0);
  });

  it("RUN-2: a write that was never finished is cut off, and the log goes on behind what is whole", async (t) => {
    const folder = await folderWith(t, block(1), block(2, "0x0102"));
    const path = chainLogPath(folder);
    const whole = readFileSync(path);
    for (let cut = 1; cut < 20; cut += 1) {
      writeFileSync(path, whole);
      truncateSync(path, whole.length - cut);
      const recorded = readChainLog(folder)!;
      assert.deepEqual(recorded.blocks, [block(1)]);
      assert.ok(recorded.torn_bytes > 0);
      const log = await continueChainLog(folder, recorded.size_bytes);
      await log.append([block(2, "0x03")]);
      await log.close();
      assert.deepEqual(readChainLog(folder)?.blocks, [block(1), block(2, "0x03")]);
    }
  });

  it("bytes of zero at the end, as a crash can leave them, are cut off", async (t) => {
    const folder = await folderWith(t, block(1));
    appendFileSync(chainLogPath(folder), Buffer.alloc(4_096));
    assert.deepEqual([readChainLog(folder)?.blocks.length, readChainLog(folder)?.torn_bytes], [1, 4_096]);
  });

  it("damage to what was durable once is no unfinished write: it is refused", async (t) => {
    const folder = await folderWith(t, block(1), block(2), block(3));
    const path = chainLogPath(folder);
    const bytes = readFileSync(path);
    const at = readChainLog(await folderWith(t, block(1)))!.size_bytes + 20;
    bytes[at]! ^= 1;
    writeFileSync(path, bytes);
    assert.throws(() => readChainLog(folder), new RegExp(`is damaged at byte ${at - 20}$`));
  });

  it("RUN-2: a record that is whole and yet none of ours is refused, with the file and the place", async (t) => {
    const folder = await folderWith(t, block(1));
    const path = chainLogPath(folder);
    const { length } = readFileSync(path);
    const frames = new LogBuffer();
    frames.record(Buffer.from("X"));
    appendFileSync(path, frames.bytes);
    assert.throws(() => readChainLog(folder), {
      name: "LogFault",
      message: `${path} is damaged at byte ${length}: a record of the chain's log is of no known kind`,
    });
  });

  it("RUN-2: whoever starts a chain is told what was cut off, and of which file", async (t) => {
    const { chain, folder } = await openTestChain(t);
    for (let nonce = 0; nonce < 2; nonce += 1) await chain.sendRawTransaction(await transfer(nonce));
    await chain.close();
    const bytes = readFileSync(chainLogPath(folder));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(chainLogPath(folder), bytes);
    const { torn_bytes } = readChainLog(folder)!;
    assert.ok(torn_bytes > 0);
    const lines: string[] = [];
    const clock = new ManualClock(START_ms);
    const options = { folder, chainId: CHAIN_ID, clock, random: seededRandom("chain") };
    const again = await EmbeddedChain.open({ ...options, onProgress: (line) => lines.push(line) });
    await again.close();
    const cut = `${torn_bytes} bytes of ${chainLogPath(folder)} are cut off, block 1 is the last one`;
    assert.deepEqual(lines, [`the chain's last write was not finished: ${cut}`]);
  });

  it("a file that is something else is refused", async (t) => {
    const folder = await makeTempDir(t);
    writeFileSync(chainLogPath(folder), "something else altogether");
    assert.throws(() => readChainLog(folder), /is no log of a chain$/);
  });

  it("blocks that do not follow each other are refused", async (t) => {
    const gap = await folderWith(t, block(1), block(3));
    assert.throws(() => readChainLog(gap), /has block 3 where block 2 belongs$/);
    const future = await folderWith(t, block(1), { kind: "rewind", number: 2, hash: hash(2) });
    assert.throws(() => readChainLog(future), /goes back to block 2, which it lacks$/);
  });

  it("RUN-2: a block that comes to another hash is named, with what to do", async (t) => {
    const { chain, folder } = await openTestChain(t);
    for (let nonce = 0; nonce < 3; nonce += 1) await chain.sendRawTransaction(await transfer(nonce));
    await chain.close();
    const recorded = readChainLog(folder)!;
    const other = await makeTempDir(t);
    const log = await createChainLog(other, recorded.genesis);
    const changed = recorded.blocks.map((each) => (each.number === 2 ? { ...each, prevRandao: hash(9) } : each));
    await log.append(changed);
    await log.close();
    await assert.rejects(openTestChain(t, { folder: other }), (error: Error) => {
      assert.match(
        error.message,
        /^block 2 of the embedded chain cannot be made again from .*blocks\.log: its hash is/,
      );
      assert.match(error.message, /Start that version, or move the folder away/);
      return true;
    });
  });

  it("RUN-3: a chain of another id is refused", async (t) => {
    const folder = await makeTempDir(t);
    await (await createChainLog(folder, { ...genesis, chainId: 1 })).close();
    await assert.rejects(openTestChain(t, { folder }), /has id 1, CHAIN_ID says 43113$/);
  });
});
