import { randomBytes } from "node:crypto";
import { connect as connectTcp, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { type Owner, onCleanup } from "./cleanup.ts";
import { proxiedDatabase, quickDatabase } from "./databases.ts";
import { makeTempDir } from "./files.ts";
import { freePort } from "./ports.ts";
import { nodeFlags, type RunningProcess, startProcess } from "./processes.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import { waitFor } from "./waiting.ts";

/*
 * A distributed exchange on loopback: three NATS servers, two gateways, two engines, a worker, and a front that
 * distributes connections over the gateways like a load balancer.
 */

const projectRoot = join(import.meta.dirname, "..", "..");
const START_TIMEOUT_ms = 90_000;
const NATS_SERVERS = 3;

export type Role = "gateway" | "engine" | "worker";

export interface ClusterOptions {
  readonly owner: Owner;
  readonly env?: Readonly<Record<string, string>>;
  readonly gateways?: number;
  readonly engines?: number;
  readonly workers?: number;
  /** PostgreSQL and Redis are reached through relays that can be cut. */
  readonly hasRelays?: boolean;
  /** One NATS server with one copy of everything instead of three. */
  readonly hasOneNats?: boolean;
  /** Receives progress lines. */
  readonly onProgress?: (line: string) => void;
}

/** One process of the cluster; it keeps port and folder over restarts. */
export class Member {
  readonly name: string;
  readonly port: number;
  /** Its data folder. */
  readonly folder: string;
  readonly #start: (build: string) => RunningProcess;
  readonly #isReady: () => Promise<boolean>;
  #running: RunningProcess;
  #build = projectRoot;
  /** Whether it was killed on purpose, and the test will restart it. */
  #isAway = false;
  #hasEnded = false;

  constructor(
    name: string,
    port: number,
    folder: string,
    start: (build: string) => RunningProcess,
    isReady: () => Promise<boolean>,
  ) {
    this.name = name;
    this.port = port;
    this.folder = folder;
    this.#start = start;
    this.#isReady = isReady;
    this.#running = this.#started();
  }

  get process(): RunningProcess {
    return this.#running;
  }

  async ready(timeout_ms = START_TIMEOUT_ms): Promise<void> {
    const running = this.#running;
    const isReady = async () => this.#hasEnded || (await this.#isReady());
    try {
      await waitFor(isReady, { timeout_ms, what: `${this.name} to be ready` });
    } catch (error) {
      throw new Error(`${this.name} did not get ready:\n${running.output()}`, { cause: error });
    }
    if (this.#hasEnded) throw new Error(`${this.name} ended:\n${running.output()}`);
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#isAway = true;
    await this.#running.kill(signal);
  }

  /** What a supervisor does: restarts a process that has ended by itself. */
  restartIfEnded(): void {
    if (this.#hasEnded && !this.#isAway) this.restart();
  }

  /** Under the same name, on the same port, with the same folder; from other sources if they are given. */
  restart(build = this.#build): void {
    this.#build = build;
    this.#isAway = false;
    this.#running = this.#started();
  }

  #started(): RunningProcess {
    const running = this.#start(this.#build);
    this.#hasEnded = false;
    void running.exited.then(() => {
      if (this.#running === running) this.#hasEnded = true;
    });
    return running;
  }
}

async function answers(url: string, isEnough: (body: string, status: number) => boolean): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return isEnough(await response.text(), response.status);
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return false;
    throw error;
  }
}

/** Distributes connections over the gateways that accept them. */
class Front {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  constructor(port: number, targets: readonly number[]) {
    this.#server = createServer((socket) => this.#serve(socket, targets));
    this.#server.listen(port, "127.0.0.1");
  }

  #serve(client: Socket, targets: readonly number[], attempt = 0): void {
    const port = targets[this.#turn++ % targets.length]!;
    const upstream = connectTcp({ host: "127.0.0.1", port });
    this.#sockets.add(client);
    upstream.once("connect", () => {
      client.pipe(upstream);
      upstream.pipe(client);
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
      this.#sockets.delete(client);
    };
    upstream.once("error", () => {
      // This gateway is not available: try the next one.
      if (upstream.bytesWritten === 0 && upstream.connecting && attempt < targets.length) {
        this.#serve(client, targets, attempt + 1);
      } else end();
    });
    upstream.once("close", (hadError) => {
      if (!hadError) client.end();
    });
    client.once("error", end);
    client.once("close", () => upstream.destroy());
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

export interface Cluster {
  /** Of the front. */
  readonly baseUrl: string;
  readonly nats: readonly Member[];
  readonly gateways: readonly Member[];
  readonly engines: readonly Member[];
  readonly workers: readonly Member[];
  readonly env: Readonly<Record<string, string>>;
  /** What the cluster uses besides NATS; only with `hasRelays`, and Redis only if there is a server. */
  readonly database: TcpProxy | undefined;
  readonly redis: TcpProxy | undefined;
  /** The leading engine, the active worker. */
  leader(): Promise<Member>;
  /** The NATS server that leads the stream of commands. */
  natsLeader(): Promise<Member>;
  activeWorker(): Promise<Member>;
}

interface NatsServers {
  readonly members: readonly Member[];
  /** The server that leads the stream with this name. */
  leaderOf(stream: string): Promise<Member>;
}

interface StreamsReport {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly { readonly name: string; readonly cluster?: { readonly leader?: string } }[];
  }[];
}

/** The name of the server that leads the stream, according to the server with this monitor. */
async function leaderKnownTo(monitor: number, stream: string): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${monitor}/jsz?accounts=true&streams=true`);
  const { account_details = [] } = (await response.json()) as StreamsReport;
  const streams = account_details.flatMap(({ stream_detail = [] }) => stream_detail);
  return streams.find(({ name }) => name === stream)?.cluster?.leader;
}

async function startNats(owner: Owner, count: number): Promise<NatsServers> {
  const ports = await Promise.all(
    Array.from({ length: count }, async () => [await freePort(), await freePort()] as const),
  );
  const monitors = await Promise.all(ports.map(() => freePort()));
  const routes = ports.map(([, cluster]) => `nats-route://127.0.0.1:${cluster}`).join(",");
  const serverNames = ports.map((_, place) => `n${place + 1}`);
  const members: Member[] = [];
  for (const [place, [port, clusterPort]] of ports.entries()) {
    const folder = await makeTempDir(owner);
    const monitor = monitors[place]!;
    const args = [
      "-a",
      "127.0.0.1",
      "-p",
      String(port),
      "-m",
      String(monitor),
      "-js",
      "-sd",
      folder,
      "-n",
      serverNames[place]!,
    ];
    if (count > 1)
      args.push("--cluster_name", "test", "--cluster", `nats://127.0.0.1:${clusterPort}`, "--routes", routes);
    const start = () => startProcess("nats-server", args, { owner });
    const isReady = () => answers(`http://127.0.0.1:${monitor}/healthz`, (_body, status) => status === 200);
    members.push(new Member(`nats-${place + 1}`, port, folder, start, isReady));
  }
  await Promise.all(members.map((member) => member.ready()));
  const leaderOf = async (stream: string) => {
    let leader: Member | undefined;
    const isKnown = async () => {
      const name = await leaderKnownTo(monitors[0]!, stream);
      leader = members[serverNames.indexOf(name ?? "")];
      return leader !== undefined;
    };
    await waitFor(isKnown, { timeout_ms: 30_000, what: `a leader of ${stream}` });
    return leader!;
  };
  return { members, leaderOf };
}

/** The database and Redis. Without Redis each gateway allows its part of an account's orders. */
interface Ground {
  readonly env: Readonly<Record<string, string>>;
  readonly database?: TcpProxy;
  readonly redis?: TcpProxy;
}

async function plainGround(owner: Owner): Promise<Ground> {
  const redisUrl = process.env["TEST_REDIS_URL"];
  return { env: { ...(await quickDatabase(owner)), ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) } };
}

async function relayedGround(owner: Owner): Promise<Ground> {
  const { proxy: database, proxiedUrl } = await proxiedDatabase(owner);
  const redisUrl = process.env["TEST_REDIS_URL"];
  if (redisUrl === undefined) return { env: { DATABASE_URL: proxiedUrl }, database };
  const url = new URL(redisUrl);
  const redis = await TcpProxy.open(owner, { host: url.hostname, port: Number(url.port || "6379") });
  url.host = `127.0.0.1:${redis.port}`;
  return { env: { DATABASE_URL: proxiedUrl, REDIS_URL: url.href }, database, redis };
}

/** Starts everything and waits until it serves requests. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { owner, onProgress = () => {} } = options;
  const { members: nats, leaderOf } = await startNats(owner, options.hasOneNats === true ? 1 : NATS_SERVERS);
  onProgress(`${nats.length} NATS servers are up`);
  const frontPort = await freePort();
  const baseUrl = `http://127.0.0.1:${frontPort}`;
  const secret = () => randomBytes(32).toString("hex");
  const gatewayCount = options.gateways ?? 2;
  const ground = await (options.hasRelays === true ? relayedGround(owner) : plainGround(owner));
  const env: Record<string, string> = {
    NATS_URL: nats.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
    NATS_REPLICAS: String(nats.length),
    NATS_PREFIX: `c${randomBytes(4).toString("hex")}`,
    HOST: "127.0.0.1",
    PUBLIC_URL: baseUrl,
    TRUST_PROXY: "127.0.0.1",
    DEMO: "false",
    DEMO_HISTORY_DAYS: "0",
    GATEWAYS: String(gatewayCount),
    JWT_SECRET: secret(),
    SECRETS_KEY: secret(),
    ...ground.env,
    ...options.env,
  };
  const workerSecrets = {
    ADMIN_PASSWORD: secret(),
    BONUS_ADMIN_API_KEY: secret(),
    EARN_SIGNER_KEY: `0x${secret()}`,
    OPERATOR_KEY: `0x${secret()}`,
    ...options.env,
  };
  const start = async (
    role: Role,
    place: number,
    folder: string,
    isReady: (body: string, status: number) => boolean,
  ) => {
    const port = await freePort();
    const startIt = (build: string) =>
      startProcess(process.execPath, [...nodeFlags(), "apps/server/src/main.ts"], {
        owner,
        cwd: build,
        env: {
          DATABASE_URL: undefined,
          REDIS_URL: undefined,
          CHAIN_RPC_URL: undefined,
          BOURSE_ENV: undefined,
          ...env,
          ...(role === "worker" ? workerSecrets : {}),
          ROLE: role,
          PORT: String(port),
          DATA_DIR: folder,
        },
        hasChannel: true,
      });
    const url = `http://127.0.0.1:${port}/readyz`;
    return new Member(`${role}-${place + 1}`, port, folder, startIt, () => answers(url, isReady));
  };
  const isOk = (_body: string, status: number) => status === 200;
  const many = (count: number, make: (place: number) => Promise<Member>) =>
    Promise.all(Array.from({ length: count }, (_, place) => make(place)));

  const engines = await many(options.engines ?? 2, async (place) =>
    start("engine", place, await makeTempDir(owner), isOk),
  );
  await Promise.all(engines.map((engine) => engine.ready()));
  onProgress(`${engines.length} engines are up`);
  const workers = [await start("worker", 0, await makeTempDir(owner), isOk)];
  await workers[0]!.ready();
  // The others stand by, and say so.
  const standsBy = (body: string) => body.includes("standby");
  while (workers.length < (options.workers ?? 1)) {
    const standby = await start("worker", workers.length, await makeTempDir(owner), standsBy);
    await standby.ready();
    workers.push(standby);
  }
  onProgress(`${workers.length} workers are up`);
  const gateways = await many(gatewayCount, async (place) => start("gateway", place, await makeTempDir(owner), isOk));
  await Promise.all(gateways.map((gateway) => gateway.ready()));
  onProgress(`${gateways.length} gateways are up`);
  const front = new Front(
    frontPort,
    gateways.map(({ port }) => port),
  );
  onCleanup(owner, () => front.close());

  const find = async (members: readonly Member[], isIt: (body: string, status: number) => boolean, what: string) => {
    let found: Member | undefined;
    await waitFor(
      async () => {
        for (const member of members) {
          if (await answers(`http://127.0.0.1:${member.port}/readyz`, isIt)) found = member;
        }
        return found !== undefined;
      },
      { timeout_ms: 30_000, what },
    );
    return found!;
  };
  return {
    baseUrl,
    nats,
    gateways,
    engines,
    workers,
    env: { ...env, ...workerSecrets },
    database: ground.database,
    redis: ground.redis,
    leader: () => find(engines, (body) => body.includes("leads"), "an engine to lead"),
    natsLeader: () => leaderOf(`${env["NATS_PREFIX"]}-commands`),
    activeWorker: () => find(workers, isOk, "a worker to be active"),
  };
}
