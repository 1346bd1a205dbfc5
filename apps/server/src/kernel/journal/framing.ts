import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { disclosureLength, hasDisclosure } from "@bourse/engine";
import type { LogBuffer } from "./log-buffer.ts";
import { BLOCK_bytes, FRAME, NUMBER_bytes, PRIVATE, WORD_END } from "./log-format.ts";

/** How the records of one call of `append` become bytes. */
export interface Framing {
  /** After the last frame; undefined where frames are not chained. */
  readonly chain: Buffer | undefined;
  write(buffer: LogBuffer, records: readonly Uint8Array[], firstNumber: number): void;
}

/** Format 1: every record has its own checksum. */
export const plainFraming: Framing = {
  chain: undefined,
  write(buffer, records) {
    for (const record of records) buffer.record(record);
  },
};

/** One call of `hash` over a copy of both takes half as long as a hash object that is fed twice. */
export function chainAfter(previous: Uint8Array, content: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([previous, content]), "buffer");
}

/** Format 2 (PRF-1): the records of one call are one frame, which carries the chain. */
export class ChainedFraming implements Framing {
  #chain: Buffer;

  constructor(chain: Buffer) {
    this.#chain = chain;
  }

  get chain(): Buffer {
    return this.#chain;
  }

  write(buffer: LogBuffer, records: readonly Uint8Array[], firstNumber: number): void {
    const disclosures = records.some(hasDisclosure) ? records.map(disclosureLength) : undefined;
    if (disclosures !== undefined) writePrivate(buffer, records, disclosures, firstNumber);
    const start = buffer.extend(BLOCK_bytes);
    writeNumber(buffer, firstNumber);
    for (let place = 0; place < records.length; place += 1) {
      const record = records[place]!;
      const hidden_bytes = disclosures?.[place] ?? 0;
      buffer.sized(hidden_bytes === 0 ? record : record.subarray(hidden_bytes));
    }
    this.#chain = chainAfter(this.#chain, buffer.bytes.subarray(start + BLOCK_bytes));
    buffer.raw(this.#chain);
    finishBlock(buffer, start, FRAME);
  }
}

function writePrivate(
  buffer: LogBuffer,
  records: readonly Uint8Array[],
  lengths: readonly number[],
  firstNumber: number,
): void {
  const start = buffer.extend(BLOCK_bytes);
  for (const [place, length] of lengths.entries()) {
    if (length === 0) continue;
    writeNumber(buffer, firstNumber + place);
    buffer.sized(records[place]!.subarray(0, length));
  }
  finishBlock(buffer, start, PRIVATE);
}

function writeNumber(buffer: LogBuffer, number: number): void {
  const at = buffer.extend(NUMBER_bytes);
  buffer.bytes.writeUInt32LE(number % WORD_END, at);
  buffer.bytes.writeUInt32LE(Math.floor(number / WORD_END), at + 4);
}

function finishBlock(buffer: LogBuffer, start: number, type: number): void {
  const { bytes } = buffer;
  const content = bytes.subarray(start + BLOCK_bytes);
  bytes[start] = type;
  bytes.writeUInt32LE(content.length, start + 1);
  bytes.writeUInt32LE(crc32(content), start + 5);
}
