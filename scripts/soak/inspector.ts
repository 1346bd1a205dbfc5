/** The main thread's memory, in bytes. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
}

/** Memory that a piece of code has allocated and that is still held. */
export interface Holding {
  readonly where: string;
  readonly bytes: number;
}

interface ProfileNode {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const SAMPLED_EVERY_bytes = 16_384;

/**
 * Inspects another Node process through the protocol of its debugger, so that the measured server runs its usual code.
 */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#onAnswer(JSON.parse(String(data)) as Answer));
    socket.addEventListener("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the server has gone"));
    });
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error(`nothing to inspect at ${url}`)));
    });
    return new Inspector(socket);
  }

  close(): void {
    this.#socket.close();
  }

  /** After a full garbage collection, so that only reachable memory counts. */
  async memory(): Promise<Memory> {
    await this.#send("HeapProfiler.collectGarbage");
    const expression = "JSON.stringify(process.memoryUsage())";
    const { result } = (await this.#send("Runtime.evaluate", { expression })) as { result: { value: string } };
    return JSON.parse(result.value) as Memory;
  }

  async startSampling(): Promise<void> {
    await this.#send("HeapProfiler.startSampling", { samplingInterval: SAMPLED_EVERY_bytes });
  }

  /** The memory allocated since `startSampling` that is still held, by where it was allocated, the largest first. */
  async holdings(): Promise<Holding[]> {
    await this.#send("HeapProfiler.collectGarbage");
    const { profile } = (await this.#send("HeapProfiler.getSamplingProfile")) as { profile: { head: ProfileNode } };
    const bytes = new Map<string, number>();
    const visit = ({ callFrame, selfSize, children }: ProfileNode): void => {
      const file = callFrame.url.replace(/^file:\/\//, "").replace(`${process.cwd()}/`, "");
      const where = `${callFrame.functionName || "(anonymous)"} ${file === "" ? "" : `${file}:${callFrame.lineNumber + 1}`}`;
      bytes.set(where, (bytes.get(where) ?? 0) + selfSize);
      for (const child of children) visit(child);
    };
    visit(profile.head);
    return [...bytes].map(([where, held]) => ({ where, bytes: held })).sort((a, b) => b.bytes - a.bytes);
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    this.#lastId += 1;
    const waiter = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiter);
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params }));
    return waiter.promise;
  }

  #onAnswer({ id, result, error }: Answer): void {
    const waiter = this.#waiting.get(id ?? 0);
    if (waiter === undefined) return;
    this.#waiting.delete(id!);
    if (error === undefined) waiter.resolve(result);
    else waiter.reject(new Error(error.message));
  }
}
