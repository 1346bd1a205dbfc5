import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";

/** Bytes of frames that no library would send, and the codes with which a server may close. */
export interface RawFrames {
  readonly kind: string;
  readonly bytes: Buffer;
  /** Codes of the answer; empty if the connection may continue or end. */
  readonly codes: readonly number[];
}

interface FrameOptions {
  readonly opcode: number;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
  readonly says_bytes?: number;
}

const MASK = Buffer.from([1, 2, 3, 4]);
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];

export function frame(payload: Buffer, options: FrameOptions): Buffer {
  const { opcode, isFinal = true, isMasked = true, reserved = 0, says_bytes = payload.length } = options;
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = isMasked ? 0x80 : 0;
  const length =
    says_bytes < 126
      ? Buffer.from([first, mask | says_bytes])
      : says_bytes < 65_536
        ? Buffer.from([first, mask | 126, says_bytes >> 8, says_bytes & 0xff])
        : Buffer.concat([Buffer.from([first, mask | 127, 0, 0, 0, 0]), uint32(says_bytes)]);
  const body = isMasked ? payload.map((byte, at) => byte ^ MASK[at % 4]!) : payload;
  return Buffer.concat(isMasked ? [length, MASK, body] : [length, body]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const PING_TEXT = Buffer.from('{"type":"ping"}');
const closeWith = (code: number, reason = "") =>
  Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
const MUST_FAIL = [1002];
const TOO_BIG = [1009];

const KINDS: Readonly<Record<string, (prng: Prng) => readonly [Buffer, readonly number[]]>> = {
  "binary frame": () => [frame(PING_TEXT, { opcode: BINARY }), [1003]],
  "frame without a mask": () => [frame(PING_TEXT, { opcode: TEXT, isMasked: false }), MUST_FAIL],
  "reserved bits": (prng) => [frame(PING_TEXT, { opcode: TEXT, reserved: prng.between(1, 7) }), MUST_FAIL],
  "reserved opcode": (prng) => [frame(PING_TEXT, { opcode: prng.pick([3, 4, 5, 6, 7, 11, 12, 15]) }), MUST_FAIL],
  "text that is no UTF-8": () => [frame(Buffer.from([0xff, 0xfe, 0xc0]), { opcode: TEXT }), [1007]],
  "a continuation of nothing": () => [frame(PING_TEXT, { opcode: CONTINUATION }), MUST_FAIL],
  "a new message within another": () => [
    Buffer.concat([frame(PING_TEXT, { opcode: TEXT, isFinal: false }), frame(PING_TEXT, { opcode: TEXT })]),
    MUST_FAIL,
  ],
  "fragments too large in all": () => [
    Buffer.concat(
      Array.from({ length: 6 }, (_, at) =>
        frame(Buffer.alloc(1_000, 32), { opcode: at === 0 ? TEXT : CONTINUATION, isFinal: false }),
      ),
    ),
    TOO_BIG,
  ],
  "too large": (prng) => [frame(Buffer.alloc(prng.pick([4_097, 70_000]), 32), { opcode: TEXT }), TOO_BIG],
  "says that it is huge": () => [frame(Buffer.alloc(10), { opcode: TEXT, says_bytes: 2 ** 31 - 1 }), TOO_BIG],
  "a ping too large": () => [frame(Buffer.alloc(126), { opcode: PING }), MUST_FAIL],
  "a ping in pieces": () => [frame(PING_TEXT, { opcode: PING, isFinal: false }), MUST_FAIL],
  "a close with a code that is none": (prng) => [
    frame(closeWith(prng.pick([0, 999, 1004, 1005, 1006, 1015, 2_999, 5_000])), { opcode: CLOSE }),
    MUST_FAIL,
  ],
  "a close with half a code": () => [frame(Buffer.from([3]), { opcode: CLOSE }), MUST_FAIL],
  "a close whose reason is no UTF-8": () => [
    frame(Buffer.concat([closeWith(1000), Buffer.from([0xff])]), { opcode: CLOSE }),
    [1002, 1007],
  ],
  "a proper close": () => [frame(closeWith(1000, "bye"), { opcode: CLOSE }), [1000]],
  "unsolicited pongs": () => [Buffer.concat(Array.from({ length: 50 }, () => frame(PING_TEXT, { opcode: PONG }))), []],
  "a frame cut off": (prng) => [frame(PING_TEXT, { opcode: TEXT }).subarray(0, prng.between(1, 20)), []],
  "a flood of pings": () => [
    Buffer.concat(Array.from({ length: 60 }, () => frame(Buffer.alloc(4), { opcode: PING }))),
    [1008],
  ],
  "a flood of messages": () => [
    Buffer.concat(Array.from({ length: 60 }, () => frame(PING_TEXT, { opcode: TEXT }))),
    [1008],
  ],
  "a message in single bytes": () => [
    Buffer.concat(
      [...PING_TEXT].map((byte, at) =>
        frame(Buffer.from([byte]), { opcode: at === 0 ? TEXT : CONTINUATION, isFinal: at === PING_TEXT.length - 1 }),
      ),
    ),
    [],
  ],
  noise: (prng) => [Buffer.from(Array.from({ length: prng.between(1, 400) }, () => prng.below(256))), []],
};

export const RAW_KINDS = Object.keys(KINDS);

export function makeRawFrames(prng: Prng): RawFrames {
  const [kind, make] = prng.pick(Object.entries(KINDS));
  const [bytes, codes] = make(prng);
  return { kind, bytes, codes };
}
