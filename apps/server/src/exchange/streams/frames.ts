/** RFC 6455: the final frame of a text message; frames of a server have no mask. */
const TEXT_FINAL = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

const headerBytes = (length: number) => (length < LENGTH_IN_16_BITS ? 2 : length < 65_536 ? 4 : 10);

function writeHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = TEXT_FINAL;
  if (length < LENGTH_IN_16_BITS) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    frames[at + 1] = LENGTH_IN_16_BITS;
    frames.writeUInt16BE(length, at + 2);
    return at + 4;
  }
  frames[at + 1] = LENGTH_IN_64_BITS;
  frames.writeUIntBE(0, at + 2, 2);
  frames.writeUIntBE(length, at + 4, 6);
  return at + 10;
}

/**
 * Encodes messages as consecutive WebSocket frames. They are built once and written unchanged to every subscriber's
 * socket.
 */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const total = lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0);
  const frames = Buffer.allocUnsafe(total);
  let at = 0;
  for (const [place, text] of texts.entries()) {
    at = writeHeader(frames, at, lengths[place]!);
    at += frames.write(text, at, "utf8");
  }
  return frames;
}
