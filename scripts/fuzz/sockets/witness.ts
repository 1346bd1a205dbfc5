import { WebSocket } from "ws";

/** The parts of a message that are counted. */
interface Counted {
  readonly type?: string;
  readonly channel?: string;
  readonly seq?: number;
  readonly e?: string;
  readonly u?: number;
  readonly pu?: number;
  readonly stream?: string;
  readonly data?: unknown;
}

/** The private channels of a witness. */
export const FOLLOWED: ReadonlySet<string> = new Set(["balances", "orders", "positions"]);

/** A well-behaved client: other clients must not make it miss any message that it subscribed to. */
export class Witness {
  readonly #own: WebSocket;
  readonly #bot: WebSocket;
  readonly #seqs = new Map<string, number>();
  /** Numbers of private events: they rise, with gaps, and must be the same as those of the account's list. */
  readonly privateSeqs: number[] = [];
  #depth: number | undefined;
  readonly problems: string[] = [];
  seen = 0;

  private constructor(own: WebSocket, bot: WebSocket) {
    this.#own = own;
    this.#bot = bot;
    for (const [name, socket] of [
      ["own", own],
      ["bots'", bot],
    ] as const) {
      socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as Counted));
      socket.on("close", (code) => this.problems.push(`the witness of the ${name} protocol was closed with ${code}`));
    }
  }

  static async open(port: number, token: string): Promise<Witness> {
    const base = `ws://127.0.0.1:${port}`;
    const witness = new Witness(
      new WebSocket(`${base}/ws`),
      new WebSocket(`${base}/stream?streams=btcusdt@depth@100ms`),
    );
    await Promise.all(
      [witness.#own, witness.#bot].map((socket) => new Promise((resolve) => socket.once("open", resolve))),
    );
    witness.#own.send(JSON.stringify({ type: "auth", token }));
    for (const channel of ["orderbook", "trades", ...FOLLOWED]) {
      witness.#own.send(JSON.stringify({ type: "subscribe", channel, symbol: "BTCUSDT" }));
    }
    return witness;
  }

  close(): void {
    for (const socket of [this.#own, this.#bot]) {
      socket.removeAllListeners("close");
      socket.terminate();
    }
  }

  #receive(message: Counted): void {
    const { type, channel, seq, data } = message;
    if (type === "error") this.problems.push(`the witness received ${JSON.stringify(message)}`);
    if (channel !== undefined && seq !== undefined) this.#hearOwn(type ?? "", channel, seq);
    const event = data as Counted | undefined;
    if (event?.e === "depthUpdate") this.#hearDepth(event);
  }

  #hearOwn(type: string, channel: string, seq: number): void {
    this.seen += 1;
    if (channel !== "orderbook" && channel !== "trades") {
      if (type === "update") this.privateSeqs.push(seq);
      return;
    }
    const last = this.#seqs.get(channel);
    const isNext = last === undefined || type === "snapshot" || seq === last + 1;
    if (!isNext) this.problems.push(`${channel}: ${last} was followed by ${seq}`);
    this.#seqs.set(channel, seq);
  }

  #hearDepth({ u, pu }: Counted): void {
    this.seen += 1;
    if (this.#depth !== undefined && pu !== this.#depth)
      this.problems.push(`depth: ${this.#depth} was followed by ${pu}`);
    this.#depth = u;
  }
}
