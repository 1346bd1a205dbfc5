import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type Owner, onCleanup } from "./cleanup.ts";

export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
  /** The delay of the server's answers. */
  readonly latency_ms?: number;
}

/** A relay in front of a server, which a test can cut and restore. */
export class TcpProxy {
  #target: ProxyTarget;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #isSilent = false;

  private constructor(target: ProxyTarget) {
    this.#target = target;
  }

  static async open(owner: Owner, target: ProxyTarget): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.restore();
    onCleanup(owner, () => proxy.cut());
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Leads new connections to another server, and breaks the old ones. */
  pointTo(target: ProxyTarget): void {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks every connection and refuses new ones, like a stopped server. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Still accepts connections and data, but sends nothing, like a broken network. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Accepts connections again, on the same port. */
  async restore(): Promise<void> {
    this.#isSilent = false;
    if (this.#server !== undefined) {
      for (const socket of this.#sockets) socket.resume();
      return;
    }
    const server = createServer((client) => this.#relay(client)).listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as { port: number }).port;
  }

  #relay(client: Socket): void {
    const { host, port, latency_ms = 0 } = this.#target;
    const target = connect({ host, port });
    client.on("data", (bytes) => target.write(bytes));
    target.on("data", (bytes) => {
      if (latency_ms === 0) client.write(bytes);
      else setTimeout(() => client.write(bytes), latency_ms);
    });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      // If one side breaks, the other is closed; there is nothing to report.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isSilent) from.pause();
    }
  }
}
