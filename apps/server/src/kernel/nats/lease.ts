import { JetStreamApiError } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { sleep } from "../wait.ts";
import type { NatsLink } from "./link.ts";

/** The lease of the leading engine; without a leader nobody can trade. It ends if it is not renewed for this time. */
export const LEAD_ms = 3_000;
/** All other leases: a process that starts may be busy for seconds. */
export const LEASE_ms = 10_000;
const LOOK_EVERY_ms = 150;
const RENEWALS_PER_LEASE = 6;
/** The holder gives up before others may consider the lease free. */
const GIVE_UP_PART = 0.75;

export interface HeldLease {
  /** Higher than the term of every earlier holder. */
  readonly term: number;
  /** Aborted when the lease is lost, before another process can hold it by this clock. */
  readonly lost: AbortSignal;
  /** Whether it is certain that no other process holds the lease. */
  isHeld(): boolean;
  /** Releases it at once, so that others need not wait for its end. */
  release(): Promise<void>;
}

/** Keys that expire unless they are renewed. */
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

/** Waits until the key is free, and takes it; `holder` is a unique name. Undefined if the signal is aborted. */
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
      // Another process holds it, or no server answers: retried until it succeeds.
    }
    await sleep(LOOK_EVERY_ms, signal);
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
  /** When the last successful renewal was requested: the lease lasts at least its length from then on. */
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
      // If no server answers, the next renewal may succeed.
      if (error instanceof JetStreamApiError) await this.#lookWhose();
    } finally {
      this.#isRenewing = false;
    }
  }

  /** The key was changed: by another process, or by our own renewal whose answer was lost. */
  async #lookWhose(): Promise<void> {
    try {
      const entry = await this.#bucket.get(this.#key);
      if (entry?.string() !== this.#holder) return this.#lose();
      this.#revision = entry.revision;
    } catch {
      // No answer: the next renewal finds out, or the lease ends.
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort();
  }
}
