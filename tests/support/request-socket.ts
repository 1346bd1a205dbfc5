import assert from "node:assert/strict";
import { WebSocket } from "ws";

export interface SocketReply<Result = unknown> {
  readonly id: number;
  readonly status: number;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly msg: string };
}

/** The connection ended before the reply: whether the request was done is unknown. */
export class ConnectionLost extends Error {}

interface Waiting {
  readonly resolve: (reply: SocketReply) => void;
  readonly reject: (error: Error) => void;
}

/** A client of /ws-fapi/v1 with many requests in flight, which fails if one is answered twice. */
export class RequestSocket {
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  /** The code and reason with which the connection ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #lastId = 0;
  #surprise: string | undefined;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data) => this.#onReply(String(data)));
    // What matters of an error is that the connection ends.
    ws.on("error", () => ws.terminate());
    this.closed = new Promise((resolve) => {
      ws.on("close", (code, reason) => {
        for (const { reject } of this.#waiting.values()) reject(new ConnectionLost("closed before the reply"));
        this.#waiting.clear();
        resolve({ code, reason: String(reason) });
      });
    });
  }

  static async connect(baseUrl: string): Promise<RequestSocket> {
    const ws = new WebSocket(`${baseUrl.replace("http", "ws")}/ws-fapi/v1?returnRateLimits=false`);
    await new Promise((resolve, reject) => {
      ws.once("open", resolve);
      ws.once("error", reject);
    });
    return new RequestSocket(ws);
  }

  /** Requests without a reply. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  ask<Result>(method: string, params: Readonly<Record<string, string>>): Promise<SocketReply<Result>> {
    if (this.#ws.readyState !== WebSocket.OPEN) return Promise.reject(new ConnectionLost("closed before the request"));
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<SocketReply>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#ws.send(JSON.stringify({ id, method, params }));
    return answered as Promise<SocketReply<Result>>;
  }

  /** Throws if a reply came that nobody waited for. */
  assertEachAnsweredOnce(): void {
    assert.equal(this.#surprise, undefined);
  }

  close(): void {
    this.#ws.close();
  }

  #onReply(text: string): void {
    const reply = JSON.parse(text) as SocketReply;
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) this.#surprise ??= text;
    this.#waiting.delete(reply.id);
    waiting?.resolve(reply);
  }
}
