/*
 * The format of a log of commands: magic, codec version, engine version, number of the first command (two words); then records of
 * length, CRC-32 and the command's bytes. All words are 32 bits, little-endian.
 */

export const MAGIC = "BOURSLOG";
export const HEADER_bytes = MAGIC.length + 16;
export const FRAME_bytes = 8;
export const WORD_END = 2 ** 32;

/** A log that cannot be read; the message says where and why. */
export class LogFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LogFault";
  }
}
