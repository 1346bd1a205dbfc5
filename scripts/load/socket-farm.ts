import { Histogram } from "./histogram.ts";
import type { SocketCounts, SocketOrder, SocketPlan, SocketReport } from "./socket-protocol.ts";
import { WorkerProcess } from "./worker-process.ts";

/** What all sockets together received since the last reading. */
export interface FarmReading extends SocketCounts {
  readonly messages: number;
  readonly bytes: number;
  readonly lag: Histogram;
  readonly userLag: Histogram;
  readonly gaps: number;
  readonly farmCores: number;
}

/** Many sockets, distributed over processes, because each process may open a limited number of files. */
export class SocketFarm {
  readonly #workers: readonly WorkerProcess<SocketOrder, SocketReport>[];

  constructor(processes: number) {
    this.#workers = Array.from(
      { length: processes },
      () =>
        new WorkerProcess<SocketOrder, SocketReport>(
          "socket-worker.ts",
          () => true,
          () => {},
        ),
    );
  }

  /** Opens them at a constant rate; returns why some were refused. */
  async open(baseUrl: string, plans: readonly SocketPlan[], perSecond: number): Promise<readonly string[]> {
    const reports = await this.#askAll((place, count) => ({
      type: "open",
      baseUrl,
      sockets: plans.filter((_, number) => number % count === place),
      perSecond: perSecond / count,
    }));
    return reports.flatMap((report) => (report.type === "opened" ? report.refused : []));
  }

  async pauseSlow(): Promise<void> {
    await this.#askAll(() => ({ type: "pauseSlow" }));
  }

  async resumeSlow(): Promise<void> {
    await this.#askAll(() => ({ type: "resumeSlow" }));
  }

  async read(): Promise<FarmReading> {
    const sum = { messages: 0, bytes: 0, gaps: 0, open: 0, cut: 0, slowOpen: 0, farmCores: 0 };
    const lag = new Histogram();
    const userLag = new Histogram();
    for (const report of await this.#askAll(() => ({ type: "read" }))) {
      if (report.type !== "delivered") continue;
      const { delivered, counts } = report;
      for (const name of ["messages", "bytes", "gaps"] as const) sum[name] += delivered[name];
      for (const name of ["open", "cut", "slowOpen"] as const) sum[name] += counts[name];
      sum.farmCores += delivered.cpu_us / 1_000 / delivered.wall_ms;
      lag.addRecord(delivered.lag);
      userLag.addRecord(delivered.userLag);
    }
    return { ...sum, lag, userLag };
  }

  async closeSockets(): Promise<void> {
    await this.#askAll(() => ({ type: "close" }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #askAll(orderOf: (place: number, count: number) => SocketOrder): Promise<SocketReport[]> {
    return Promise.all(this.#workers.map((worker, place) => worker.ask(orderOf(place, this.#workers.length))));
  }
}
