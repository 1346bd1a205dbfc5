import { setImmediate as nextTurn } from "node:timers/promises";
import type { Hex } from "viem";
import type { Clock } from "../../kernel/clock.ts";
import { MAX_RECORD_bytes } from "../../kernel/journal/command-log.ts";
import type { Random } from "../../kernel/random.ts";
import { RPC_CODES, RpcError } from "../rpc-error.ts";
import { type ChainLog, chainLogPath, continueChainLog, createChainLog, readChainLog } from "./chain-log.ts";
import { ReadWriteGate } from "./gate.ts";
import { EvmNode, type MinedBlock, type Tip } from "./node.ts";
import { BLOCK_HEAD_bytes, byteLength, type ChainRecord, TRANSACTION_HEAD_bytes } from "./records.ts";
import { assertSameGenesis, replayBlocks } from "./replay.ts";

export interface EmbeddedChainOptions {
  /** The chain's own folder, locked by this process. */
  readonly folder: string;
  readonly chainId: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives lines for the operator: what was cut off, and the progress of a long replay. */
  readonly onProgress?: (line: string) => void;
}

/** A state to which the chain can revert once. */
export interface ChainSnapshot {
  readonly id: Hex;
  readonly tip: Tip;
}

/** A change of the chain, and its record in the log. */
interface Change<T> {
  readonly value: T;
  readonly record: ChainRecord | undefined;
}

interface Job {
  readonly run: () => Promise<Change<unknown>>;
  readonly done: PromiseWithResolvers<unknown>;
}

/** The maximum number of changes that share one write and sync of the log; it bounds how long readers wait. */
const MAX_IN_GROUP = 60;

/**
 * An EVM chain in this process with a durable log. A transaction is mined at once, into a block of its own. The block is written to
 * the log and synced before it becomes visible; readers wait meanwhile. A start replays the log. After a failed write the chain
 * refuses all reads and changes; the recovery is a restart.
 */
export class EmbeddedChain {
  readonly chainId: number;
  /** The result of the start. */
  readonly replay: { readonly blocks: number; readonly took_ms: number };
  readonly #node: EvmNode;
  readonly #log: ChainLog;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #gate = new ReadWriteGate();
  readonly #jobs: Job[] = [];
  /** The last durable block, and the last block of the node. */
  #tip: Tip;
  #nodeTip: Tip;
  #time_s = 0;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  #isClosed = false;
  #minedTransactions = 0;
  #refusedTransactions = 0;
  readonly #listeners: (() => void)[] = [];

  private constructor(
    options: EmbeddedChainOptions,
    node: EvmNode,
    log: ChainLog,
    tip: Tip,
    replay: EmbeddedChain["replay"],
  ) {
    this.chainId = options.chainId;
    this.replay = replay;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#node = node;
    this.#log = log;
    this.#tip = tip;
    this.#nodeTip = tip;
  }

  /** Starts the node and replays the log; throws a `LogFault` if that is impossible. */
  static async open(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
    const { folder, chainId, clock, onProgress = () => undefined } = options;
    const started_ms = performance.now();
    const recorded = readChainLog(folder);
    if (recorded !== undefined && recorded.genesis.chainId !== chainId) {
      throw new Error(`the chain in ${folder} has id ${recorded.genesis.chainId}, CHAIN_ID says ${chainId}`);
    }
    const genesisTime_s = recorded?.genesis.timestamp_s ?? secondsOf(clock);
    const node = await EvmNode.start(chainId, genesisTime_s);
    try {
      if (recorded === undefined) {
        const tip = await node.tip();
        const genesis = { kind: "genesis", chainId, timestamp_s: genesisTime_s, hash: tip.hash } as const;
        const log = await createChainLog(folder, genesis);
        return new EmbeddedChain(options, node, log, tip, { blocks: 0, took_ms: performance.now() - started_ms });
      }
      if (recorded.torn_bytes > 0) {
        const cut = `${recorded.torn_bytes} bytes of ${chainLogPath(folder)} are cut off`;
        onProgress(`the chain's last write was not finished: ${cut}, block ${recorded.blocks.length} is the last one`);
      }
      await assertSameGenesis(folder, node, recorded.genesis);
      await replayBlocks(folder, node, recorded.blocks, onProgress);
      const tip = await node.tip();
      const log = await continueChainLog(folder, recorded.size_bytes);
      const took_ms = performance.now() - started_ms;
      return new EmbeddedChain(options, node, log, tip, { blocks: recorded.blocks.length, took_ms });
    } catch (error) {
      await node.close();
      throw error;
    }
  }

  /** The last durable block. */
  get tip(): Tip {
    return this.#tip;
  }

  /** Why the chain has stopped; undefined while it works. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get minedTransactions(): number {
    return this.#minedTransactions;
  }

  get refusedTransactions(): number {
    return this.#refusedTransactions;
  }

  /** Calls back when the last durable block changes. */
  listen(onChange: () => void): void {
    this.#listeners.push(onChange);
  }

  /** Several requests against the same durable state. */
  async read<T>(questions: (ask: (method: string, params?: readonly unknown[]) => Promise<unknown>) => Promise<T>) {
    this.#assertUsable();
    return await this.#gate.read(() => {
      this.#assertUsable();
      return questions((method, params) => this.#node.request(method, params));
    });
  }

  /** The same for requests at the pending block, whose time is the clock's. */
  readPending(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.read(async (ask) => {
      const time_s = this.#nextTime_s();
      if (time_s !== this.#time_s) await this.#node.setTime(time_s);
      this.#time_s = time_s;
      return await ask(method, params);
    });
  }

  /** Mines the transaction and returns its hash when the block is durable; throws an RpcError if it is refused. */
  async sendRawTransaction(raw: Hex): Promise<Hex> {
    try {
      const [hash] = (await this.mine([raw])).transactions;
      return hash!;
    } catch (error) {
      if (error instanceof RpcError) this.#refusedTransactions += 1;
      throw error;
    }
  }

  /** Mines one block of these transactions, or an empty one. Not available through the RPC. */
  mine(transactions: readonly Hex[] = []): Promise<MinedBlock> {
    return this.#change(() => this.#mine(transactions));
  }

  /** Mines an empty block with the clock's time if the last block is older. */
  async followClock(): Promise<void> {
    await this.#change(async () => {
      if (this.#nextTime_s() === this.#nodeTip.timestamp_s) return { value: undefined, record: undefined };
      return { ...(await this.#mine([])), value: undefined };
    });
  }

  /** For tests of reorganisations. Not available through the RPC. */
  snapshot(): Promise<ChainSnapshot> {
    return this.#change(async () => ({
      value: { id: await this.#node.snapshot(), tip: this.#nodeTip },
      record: undefined,
    }));
  }

  /** Drops all blocks after the snapshot permanently. The next block starts another branch. */
  revertTo({ id, tip }: ChainSnapshot): Promise<void> {
    return this.#change(async () => {
      if (!(await this.#node.revert(id))) throw new RpcError(RPC_CODES.refused, "this snapshot was used already");
      this.#nodeTip = tip;
      this.#time_s = 0;
      return { value: undefined, record: { kind: "rewind", number: tip.number, hash: tip.hash } };
    });
  }

  /** Finishes accepted changes. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#running;
    await this.#log.close();
    await this.#node.close();
  }

  async #mine(transactions: readonly Hex[]): Promise<Change<MinedBlock>> {
    assertRecordable(transactions);
    const inputs = { timestamp_s: this.#nextTime_s(), prevRandao: hexOf(this.#random.bytes(32)) };
    const block = await this.#node.mine(inputs, transactions);
    this.#nodeTip = { number: block.number, hash: block.hash, timestamp_s: block.timestamp_s };
    this.#time_s = 0;
    this.#minedTransactions += transactions.length;
    return { value: block, record: { kind: "block", ...inputs, number: block.number, hash: block.hash, transactions } };
  }

  #nextTime_s(): number {
    return Math.max(this.#nodeTip.timestamp_s, secondsOf(this.#clock));
  }

  #change<T>(run: () => Promise<Change<T>>): Promise<T> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#isClosed) return Promise.reject(new Error("the chain is closed"));
    const done = Promise.withResolvers<unknown>();
    this.#jobs.push({ run, done });
    this.#running ??= this.#run();
    return done.promise as Promise<T>;
  }

  async #run(): Promise<void> {
    while (this.#jobs.length > 0) {
      await this.#gate.write(() => this.#runGroup(this.#jobs.splice(0, MAX_IN_GROUP)));
      // Lets waiting readers in before the next group.
      await nextTurn();
    }
    this.#running = undefined;
  }

  /** Changes the node, then the disk, and only then makes the change visible. */
  async #runGroup(jobs: readonly Job[]): Promise<void> {
    const finished: (() => void)[] = [];
    const records: ChainRecord[] = [];
    try {
      for (const { run, done } of jobs) {
        try {
          const { value, record } = await run();
          if (record !== undefined) records.push(record);
          finished.push(() => done.resolve(value));
        } catch (error) {
          // A refusal leaves the node unchanged. After any other error its state is unknown.
          if (!(error instanceof RpcError)) throw error;
          done.reject(error);
        }
      }
      if (records.length > 0) await this.#log.append(records);
      const isChanged = this.#tip.hash !== this.#nodeTip.hash;
      this.#tip = this.#nodeTip;
      for (const finish of finished) finish();
      if (isChanged) for (const onChange of this.#listeners) onChange();
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      for (const { done } of [...jobs, ...this.#jobs.splice(0)]) done.reject(this.#failure);
    }
  }

  #assertUsable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosed) throw new Error("the chain is closed");
  }
}

const secondsOf = (clock: Clock) => Math.floor(clock.now() / 1_000);
const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

/** A block is one record of the log, and records have a maximum size. */
function assertRecordable(transactions: readonly Hex[]): void {
  const size_bytes = transactions.reduce(
    (sum, raw) => sum + TRANSACTION_HEAD_bytes + byteLength(raw),
    BLOCK_HEAD_bytes,
  );
  if (size_bytes <= MAX_RECORD_bytes) return;
  throw new RpcError(RPC_CODES.refused, `oversized data: a block of ${size_bytes} bytes, at most ${MAX_RECORD_bytes}`);
}
