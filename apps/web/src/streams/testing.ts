import type { TestContext } from "node:test";
import type { StreamRequest } from "@bourse/api/client";
import { type SocketLike, Transport } from "./transport.ts";

/** The other end of a socket, for tests. */
export class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  readonly sent: StreamRequest[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as StreamRequest);
  }

  close(): void {
    this.isClosed = true;
  }

  /** As the server would push it. */
  push(...messages: readonly object[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** What was asked for, without the pings. */
  asked(type: StreamRequest["type"]): readonly string[] {
    return this.sent
      .filter((request) => request.type === type)
      .map((request) => ("channel" in request ? request.channel : request.type));
  }
}

/** A transport whose sockets a test opens, feeds and breaks, with time that stands still until it is moved. */
export function fakeTransport(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const sockets: FakeSocket[] = [];
  const faults: Error[] = [];
  const transport = new Transport({
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    onFault: (error) => faults.push(error),
  });
  const socket = () => sockets.at(-1)!;
  const connect = () => {
    socket().onopen?.();
    return socket();
  };
  return {
    transport,
    sockets,
    socket,
    connect,
    faults,
    pass: (duration_ms: number) => t.mock.timers.tick(duration_ms),
  };
}

/** Lets promises that are settled already have their effect. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
