import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type ClusterNames, clusterNames } from "./names.ts";

/** A connection to NATS with its clients. */
export interface NatsLink {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly names: ClusterNames;
  /** The number of servers on which streams and buckets are stored. */
  readonly replicas: number;
}

export interface NatsLinkOptions {
  /** One or several URLs, separated by commas; name and password of the first apply to all. */
  readonly url: string;
  readonly prefix: string;
  readonly replicas: number;
  /** This process's name in the server's lists. */
  readonly name: string;
  /** Called when the connection is lost, restored, or moved to another server. */
  readonly onChange?: (what: string) => void;
}

const RECONNECT_WAIT_ms = 100;
/** A server that misses three pings is replaced by another one. */
const PING_EVERY_ms = 1_000;
const MAX_SILENT_PINGS = 3;
const CONNECT_TIMEOUT_ms = 2_000;

/** Connects, and reconnects as long as the process runs, because servers may come and go. */
export async function openNatsLink(options: NatsLinkOptions): Promise<NatsLink> {
  const servers = options.url.split(",").map((address) => new URL(address.trim()));
  const { username, password, protocol } = servers[0]!;
  const connection = await connect({
    servers: servers.map(({ host }) => host),
    ...(username === "" ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(protocol === "tls:" ? { tls: {} } : {}),
    name: options.name,
    timeout: CONNECT_TIMEOUT_ms,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_ms,
    pingInterval: PING_EVERY_ms,
    maxPingOut: MAX_SILENT_PINGS,
    ignoreClusterUpdates: false,
  });
  const { onChange } = options;
  if (onChange !== undefined) void tellChanges(connection, onChange);
  return {
    connection,
    jetstream: jetstream(connection),
    manager: await jetstreamManager(connection),
    names: clusterNames(options.prefix),
    replicas: options.replicas,
  };
}

async function tellChanges(connection: NatsConnection, onChange: (what: string) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "disconnect" || status.type === "reconnect") onChange(status.type);
  }
}
