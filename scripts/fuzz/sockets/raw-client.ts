import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

const ANSWER_LIMIT_ms = 30_000;
const QUIET_ms = 150;
const CLOSE = 0x88;

/** What was received until the other side closed, or sent nothing for a moment. */
export interface RawAnswer {
  readonly bytes: Buffer;
  readonly isClosed: boolean;
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Sends bytes and collects the answer. A reset is a valid end, because this client broke the rules. */
export function exchangeBytes(socket: Socket, bytes: Buffer, isDone: (got: Buffer) => boolean): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const got: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const finish = (isClosed: boolean) => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.removeAllListeners("data");
      resolve({ bytes: Buffer.concat(got), isClosed });
    };
    const limit = setTimeout(() => finish(false), ANSWER_LIMIT_ms);
    socket.on("error", () => undefined);
    socket.once("close", () => finish(true));
    socket.on("data", (piece) => {
      got.push(piece);
      clearTimeout(quiet);
      if (isDone(Buffer.concat(got))) quiet = setTimeout(() => finish(false), QUIET_ms);
    });
    socket.write(bytes);
  });
}

export function upgradeRequest(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const all: Record<string, string> = {
    Host: "127.0.0.1:8080",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
}

/** The code of the close frame at the end of the received bytes; undefined if there is none. */
export function closeCode(bytes: Buffer): number | undefined {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]! & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (at + head > bytes.length) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? bytes.readUInt32BE(at + 6) : short;
    if (bytes[at] === CLOSE) return length >= 2 ? bytes.readUInt16BE(at + head) : 1005;
    at += head + length;
  }
  return undefined;
}
