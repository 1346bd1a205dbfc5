/** Requests as bytes that no client library would send. */
import { once } from "node:events";
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export async function sendRaw(port: number, text: string | Buffer): Promise<RawReply> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "connect");
  // Not ended, because the server treats a half-closed connection as closed.
  socket.write(text);
  socket.setTimeout(5_000, () => socket.destroy(new Error("the server keeps waiting")));
  await once(socket, "close");
  const reply = Buffer.concat(chunks).toString("latin1");
  const split = reply.indexOf("\r\n\r\n");
  const [head, body] = [reply.slice(0, split), reply.slice(split + 4)];
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body };
}

/** A request of a line, a host and the given headers, unchanged. */
export const rawRequest = (line: string, ...headers: string[]): string =>
  [line, "Host: 127.0.0.1:8080", "Connection: close", ...headers, "", ""].join("\r\n");
