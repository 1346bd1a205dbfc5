// A process that holds many sockets and counts what they receive. It is controlled by messages.
import { setTimeout as pause } from "node:timers/promises";
import { eventTime_ms, numberAfter } from "./frames.ts";
import { Histogram } from "./histogram.ts";
import type { Delivered, SocketCounts, SocketOrder, SocketPlan, SocketReport } from "./socket-protocol.ts";
import { StreamSocket } from "./stream-socket.ts";

const OPEN_EVERY_ms = 20;

class SocketWorker {
  readonly #lag = new Histogram();
  readonly #userLag = new Histogram();
  readonly #sockets: StreamSocket[] = [];
  readonly #slow: StreamSocket[] = [];
  readonly #refused: string[] = [];
  #usage = process.cpuUsage();
  #counted_ms = performance.now();
  #messages = 0;
  #bytes = 0;
  #gaps = 0;
  #cut = 0;
  #isClosing = false;

  async open(baseUrl: string, plans: readonly SocketPlan[], perSecond: number): Promise<readonly string[]> {
    const begun_ms = performance.now();
    const opening: Promise<void>[] = [];
    for (const [place, plan] of plans.entries()) {
      while (((performance.now() - begun_ms) * perSecond) / 1_000 < place) await pause(OPEN_EVERY_ms);
      opening.push(this.#openOne(baseUrl, plan));
    }
    await Promise.all(opening);
    return this.#refused;
  }

  pauseSlow(): void {
    for (const socket of this.#slow) socket.pause();
  }

  resumeSlow(): void {
    for (const socket of this.#slow) socket.resume();
  }

  /** What was received since the last call. */
  read(): { readonly delivered: Delivered; readonly counts: SocketCounts } {
    const now_ms = performance.now();
    const { user, system } = process.cpuUsage(this.#usage);
    const delivered = {
      messages: this.#messages,
      bytes: this.#bytes,
      lag: this.#lag.toRecord(),
      userLag: this.#userLag.toRecord(),
      gaps: this.#gaps,
      cpu_us: user + system,
      wall_ms: now_ms - this.#counted_ms,
    };
    this.#usage = process.cpuUsage();
    this.#counted_ms = now_ms;
    this.#messages = 0;
    this.#bytes = 0;
    this.#gaps = 0;
    this.#lag.clear();
    this.#userLag.clear();
    const open = (sockets: readonly StreamSocket[]) => sockets.filter(({ isOpen }) => isOpen).length;
    return { delivered, counts: { open: open(this.#sockets), cut: this.#cut, slowOpen: open(this.#slow) } };
  }

  close(): void {
    this.#isClosing = true;
    for (const socket of [...this.#sockets, ...this.#slow]) socket.destroy();
  }

  async #openOne(baseUrl: string, { path, forwardedFor, kind }: SocketPlan): Promise<void> {
    const onText = kind === "slow" ? () => {} : this.#reader(kind);
    const onClosed = () => {
      if (socket.wasOpen && !this.#isClosing && kind !== "slow") this.#cut += 1;
    };
    const socket = new StreamSocket({ baseUrl, path, forwardedFor, onText, onClosed });
    try {
      await socket.opened;
      (kind === "slow" ? this.#slow : this.#sockets).push(socket);
    } catch (error) {
      this.#refused.push(error instanceof Error ? error.message : String(error));
    }
  }

  #reader(kind: "market" | "depth" | "user"): (payload: Buffer) => void {
    const lag = kind === "user" ? this.#userLag : this.#lag;
    let lastId: number | undefined;
    return (payload) => {
      this.#messages += 1;
      this.#bytes += payload.length;
      const time_ms = eventTime_ms(payload);
      if (time_ms !== undefined) lag.add_ms(Date.now() - time_ms);
      if (kind !== "depth") return;
      const previousId = numberAfter(payload, '"pu":');
      if (lastId !== undefined && previousId !== lastId) this.#gaps += 1;
      lastId = numberAfter(payload, '"u":');
    };
  }
}

const worker = new SocketWorker();

async function obey(order: SocketOrder): Promise<SocketReport> {
  switch (order.type) {
    case "open":
      return { type: "opened", refused: await worker.open(order.baseUrl, order.sockets, order.perSecond) };
    case "pauseSlow":
      worker.pauseSlow();
      return { type: "done" };
    case "resumeSlow":
      worker.resumeSlow();
      return { type: "done" };
    case "read":
      return { type: "delivered", ...worker.read() };
    case "close":
      worker.close();
      return { type: "done" };
  }
}

const send = (report: SocketReport) => process.send!(report);

process.on("message", (order: SocketOrder) => {
  void obey(order).then(send, (error: Error) => send({ type: "failed", message: error.stack ?? error.message }));
});
// The parent process has ended.
process.on("disconnect", () => process.exit());
