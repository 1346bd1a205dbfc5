import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { NEWEST_RULES, OLDEST_RULES } from "@bourse/engine";
import type { Log } from "../kernel/log.ts";
import { MEMBER_KEYS, NatsBus } from "../kernel/nats/bus.ts";
import type { Cluster } from "../kernel/nats/cluster.ts";
import { acquireLease, type HeldLease, type Leases, openLeases } from "../kernel/nats/lease.ts";
import { openNatsLink } from "../kernel/nats/link.ts";
import { systemRandom } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";

/** This process's membership in a distributed exchange. */
export interface OpenCluster extends Cluster {
  readonly leases: Leases;
  /** A unique name of the process. */
  readonly member: string;
  close(): Promise<void>;
}

const WORKER_KEY = "worker";
/** LOG-5: each process says in a lease of its own which rules it can apply. */
const RULES_KEYS = "rules.";
const LOOK_FOR_WORKER_EVERY_ms = 250;
const NAME_BYTES = 4;

/** Connects to NATS. A fatal error ends the process; its supervisor restarts it with the current state. */
export async function openCluster({
  settings,
  log,
}: {
  readonly settings: Settings;
  readonly log: Log;
}): Promise<OpenCluster> {
  const { role, natsUrl, natsPrefix, natsReplicas } = settings;
  if (natsUrl === undefined) throw new Error("NATS_URL is not set");
  const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, "-");
  const member = `${role}-${host}-${process.pid}-${systemRandom.bytes(NAME_BYTES).toString("hex")}`;
  const link = await openNatsLink({
    url: natsUrl,
    prefix: natsPrefix,
    replicas: natsReplicas,
    name: member,
    onChange: (what) => log.warn(`NATS: ${what}`),
  });
  const leases = await openLeases(link);
  const bus = new NatsBus({
    link,
    leases,
    member,
    onError: (err) => log.error({ err }, "a message on the bus could not be dealt with"),
  });
  const stopping = new AbortController();
  void keepRulesLease(leases, member, stopping.signal);
  return {
    link,
    leases,
    bus,
    member,
    knownRules: () => knownRules(leases),
    onFatal(error) {
      log.fatal({ err: error }, "this process cannot go on; it ends, to be started anew");
      process.exit(1);
    },
    async close() {
      stopping.abort();
      await bus.leave();
      await link.connection.close();
    },
  };
}

/** Renews itself for as long as the process runs; lost, it is taken again. */
async function keepRulesLease(leases: Leases, member: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lease = await acquireLease(leases, `${RULES_KEYS}${member}`, String(NEWEST_RULES), signal);
    if (lease === undefined) return;
    await new Promise<void>((resolve) => {
      lease.lost.addEventListener("abort", () => resolve());
      signal.addEventListener("abort", () => resolve());
    });
    if (signal.aborted) await lease.release();
  }
}

/** A member that says nothing is of a release that knows the oldest rules only. */
async function knownRules({ bucket }: Leases): Promise<number> {
  const said = new Map<string, number>();
  for await (const key of await bucket.keys(`${RULES_KEYS}*`)) {
    const entry = await bucket.get(key);
    if (entry?.operation === "PUT") said.set(key.slice(RULES_KEYS.length), Number(entry.string()));
  }
  for await (const key of await bucket.keys(`${MEMBER_KEYS}*`)) {
    const member = key.slice(MEMBER_KEYS.length);
    if (!said.has(member)) said.set(member, OLDEST_RULES);
  }
  return Math.min(NEWEST_RULES, ...said.values());
}

/** Waits until no other worker is active, and publishes this worker's origin. Losing the lease ends the process. */
export async function takeWorkersPlace(cluster: OpenCluster, url: string): Promise<HeldLease> {
  const lease = await askForPlace(cluster, url, new AbortController().signal);
  if (lease === undefined) throw new Error("the worker's place was not waited for");
  return lease;
}

/** The same without waiting; undefined while another worker is active. */
export async function tryWorkersPlace(cluster: OpenCluster, url: string): Promise<HeldLease | undefined> {
  const once = new AbortController();
  const asked = askForPlace(cluster, url, once.signal);
  once.abort();
  return await asked;
}

async function askForPlace({ leases, member, onFatal }: OpenCluster, url: string, signal: AbortSignal) {
  const lease = await acquireLease(leases, WORKER_KEY, JSON.stringify({ member, url }), signal);
  lease?.lost.addEventListener("abort", () =>
    onFatal(new Error("the worker's place was lost: it was not renewed in time")),
  );
  return lease;
}

/** The origin of the active worker, as far as it is known. */
export interface WorkerWatch {
  readonly url: string | undefined;
  stop(): void;
}

export async function watchWorker({ leases }: OpenCluster, log: Log): Promise<WorkerWatch> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = { url: undefined as string | undefined, stop: () => stopping.abort() };
  const look = async () => {
    const entry = await leases.bucket.get(WORKER_KEY);
    const isThere = entry !== null && entry.operation === "PUT";
    watch.url = isThere ? entry.json<{ readonly url: string }>().url : undefined;
  };
  await look();
  void (async () => {
    while (!signal.aborted) {
      await delay(LOOK_FOR_WORKER_EVERY_ms);
      await look().catch((err: unknown) => log.debug({ err }, "where the worker is cannot be asked"));
    }
  })();
  return watch;
}
