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

/** ERN-9: nodes refuse larger ranges. */
export const MAX_BLOCKS = 2_000;

/** A problem that the indexer must not decide by itself: an operator must act (see docs/rules/chain.md). */
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
  /** In the order in which they get events. */
  readonly listeners: readonly ChainListener[];
  /** The first block that can contain an event of the contracts. */
  readonly startBlock?: number;
  /** Called after each transaction, with the block up to which everything is applied. */
  readonly onAdvanced?: (block: ChainBlock, target: number) => void;
}

/** The result of one read of the chain. */
export interface SyncReport {
  readonly head_block: number;
  /** Null while the chain has not reached the first block. */
  readonly indexed_block: number | null;
  readonly events: number;
  readonly undone_events: number;
  readonly rewinds: number;
}

/** How often the read is repeated if the chain is reorganised meanwhile. */
const MAX_MOVES = 10;

/**
 * ERN-9: follows the contracts' events. Its position is in the database and moves in the transaction that applies the events, so a
 * crash loses and repeats nothing. In memory it keeps only the size of its next range.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #db: IndexerDb;
  #range_blocks = MAX_BLOCKS;
  #ignoredLogs = 0;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#db = indexerDb(options.database);
  }

  /** For metrics: the number of the contracts' logs that are unknown events, since the start. */
  get ignoredLogs(): number {
    return this.#ignoredLogs;
  }

  /** The position; undefined before the first read. */
  async cursor(): Promise<Cursor | undefined> {
    return await readCursor(this.#db, this.#options.client.chainId);
  }

  /**
   * Reads and applies all final blocks, range by range, until `isStopped`. One call at a time. Rejects with a ChainFault, or as the
   * RPC does.
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
        if (moves >= MAX_MOVES) throw error;
      }
    }
  }

  /**
   * Reverts everything after the block, so that it is read again. For operators, after a reorganisation deeper than the kept
   * blocks. Returns the number of reverted events.
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
      // After a start there may be nothing to read: the stored position counts.
      this.#options.onAdvanced?.(own, target);
      return { kind: "current", head: head.number, indexed: cursor.block.number };
    }
    return await this.#read(cursor, target);
  }

  /** Begins right before the first block of interest, as soon as that block is final. */
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

  /** The stored position must belong to this chain and these contracts. */
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

  /** The last indexed block is not part of the chain: everything after the common ancestor is reverted. */
  async #leaveBranch(cursor: Cursor, head: number): Promise<Step> {
    const { client } = this.#options;
    const kept = await keptBlocks(this.#db, client.chainId);
    let isFirst = true;
    for (const block of kept.filter(({ number }) => number <= head)) {
      const now = await blockAt(client, block.number);
      if (now?.hash === block.hash) {
        // The node has no other block at this height: it is behind another node, or has lost blocks permanently.
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
      // A smaller range is more likely to succeed.
      if (!(error instanceof ChainMoved)) this.#range_blocks = Math.max(1, Math.floor(this.#range_blocks / 2));
      throw error;
    }
    await applyRange(this.#db, this.#change(cursor), answer);
    this.#range_blocks = Math.min(MAX_BLOCKS, this.#range_blocks * 2);
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
