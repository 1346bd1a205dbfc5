import { ByteWriter, CodecFault, type Command, encodeCommand } from "@bourse/engine";
import { MAX_RECORD_bytes } from "../../kernel/journal/command-log.ts";
import type { Unstamped } from "./exchange.ts";

/**
 * Appends a command to the writer. Throws a `CodecFault`, and leaves the writer unchanged, for a command that cannot be
 * encoded.
 */
export function encodeRecord(command: Command, writer: ByteWriter): void {
  const start = writer.length;
  encodeCommand(command, writer);
  const length = writer.length - start;
  if (length <= MAX_RECORD_bytes) return;
  writer.cutTo(start);
  throw new CodecFault(`a command of ${length} bytes is too large`);
}

/** Whether the command can be encoded. */
export function isWritable(command: Unstamped): boolean {
  try {
    encodeRecord({ ...command, time_ms: 0 } as Command, new ByteWriter());
    return true;
  } catch (error) {
    if (error instanceof CodecFault) return false;
    throw error;
  }
}
