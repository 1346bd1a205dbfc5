import type { Metrics } from "../../kernel/metrics.ts";
import type { ListenKeys } from "../streams/listen-keys.ts";
import type { StreamServer } from "../streams/stream-server.ts";
import type { Hub } from "../streams/topics.ts";

export interface StreamMetricsOptions {
  readonly server: Pick<StreamServer, "traffic">;
  readonly hub: Pick<Hub, "count">;
  readonly listenKeys: Pick<ListenKeys, "count">;
}

export function watchStreams(metrics: Metrics, { server, hub, listenKeys }: StreamMetricsOptions): void {
  metrics.gauges("bourse_stream_connections", "WebSocket connections, by protocol", ["protocol"], () =>
    Object.entries(server.traffic().connections).map(([protocol, value]) => ({ labels: { protocol }, value })),
  );
  metrics.gauge("bourse_stream_topics", "Different streams that somebody follows", () => hub.count);
  metrics.counter("bourse_stream_frames_total", "Messages sent over WebSockets", () => server.traffic().frames);
  metrics.counter("bourse_stream_bytes_total", "Bytes sent over WebSockets", () => server.traffic().bytes);
  metrics.counter("bourse_stream_dropped_total", "Connections dropped because they read too slowly", () => {
    return server.traffic().dropped;
  });
  metrics.gauge("bourse_listen_keys", "Listen keys that are alive", () => listenKeys.count);
}
