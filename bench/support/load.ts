import { connect, type Socket } from "node:net";

export interface LoadResult {
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const HEADER_END = "\r\n\r\n";

/**
 * The length of the reply at the start of `text`, or undefined while it is incomplete. Throws unless its status is 200.
 */
function completeReply(text: string): number | undefined {
  const headerEnd = text.indexOf(HEADER_END);
  if (headerEnd === -1) return undefined;
  if (!text.startsWith("HTTP/1.1 200 ")) throw new Error(`the server refused: ${text.slice(0, 400)}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headerEnd))?.[1];
  if (length === undefined) throw new Error("the reply has no content-length");
  const end = headerEnd + HEADER_END.length + Number(length);
  return text.length >= end ? end : undefined;
}

function runConnection(
  socket: Socket,
  nextRequest: () => string | undefined,
  onReply: (took_ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let pending = "";
    let sentAt = 0;
    const send = () => {
      const request = nextRequest();
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request, "latin1");
    };
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      pending += chunk.toString("latin1");
      try {
        const end = completeReply(pending);
        if (end === undefined) return;
        pending = pending.slice(end);
      } catch (error) {
        reject(error);
        socket.destroy();
        return;
      }
      onReply(performance.now() - sentAt);
      send();
    });
    socket.on("connect", send);
  });
}

/** Sends what `nextRequest` returns, one after the other, and reports each reply; ends when there is nothing more. */
export type RunConnection = (
  nextRequest: () => string | undefined,
  onReply: (took_ms: number) => void,
) => Promise<void>;

/** Sends `total` requests over `connections` kept-alive sockets, one at a time on each, without pauses. */
export const load = (port: number, connections: number, total: number, makeRequest: () => string) =>
  loadOver(
    (nextRequest, onReply) => runConnection(connect({ port, host: "127.0.0.1", noDelay: true }), nextRequest, onReply),
    connections,
    total,
    makeRequest,
  );

/** The same over connections of any kind. */
export async function loadOver(
  run: RunConnection,
  connections: number,
  total: number,
  makeRequest: () => string,
): Promise<LoadResult> {
  let left = total;
  const latencies: number[] = [];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      run(
        () => (left-- > 0 ? makeRequest() : undefined),
        (took_ms) => latencies.push(took_ms),
      ),
    ),
  );
  const took_ms = performance.now() - begun;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: (latencies.length / took_ms) * 1000, p50_ms: at(0.5), p99_ms: at(0.99) };
}
