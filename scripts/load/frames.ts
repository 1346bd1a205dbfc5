const MAX_SHORT = 125;
const LENGTH_16 = 126;

export const TEXT = 1;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** The parts of a WebSocket frame from a server, which does not mask. */
export type FrameListener = (opcode: number, payload: Buffer) => void;

/** Calls back for every complete frame, and returns the offset of the first incomplete one. */
export function readFrames(bytes: Buffer, onFrame: FrameListener): number {
  let at = 0;
  for (;;) {
    if (bytes.length - at < 2) return at;
    const short = bytes[at + 1]! & 0x7f;
    const header = short <= MAX_SHORT ? 2 : short === LENGTH_16 ? 4 : 10;
    if (bytes.length - at < header) return at;
    const length =
      short <= MAX_SHORT
        ? short
        : short === LENGTH_16
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + header + length;
    if (bytes.length < end) return at;
    onFrame(bytes[at]! & 0x0f, bytes.subarray(at + header, end));
    at = end;
  }
}

/** A frame of a client has to be masked; a mask of zeros is valid. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

const DIGIT_ZERO = 48;

/** The whole number directly behind the first occurrence of the text; undefined if there is none. */
export function numberAfter(payload: Buffer, text: string): number | undefined {
  const found = payload.indexOf(text, 0, "latin1");
  if (found === -1) return undefined;
  let value = 0;
  for (let at = found + text.length; at < payload.length; at += 1) {
    const digit = payload[at]! - DIGIT_ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
}

/** The event's own time in a message of a stream; undefined if it has none. */
export const eventTime_ms = (payload: Buffer): number | undefined => numberAfter(payload, '"E":');
