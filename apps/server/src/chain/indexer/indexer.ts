import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { ChainClient } from "../client.ts";
import { blockAt, type ChainBlock, ChainMoved, readRange } from "./block-range.ts";
import type { ContractLogs } from "./contract-logs.ts";
import type { ChainListener } from "./listener.ts";
import {
  applyRange,
  beginCursor,
  type Change,
  type Cursor,
  CursorMoved,
  KEPT_BLOCKS,
  keptBlocks,
  readCursor,
  undoAfter,
} from "./store.ts";
import { type IndexerDb, indexerDb } from "./tables.ts";

/** ERN-9: nodes refuse more at once. */
export const MOST_BLOCKS = 2_000;

/** What the indexer will not decide by itself: somebody has to look (docs/rules/chain.md says what to do). */
export class ChainFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChainFault";
  }
}

export interface IndexerOptions {
  readonly client: ChainClient;
  readonly contracts: ContractLogs;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  /** In the order in which they hear of events. */
  readonly listeners: readonly ChainListener[];
  /** The first block that can hold an event of the contracts. */
  readonly startBlock?: number;
  /** Told after each transaction, with the block up to which everything is applied. */
  readonly onAdvanced?: (block: ChainBlock, target: number) => void;
}

/** What one look at the chain did. */
export interface SyncReport {
  readonly head_block: number;
  /** Undefined while the chain has not come to the first block. */
  readonly indexed_block: number | null;
  readonly events: number;
  readonly undone_events: number;
  readonly rewinds: number;
}

/** How often a chain that changes under the reading is read again before the look is given up. */
const MOST_MOVES = 10;

/**
 * ERN-9: follows the contracts' events. It has no memory of its own but the size of its next range: where it is, is in
 * the database, moved in the very transaction that applies the events. So a crash at any line loses and repeats nothing.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #db: IndexerDb;
  #range_blocks = MOST_BLOCKS;
  #ignoredLogs = 0;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#db = indexerDb(options.database);
  }

  /** For metrics: logs of the contracts that are no known events, since the start. */
  get ignoredLogs(): number {
    return this.#ignoredLogs;
  }

  /** Where it is; undefined before the first look. */
  async cursor(): Promise<Cursor | undefined> {
    return await readCursor(this.#db, this.#options.client.chainId);
  }

  /**
   * Reads and applies everything that counts by now, range by range, unless it is told to stop in between. One call at a
   * time. Rejects with a ChainFault, or as the RPC does.
   */
  async sync(isStopped: () => boolean = () => false): Promise<SyncReport> {
    const done = { events: 0, undone_events: 0, rewinds: 0 };
    let moves = 0;
    for (;;) {
      if (isStopped()) throw new Error("reading the chain's events was stopped");
      try {
        const step = await this.#step();
        if (step.kind === "current") return { head_block: step.head, indexed_block: step.indexed, ...done };
        if (step.kind === "read") done.events += step.events;
        else {
          done.undone_events += step.events;
          done.rewinds += 1;
        }
      } catch (error) {
        if (!(error instanceof ChainMoved || error instanceof CursorMoved)) throw error;
        moves += 1;
        if (moves >= MOST_MOVES) throw error;
      }
    }
  }

  /**
   * Takes back everything after the block, whatever the chain was then, so that it is read again. For operators, after a
   * reorganisation deeper than the blocks that are kept. Gives the number of events taken back.
   */
  async rewindTo(number: number): Promise<number> {
    const { client } = this.#options;
    const cursor = await this.cursor();
    if (cursor === undefined || cursor.block.number <= number) return 0;
    await this.#assertSameChain(cursor);
    const block = await blockAt(client, number);
    if (block === undefined) throw new ChainFault(`the chain has no block ${number} to go back to`);
    return await undoAfter(this.#db, this.#change(cursor), block);
  }

  async #step(): Promise<Step> {
    const { client } = this.#options;
    const head = await blockAt(client, "latest");
    if (head === undefined) throw new Error("the chain has no last block");
    const cursor = (await this.cursor()) ?? (await this.#begin(head));
    const target = head.number - client.confirmations;
    if (cursor === undefined) return { kind: "current", head: head.number, indexed: null };
    await this.#assertSameChain(cursor);
    const own = head.number === cursor.block.number ? head : await blockAt(client, cursor.block.number);
    if (own?.hash !== cursor.block.hash) return await this.#leaveBranch(cursor, head.number);
    if (cursor.block.number >= target) {
      // After a start there may be nothing to read: what was read before counts.
      this.#options.onAdvanced?.(own, target);
      return { kind: "current", head: head.number, indexed: cursor.block.number };
    }
    return await this.#read(cursor, target);
  }

  /** Begins right before the first block of interest, as soon as that block counts. */
  async #begin(head: ChainBlock): Promise<Cursor | undefined> {
    const { client, contracts, clock, startBlock = 0 } = this.#options;
    const number = Math.max(startBlock - 1, 0);
    if (number > head.number - client.confirmations) return undefined;
    const genesis = await blockAt(client, 0);
    const block = await blockAt(client, number);
    if (genesis === undefined || block === undefined) throw new ChainMoved(`block ${number} is gone`);
    const cursor = { genesisHash: genesis.hash, contracts: contracts.fingerprint, block };
    await beginCursor(this.#db, client.chainId, cursor, new Date(clock.now()));
    return await this.cursor();
  }

  /** What was indexed before must be of this chain and of these contracts. */
  async #assertSameChain(cursor: Cursor): Promise<void> {
    const { client, contracts } = this.#options;
    if (cursor.contracts !== contracts.fingerprint) {
      throw new ChainFault(
        `the database holds the events of other contracts (${cursor.contracts}), the settings name ${contracts.fingerprint}`,
      );
    }
    const genesis = await blockAt(client, 0);
    if (genesis?.hash !== cursor.genesisHash) {
      throw new ChainFault(
        `the chain was reset: its first block is ${genesis?.hash ?? "missing"}, that of the indexed chain was ${cursor.genesisHash}`,
      );
    }
  }

  /** The block that was indexed last is not part of the chain: everything after the common ancestor is taken back. */
  async #leaveBranch(cursor: Cursor, head: number): Promise<Step> {
    const { client } = this.#options;
    const kept = await keptBlocks(this.#db, client.chainId);
    let isFirst = true;
    for (const block of kept.filter(({ number }) => number <= head)) {
      const now = await blockAt(client, block.number);
      if (now?.hash === block.hash) {
        // Nothing else is at its height: the node has not come as far as another one was, or has lost blocks for good.
        if (isFirst && head === block.number) {
          throw new ChainFault(
            `the chain ends at block ${head}, but block ${cursor.block.number} was read already: waiting for it to go on`,
          );
        }
        const events = await undoAfter(this.#db, this.#change(cursor), block);
        this.#options.onAdvanced?.(block, head - client.confirmations);
        return { kind: "undone", events };
      }
      isFirst = false;
    }
    if (kept.every(({ number }) => number > head)) {
      throw new ChainFault(
        `the chain ends at block ${head}, far below block ${cursor.block.number}, which was read already`,
      );
    }
    const lowest = kept.at(-1)?.number ?? cursor.block.number;
    throw new ChainFault(
      `the chain was reorganised below block ${lowest}, deeper than the ${KEPT_BLOCKS} blocks that are kept`,
    );
  }

  async #read(cursor: Cursor, target: number): Promise<Step> {
    const { client, contracts } = this.#options;
    const to = Math.min(cursor.block.number + this.#range_blocks, target);
    const range = { before: cursor.block, to, keepFrom: target - KEPT_BLOCKS + 1 };
    let answer: Awaited<ReturnType<typeof readRange>>;
    try {
      answer = await readRange(client, contracts, range);
    } catch (error) {
      // Whatever it was, a smaller question is easier to answer.
      if (!(error instanceof ChainMoved)) this.#range_blocks = Math.max(1, Math.floor(this.#range_blocks / 2));
      throw error;
    }
    await applyRange(this.#db, this.#change(cursor), answer);
    this.#range_blocks = Math.min(MOST_BLOCKS, this.#range_blocks * 2);
    this.#ignoredLogs += answer.ignored;
    this.#options.onAdvanced?.(answer.blocks.at(-1)!, target);
    return { kind: "read", events: answer.logs.length };
  }

  #change(from: Cursor): Change {
    const { client, clock, listeners } = this.#options;
    return { chainId: client.chainId, from, listeners, now: new Date(clock.now()) };
  }
}

type Step =
  | { readonly kind: "current"; readonly head: number; readonly indexed: number | null }
  | { readonly kind: "read"; readonly events: number }
  | { readonly kind: "undone"; readonly events: number };
