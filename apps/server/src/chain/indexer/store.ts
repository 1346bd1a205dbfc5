/** The indexer's SQL. */
import type { Hex } from "viem";
import type { Tx } from "../../kernel/database/database.ts";
import type { ChainBlock, LocatedLog } from "./block-range.ts";
import { decodeLog, eventFrom } from "./contract-logs.ts";
import type { ChainEvent, ChainListener } from "./listener.ts";
import type { EventRow, IndexerDb, IndexerTables, IndexerTx } from "./tables.ts";

/** ERN-9: the number of last blocks that are kept, and so the maximum depth of a reorganisation. */
export const KEPT_BLOCKS = 64;

/** Rows per statement: the number of parameters is limited. */
const MAX_ROWS = 1_000;

export interface Cursor {
  readonly genesisHash: Hex;
  readonly contracts: string;
  readonly block: ChainBlock;
}

const blockOf = (row: { number: bigint; hash: string; time: Date }): ChainBlock => ({
  number: Number(row.number),
  hash: row.hash as Hex,
  time_ms: row.time.getTime(),
});

export async function readCursor(db: IndexerDb | IndexerTx, chainId: number): Promise<Cursor | undefined> {
  const row = await db
    .selectFrom("chain_cursor")
    .selectAll()
    .where("chain_id", "=", BigInt(chainId))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { genesis_hash, contracts, block_number, block_hash, block_time } = row;
  const block = blockOf({ number: block_number, hash: block_hash, time: block_time });
  return { genesisHash: genesis_hash as Hex, contracts, block };
}

/** Stores the first cursor. Of several processes the first one wins. */
export async function beginCursor(db: IndexerDb, chainId: number, cursor: Cursor, now: Date): Promise<void> {
  const { genesisHash, contracts, block } = cursor;
  await db.transaction().execute(async (tx) => {
    const begun = await tx
      .insertInto("chain_cursor")
      .values({
        chain_id: chainId,
        genesis_hash: genesisHash,
        contracts,
        block_number: block.number,
        block_hash: block.hash,
        block_time: new Date(block.time_ms),
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column("chain_id").doNothing())
      .returning("chain_id")
      .executeTakeFirst();
    if (begun !== undefined) await keepBlocks(tx, chainId, [block]);
  });
}

/** The kept blocks, highest first. */
export async function keptBlocks(db: IndexerDb, chainId: number): Promise<ChainBlock[]> {
  const rows = await db
    .selectFrom("chain_block")
    .select(["number", "hash", "time"])
    .where("chain_id", "=", BigInt(chainId))
    .orderBy("number", "desc")
    .execute();
  return rows.map(blockOf);
}

/** Another process has moved the cursor meanwhile: the blocks read are obsolete. */
export class CursorMoved extends Error {
  constructor() {
    super("the chain's cursor was moved by another process");
    this.name = "CursorMoved";
  }
}

/** Locks the cursor until the transaction ends, if it has not moved since the chain was read. */
async function lockCursor(tx: IndexerTx, chainId: number, { block }: Cursor): Promise<void> {
  const row = await tx
    .selectFrom("chain_cursor")
    .select(["block_number", "block_hash"])
    .where("chain_id", "=", BigInt(chainId))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || Number(row.block_number) !== block.number || row.block_hash !== block.hash) {
    throw new CursorMoved();
  }
}

async function moveCursor(tx: IndexerTx, chainId: number, block: ChainBlock, now: Date): Promise<void> {
  await tx
    .updateTable("chain_cursor")
    .set({
      block_number: block.number,
      block_hash: block.hash,
      block_time: new Date(block.time_ms),
      updated_at: now,
    })
    .where("chain_id", "=", BigInt(chainId))
    .execute();
}

async function keepBlocks(tx: IndexerTx, chainId: number, blocks: readonly ChainBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  const rows = blocks.map(({ number, hash, time_ms }) => ({
    chain_id: chainId,
    number,
    hash,
    time: new Date(time_ms),
  }));
  await tx.insertInto("chain_block").values(rows).execute();
}

async function insertEvents(tx: IndexerTx, chainId: number, logs: readonly LocatedLog[]): Promise<void> {
  for (let from = 0; from < logs.length; from += MAX_ROWS) {
    const rows = logs.slice(from, from + MAX_ROWS).map(({ event, topics, data }) => ({
      chain_id: chainId,
      tx_hash: event.transactionHash,
      log_index: event.logIndex,
      block_number: event.blockNumber,
      block_hash: event.blockHash,
      block_time: new Date(event.blockTime_ms),
      contract: event.contract,
      name: event.name,
      ordinal: event.ordinal,
      topics: JSON.stringify(topics),
      data,
    }));
    await tx.insertInto("chain_event").values(rows).execute();
  }
}

export interface Change {
  readonly chainId: number;
  /** The cursor's expected position. */
  readonly from: Cursor;
  readonly listeners: readonly ChainListener[];
  readonly now: Date;
}

export interface RangeRead {
  readonly logs: readonly LocatedLog[];
  /** Lowest first; the last one is the cursor's next position. */
  readonly blocks: readonly ChainBlock[];
}

/** Applies a range of blocks in one transaction: events, listeners, blocks and cursor. */
export async function applyRange(db: IndexerDb, change: Change, { logs, blocks }: RangeRead): Promise<void> {
  const { chainId, from, listeners, now } = change;
  const end = blocks.at(-1)!;
  await db.transaction().execute(async (tx) => {
    await lockCursor(tx, chainId, from);
    await insertEvents(tx, chainId, logs);
    const events = logs.map(({ event }) => event);
    if (events.length > 0) for (const listener of listeners) await listener.apply(asKernelTx(tx), events);
    await keepBlocks(tx, chainId, blocks);
    await tx
      .deleteFrom("chain_block")
      .where("chain_id", "=", BigInt(chainId))
      .where("number", "<=", BigInt(end.number - KEPT_BLOCKS))
      .execute();
    await moveCursor(tx, chainId, end, now);
  });
}

/** Reverts everything after the block, newest first, and returns the number of events. */
export async function undoAfter(db: IndexerDb, change: Change, ancestor: ChainBlock): Promise<number> {
  const { chainId, from, listeners, now } = change;
  return await db.transaction().execute(async (tx) => {
    await lockCursor(tx, chainId, from);
    const rows = await tx
      .selectFrom("chain_event")
      .selectAll()
      .where("chain_id", "=", BigInt(chainId))
      .where("block_number", ">", BigInt(ancestor.number))
      .orderBy("block_number", "desc")
      .orderBy("log_index", "desc")
      .execute();
    const events = rows.map(eventOf);
    // Listeners undo in reverse order.
    if (events.length > 0) for (const listener of listeners.toReversed()) await listener.undo(asKernelTx(tx), events);
    await tx
      .deleteFrom("chain_event")
      .where("chain_id", "=", BigInt(chainId))
      .where("block_number", ">", BigInt(ancestor.number))
      .execute();
    await tx
      .deleteFrom("chain_block")
      .where("chain_id", "=", BigInt(chainId))
      .where("number", ">=", BigInt(ancestor.number))
      .execute();
    await keepBlocks(tx, chainId, [ancestor]);
    await moveCursor(tx, chainId, ancestor, now);
    return events.length;
  });
}

/** Decodes the stored log again, so that the event is the same as when it was applied. */
export function eventOf(row: EventRow): ChainEvent {
  const topics = row.topics as readonly Hex[];
  const decoded = decodeLog(row.contract, { topics, data: row.data as Hex });
  if (decoded === undefined) throw new Error(`the event ${row.tx_hash}:${row.log_index} can no longer be decoded`);
  return eventFrom(decoded, {
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash as Hex,
    blockTime_ms: row.block_time.getTime(),
    transactionHash: row.tx_hash as Hex,
    logIndex: row.log_index,
    ordinal: row.ordinal,
  });
}

/** Listeners add the types of their own tables. */
const asKernelTx = (tx: IndexerTx): Tx => tx as unknown as Tx satisfies Tx & { readonly _?: IndexerTables };
