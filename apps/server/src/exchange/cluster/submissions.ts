import { ByteReader, CodecFault, type Command, decodeCommand } from "@bourse/engine";

/*
 * What followers send to the leader. A sender numbers its commands from 1 and sends them again until they appear in the
 * log or are refused; the leader accepts each number once, in order. So lost, repeated and overtaken messages have no
 * effect.
 */

export interface SubmittedCommand {
  readonly request: number;
  /** FUT-17. */
  readonly isExempt: boolean;
  /** The record as it will be logged, except for its time. */
  readonly bytes: Uint8Array;
}

export interface Submission {
  readonly sender: number;
  /** The sender's clock. */
  readonly now_ms: number;
  /** The lowest number that the sender still waits for. */
  readonly oldest: number;
  readonly commands: readonly SubmittedCommand[];
}

const HEADER_bytes = 28;
const COMMAND_HEADER_bytes = 13;

export const submittedLength = (bytes: Uint8Array) => COMMAND_HEADER_bytes + bytes.length;

export function encodeSubmission({ sender, now_ms, oldest, commands }: Submission): Uint8Array {
  const length = commands.reduce((sum, { bytes }) => sum + submittedLength(bytes), HEADER_bytes);
  const message = Buffer.alloc(length);
  message.writeDoubleLE(sender, 0);
  message.writeDoubleLE(now_ms, 8);
  message.writeDoubleLE(oldest, 16);
  message.writeUInt32LE(commands.length, 24);
  let at = HEADER_bytes;
  for (const { request, isExempt, bytes } of commands) {
    message.writeDoubleLE(request, at);
    message.writeUInt8(isExempt ? 1 : 0, at + 8);
    message.writeUInt32LE(bytes.length, at + 9);
    message.set(bytes, at + COMMAND_HEADER_bytes);
    at += submittedLength(bytes);
  }
  return message;
}

/** Throws a `CodecFault` for a message that is too short or too long. */
export function decodeSubmission(message: Uint8Array): Submission {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (bytes.length < HEADER_bytes) throw new CodecFault("a submission without its header");
  const count = bytes.readUInt32LE(24);
  const commands: SubmittedCommand[] = [];
  let at = HEADER_bytes;
  for (let place = 0; place < count; place += 1) {
    if (at + COMMAND_HEADER_bytes > bytes.length) throw new CodecFault("a submission that is cut");
    const end = at + COMMAND_HEADER_bytes + bytes.readUInt32LE(at + 9);
    if (end > bytes.length) throw new CodecFault("a submission that is cut");
    commands.push({
      request: bytes.readDoubleLE(at),
      isExempt: bytes.readUInt8(at + 8) === 1,
      bytes: bytes.subarray(at + COMMAND_HEADER_bytes, end),
    });
    at = end;
  }
  if (at !== bytes.length) throw new CodecFault(`${bytes.length - at} bytes too many`);
  return { sender: bytes.readDoubleLE(0), now_ms: bytes.readDoubleLE(8), oldest: bytes.readDoubleLE(16), commands };
}

/** Decodes a record of the log or of a submission. */
export function commandOf(bytes: Uint8Array): Command {
  const reader = new ByteReader(bytes);
  const command = decodeCommand(reader);
  if (reader.remaining > 0) throw new CodecFault(`${reader.remaining} bytes too many`);
  return command;
}

/** The leader's answers to a sender. Accepted commands are not answered; they appear in the log. */
export type Answer =
  /** FUT-17: the command is refused. */
  | { readonly kind: "overloaded"; readonly request: number }
  /** Commands were lost on the way; the sender must send everything from this number on again. */
  | { readonly kind: "again"; readonly from: number };
