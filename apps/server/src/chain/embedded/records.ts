import type { Hex } from "viem";
import { LogFault } from "../../kernel/journal/log-format.ts";

/*
 * The records of the chain's log. A record is a letter and then, little-endian: for the genesis its magic, chain id, timestamp and
 * hash; for a block its number, timestamp, prevRandao, hash and its transactions, each after its length; for a rewind the number
 * and hash of the block that becomes the last one.
 */

export interface GenesisRecord {
  readonly kind: "genesis";
  readonly chainId: number;
  readonly timestamp_s: number;
  readonly hash: Hex;
}

/** All inputs needed to make the block again, and the hash that must result. */
export interface BlockRecord {
  readonly kind: "block";
  readonly number: number;
  readonly timestamp_s: number;
  readonly prevRandao: Hex;
  readonly hash: Hex;
  readonly transactions: readonly Hex[];
}

export interface RewindRecord {
  readonly kind: "rewind";
  readonly number: number;
  readonly hash: Hex;
}

export type ChainRecord = GenesisRecord | BlockRecord | RewindRecord;

const MAGIC = "BOURSE CHAIN 1";
const GENESIS = "G".charCodeAt(0);
const BLOCK = "B".charCodeAt(0);
const REWIND = "R".charCodeAt(0);
const HASH_bytes = 32;
const NUMBER_bytes = 8;
const LENGTH_bytes = 4;

/** The size of a block's record without its transactions. */
export const BLOCK_HEAD_bytes = 1 + 2 * NUMBER_bytes + 2 * HASH_bytes;
/** The overhead of each transaction in a record. */
export const TRANSACTION_HEAD_bytes = LENGTH_bytes;

export const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), "hex");
export const byteLength = (hex: Hex) => (hex.length - 2) / 2;
const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_bytes);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function transactionBytes(raw: Hex): Buffer {
  const bytes = bytesOf(raw);
  const length = Buffer.alloc(LENGTH_bytes);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function encodeRecord(record: ChainRecord): Buffer {
  switch (record.kind) {
    case "genesis": {
      const numbers = [numberBytes(record.chainId), numberBytes(record.timestamp_s)];
      return Buffer.concat([Buffer.of(GENESIS), Buffer.from(MAGIC, "latin1"), ...numbers, bytesOf(record.hash)]);
    }
    case "block": {
      const numbers = [numberBytes(record.number), numberBytes(record.timestamp_s)];
      const hashes = [bytesOf(record.prevRandao), bytesOf(record.hash)];
      return Buffer.concat([Buffer.of(BLOCK), ...numbers, ...hashes, ...record.transactions.map(transactionBytes)]);
    }
    case "rewind":
      return Buffer.concat([Buffer.of(REWIND), numberBytes(record.number), bytesOf(record.hash)]);
  }
}

/** Reads a record from its beginning. */
class Cursor {
  readonly #bytes: Buffer;
  #at = 1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Buffer {
    if (count > this.remaining) throw new LogFault("a record of the chain's log is too short");
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }

  number(): number {
    return Number(this.take(NUMBER_bytes).readBigUInt64LE());
  }

  hash(): Hex {
    return hexOf(this.take(HASH_bytes));
  }

  transactions(): Hex[] {
    const found: Hex[] = [];
    while (this.remaining > 0) found.push(hexOf(this.take(this.take(LENGTH_bytes).readUInt32LE())));
    return found;
  }
}

function decodeBody(letter: number | undefined, cursor: Cursor): ChainRecord {
  if (letter === GENESIS && cursor.take(MAGIC.length).toString("latin1") === MAGIC) {
    return { kind: "genesis", chainId: cursor.number(), timestamp_s: cursor.number(), hash: cursor.hash() };
  }
  if (letter === BLOCK) {
    const [number, timestamp_s] = [cursor.number(), cursor.number()];
    const [prevRandao, hash] = [cursor.hash(), cursor.hash()];
    return { kind: "block", number, timestamp_s, prevRandao, hash, transactions: cursor.transactions() };
  }
  if (letter === REWIND) return { kind: "rewind", number: cursor.number(), hash: cursor.hash() };
  throw new LogFault("a record of the chain's log is of no known kind");
}

export function decodeRecord(bytes: Buffer): ChainRecord {
  const cursor = new Cursor(bytes);
  const record = decodeBody(bytes[0], cursor);
  if (cursor.remaining > 0) throw new LogFault(`a record of the chain's log has ${cursor.remaining} bytes too many`);
  return record;
}
