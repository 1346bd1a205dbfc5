import { type Metrics, scrape, sumOf } from "../soak/sample.ts";

/** What a server reports about itself at a moment. */
export interface Health {
  readonly at_ms: number;
  readonly resident_bytes: number;
  readonly heap_bytes: number;
  readonly cpu_s: number;
  /** Of the event loop since the last report, by its own histogram. */
  readonly loopDelayP99_ms: number;
  readonly commandsWaiting: number;
  readonly lag_commands: number;
  readonly lag_s: number;
  readonly overloaded: number;
  readonly frames: number;
  readonly dropped: number;
  readonly sockets: number;
  readonly openOrders: number;
  readonly trades: number;
}

export async function lookAt(baseUrl: string): Promise<Health> {
  return healthOf(await scrape(baseUrl), performance.now());
}

export function healthOf(metrics: Metrics, at_ms: number): Health {
  const value = (name: string) => {
    const found = metrics.get(name);
    if (found === undefined) throw new Error(`/metrics has no ${name}`);
    return found;
  };
  return {
    at_ms,
    resident_bytes: value("process_resident_memory_bytes"),
    heap_bytes: value("nodejs_heap_size_used_bytes"),
    cpu_s: value("process_cpu_seconds_total"),
    loopDelayP99_ms: value("nodejs_eventloop_lag_p99_seconds") * 1_000,
    commandsWaiting: value("bourse_commands_waiting"),
    lag_commands: value("bourse_projector_lag_commands"),
    lag_s: value("bourse_projector_lag_seconds"),
    overloaded: metrics.get('bourse_commands_not_taken_total{reason="overloaded"}') ?? 0,
    frames: value("bourse_stream_frames_total"),
    dropped: value("bourse_stream_dropped_total"),
    sockets: sumOf(metrics, "bourse_stream_connections"),
    openOrders: sumOf(metrics, "bourse_market_open_orders"),
    trades: sumOf(metrics, "bourse_market_trades_total"),
  };
}

/** Cores that the server used between two reports, over all its threads. */
export const serverCores = (from: Health, to: Health): number =>
  ((to.cpu_s - from.cpu_s) * 1_000) / (to.at_ms - from.at_ms);
