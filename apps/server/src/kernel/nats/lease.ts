import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiError } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsLink } from "./link.ts";

/** The lead of the engines: while nobody has it nobody can trade. Not renewed for so long it is free. */
export const LEAD_ms = 3_000;
/** Everything else: a process that starts may be busy for seconds. */
export const LEASE_ms = 10_000;
const LOOK_EVERY_ms = 150;
const RENEWALS_PER_LEASE = 6;
/** The holder gives up before others may think that it is free. */
const GIVE_UP_PART = 0.75;

export interface HeldLease {
  /** Higher than that of every holder before. */
  readonly term: number;
  /** Given when it is lost, before anybody else can hold it by this clock. */
  readonly lost: AbortSignal;
  /** Whether it is certain that nobody else holds it. */
  isHeld(): boolean;
  /** Lets go of it at once, so that nobody has to wait for its end. */
  release(): Promise<void>;
}

/** Keys that vanish with those who renew them. */
export interface Leases {
  readonly bucket: KV;
  readonly lease_ms: number;
}

async function openBucket({ connection, replicas }: NatsLink, name: string, lease_ms: number): Promise<Leases> {
  const bucket = await new Kvm(connection).create(name, { ttl: lease_ms, replicas, history: 1 });
  return { bucket, lease_ms };
}

export const openLeads = (link: NatsLink) => openBucket(link, link.names.leads, LEAD_ms);
export const openLeases = (link: NatsLink) => openBucket(link, link.names.leases, LEASE_ms);

/** Waits until nobody holds the key, and takes it; `holder` is a name that nobody else has. Undefined once the signal is given. */
export async function acquireLease(
  leases: Leases,
  key: string,
  holder: string,
  signal: AbortSignal,
): Promise<HeldLease | undefined> {
  while (!signal.aborted) {
    const asked_ms = performance.now();
    try {
      const term = await leases.bucket.create(key, holder);
      return new Lease(leases, key, holder, term, asked_ms);
    } catch {
      // Held by another one, or no server can say at the moment: asked again in a moment, for as long as it takes.
    }
    await delay(LOOK_EVERY_ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  return undefined;
}

class Lease implements HeldLease {
  readonly term: number;
  readonly #bucket: KV;
  readonly #giveUpAfter_ms: number;
  readonly #key: string;
  readonly #holder: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #revision: number;
  /** When the last renewal that succeeded was asked for: from then on it holds for as long as a lease is, at least. */
  #renewed_ms: number;
  #isRenewing = false;
  #isReleased = false;

  constructor({ bucket, lease_ms }: Leases, key: string, holder: string, term: number, asked_ms: number) {
    this.#bucket = bucket;
    this.#giveUpAfter_ms = lease_ms * GIVE_UP_PART;
    this.#key = key;
    this.#holder = holder;
    this.term = term;
    this.#revision = term;
    this.#renewed_ms = asked_ms;
    this.#timer = setInterval(() => void this.#renew(), lease_ms / RENEWALS_PER_LEASE);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    return (
      !this.#isReleased && !this.#lost.signal.aborted && performance.now() - this.#renewed_ms < this.#giveUpAfter_ms
    );
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.isHeld()) return;
    this.#isReleased = true;
    await this.#bucket.delete(this.#key, { previousSeq: this.#revision });
  }

  async #renew(): Promise<void> {
    if (!this.isHeld()) return this.#lose();
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const asked_ms = performance.now();
    try {
      this.#revision = await this.#bucket.update(this.#key, this.#holder, this.#revision);
      this.#renewed_ms = asked_ms;
    } catch (error) {
      // Where no server answers it may be better the next time.
      if (error instanceof JetStreamApiError) await this.#lookWhose();
    } finally {
      this.#isRenewing = false;
    }
  }

  /** It was changed since: by somebody else, or by a renewal of ours whose answer got lost. */
  async #lookWhose(): Promise<void> {
    try {
      const entry = await this.#bucket.get(this.#key);
      if (entry?.string() !== this.#holder) return this.#lose();
      this.#revision = entry.revision;
    } catch {
      // Nobody answers: the next renewal finds out, or time runs out.
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort();
  }
}
