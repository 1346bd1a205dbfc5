import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { chainLogPath, readChainLog } from "../../../apps/server/src/chain/embedded/chain-log.ts";
import { EmbeddedChain } from "../../../apps/server/src/chain/embedded/embedded-chain.ts";
import { decodeRecord } from "../../../apps/server/src/chain/embedded/records.ts";
import { CHAIN_ID, START_ms, transfer } from "../../../apps/server/src/chain/testing/chains.ts";
import { ManualClock } from "../../../apps/server/src/kernel/clock.ts";
import { FRAME_bytes } from "../../../apps/server/src/kernel/journal/log-format.ts";
import { seededRandom } from "../../../apps/server/src/kernel/random.ts";
import { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Failures } from "../failures.ts";
import { damage } from "./damages.ts";
import type { Outcome } from "./journal-files.ts";
import { firstDifference, hasWholeRecordBehind, type Place, recordsOf } from "./log-bytes.ts";

const BLOCKS = 10;
/** The share of damaged files with which a whole chain is opened, which recomputes all blocks. */
const OPENED_percent = 8;

interface Read {
  readonly outcome: Outcome;
  readonly problem: string | undefined;
}

function openChain(folder: string, onProgress: (line: string) => void): Promise<EmbeddedChain> {
  const clock = new ManualClock(START_ms);
  return EmbeddedChain.open({ folder, chainId: CHAIN_ID, clock, random: seededRandom("fuzz"), onProgress });
}

/** A recorded chain with an abandoned branch, damaged in thousands of ways. */
export class ChainFiles {
  readonly #bytes: Buffer;
  readonly #records: readonly Place[];
  /** The hashes of the canonical blocks after a number of records. */
  readonly #branches: readonly string[];
  readonly #failures: Failures;
  readonly outcomes = new Map<string, Map<Outcome, number>>();

  private constructor(bytes: Buffer, failures: Failures) {
    this.#bytes = bytes;
    this.#records = recordsOf(bytes, 0);
    this.#branches = branchesOf(bytes, this.#records);
    this.#failures = failures;
  }

  static async record(failures: Failures): Promise<ChainFiles> {
    const folder = mkdtempSync(join(tmpdir(), "bourse-fuzz-"));
    try {
      const chain = await openChain(folder, () => undefined);
      for (let nonce = 0; nonce < BLOCKS / 2; nonce += 1) await chain.sendRawTransaction(await transfer(nonce));
      const snapshot = await chain.snapshot();
      await chain.sendRawTransaction(await transfer(BLOCKS / 2));
      await chain.revertTo(snapshot);
      for (let nonce = BLOCKS / 2; nonce < BLOCKS; nonce += 1) await chain.sendRawTransaction(await transfer(nonce));
      await chain.close();
      return new ChainFiles(readFileSync(chainLogPath(folder)), failures);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async once(seed: number): Promise<string> {
    const prng = new Prng(seed);
    const { kind, bytes } = damage(prng, this.#bytes, this.#records, this.#records[0]!.end);
    const folder = mkdtempSync(join(tmpdir(), "bourse-fuzz-"));
    try {
      writeFileSync(chainLogPath(folder), bytes);
      const { outcome, problem } = prng.isIn(OPENED_percent)
        ? await this.#open(folder, bytes)
        : this.#read(folder, bytes);
      const counts = this.outcomes.get(kind) ?? new Map<Outcome, number>();
      this.outcomes.set(kind, counts);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (problem !== undefined) {
        this.#failures.add(`chain, ${kind}: ${problem}`, { how: "reading", sent: `seed ${seed}`, answered: outcome });
      }
      return kind;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #read(folder: string, bytes: Buffer): Read {
    try {
      const recorded = readChainLog(folder);
      if (recorded === undefined) return { outcome: "end lost", problem: "the log was not seen at all" };
      const hashes = recorded.blocks.map(({ hash }) => hash);
      return this.#judge(hashes, recorded.size_bytes, recorded.torn_bytes, bytes);
    } catch (error) {
      return this.#refused(error, folder, bytes);
    }
  }

  /** Opens the chain with all blocks recomputed, and collects the messages to the operator. */
  async #open(folder: string, bytes: Buffer): Promise<Read> {
    const lines: string[] = [];
    let chain: EmbeddedChain;
    try {
      chain = await openChain(folder, (line) => lines.push(line));
    } catch (error) {
      return this.#refused(error, folder, bytes);
    }
    const hashes: Hex[] = [];
    for (let number = 1; number <= chain.tip.number; number += 1) {
      const block = await chain.read((ask) => ask("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]));
      hashes.push((block as { readonly hash: Hex }).hash);
    }
    await chain.close();
    const size_bytes = readFileSync(chainLogPath(folder)).length;
    const torn_bytes = bytes.length - size_bytes;
    const judged = this.#judge(hashes, size_bytes, torn_bytes, bytes);
    const isReported = lines.some(
      (line) => line.includes(chainLogPath(folder)) && line.includes(`${torn_bytes} bytes`),
    );
    if (torn_bytes > 0 && !isReported)
      return { ...judged, problem: judged.problem ?? "what was cut off is not reported" };
    return judged;
  }

  #judge(hashes: readonly string[], size_bytes: number, torn_bytes: number, bytes: Buffer): Read {
    const records = this.#records.filter(({ end }) => end <= size_bytes).length;
    const isAll = records === this.#records.length;
    const outcome = isAll ? "whole" : torn_bytes > 0 ? "tail cut" : "end lost";
    if (hashes.join() !== this.#branches[records]) return { outcome, problem: "a chain that never was" };
    if (isAll) return { outcome, problem: undefined };
    const from = firstDifference(bytes, this.#bytes) ?? this.#bytes.length;
    const before = this.#records.filter(({ end }) => end <= from).length;
    if (records < before) return { outcome, problem: "blocks from before the damage are lost" };
    const behind = this.#records.slice(before);
    const isLost = hasWholeRecordBehind(bytes, this.#bytes, behind, this.#records[before]?.start ?? bytes.length);
    return { outcome, problem: isLost ? "whole blocks behind the damage are lost" : undefined };
  }

  #refused(error: unknown, folder: string, bytes: Buffer): Read {
    const outcome = "refused";
    const message = error instanceof Error ? error.message : String(error);
    const short = message.replaceAll(folder, "").replaceAll(/\d+/g, "N").slice(0, 120);
    if (!message.includes(folder)) return { outcome, problem: `refused without a name: ${short}` };
    const isPlaced = /at byte \d+|block \d+|is no log|genesis/.test(message);
    if (!isPlaced) return { outcome, problem: `refused without a place: ${short}` };
    const isUnfinished = bytes.length >= this.#records[0]!.end && this.#bytes.subarray(0, bytes.length).equals(bytes);
    return { outcome, problem: isUnfinished ? `an unfinished write is refused: ${short}` : undefined };
  }
}

function branchesOf(bytes: Buffer, records: readonly Place[]): string[] {
  const hashes: string[] = [];
  // Before the genesis there is no chain.
  const branches = ["none"];
  for (const { start, end } of records) {
    const record = decodeRecord(bytes.subarray(start + FRAME_bytes, end));
    if (record.kind === "rewind") hashes.length = record.number;
    if (record.kind === "block") hashes.push(record.hash);
    branches.push(hashes.join());
  }
  return branches;
}
