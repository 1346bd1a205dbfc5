import { setTimeout as delay } from "node:timers/promises";
import { JetStreamApiError } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsLink } from "./link.ts";

/** A lease that is not renewed for so long is free. */
export const LEASE_ms = 2_000;
const RENEW_EVERY_ms = 400;
const LOOK_EVERY_ms = 150;
/** Before others may think that it is free. */
const GIVE_UP_AFTER_ms = 1_500;

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
export async function openLeases(link: NatsLink): Promise<KV> {
  return await new Kvm(link.connection).create(link.names.leases, {
    ttl: LEASE_ms,
    replicas: link.replicas,
    history: 1,
  });
}

/** Waits until nobody holds the key, and takes it; `holder` is a name that nobody else has. Undefined once the signal is given. */
export async function acquireLease(
  leases: KV,
  key: string,
  holder: string,
  signal: AbortSignal,
): Promise<HeldLease | undefined> {
  while (!signal.aborted) {
    const asked_ms = performance.now();
    try {
      const term = await leases.create(key, holder);
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
  readonly #leases: KV;
  readonly #key: string;
  readonly #holder: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #revision: number;
  /** When the last renewal that succeeded was asked for: from then on it holds for `LEASE_ms` at least. */
  #renewed_ms: number;
  #isRenewing = false;
  #isReleased = false;

  constructor(leases: KV, key: string, holder: string, term: number, asked_ms: number) {
    this.#leases = leases;
    this.#key = key;
    this.#holder = holder;
    this.term = term;
    this.#revision = term;
    this.#renewed_ms = asked_ms;
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_ms);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    return !this.#isReleased && !this.#lost.signal.aborted && performance.now() - this.#renewed_ms < GIVE_UP_AFTER_ms;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.isHeld()) return;
    this.#isReleased = true;
    await this.#leases.delete(this.#key, { previousSeq: this.#revision });
  }

  async #renew(): Promise<void> {
    if (!this.isHeld()) return this.#lose();
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const asked_ms = performance.now();
    try {
      this.#revision = await this.#leases.update(this.#key, this.#holder, this.#revision);
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
      const entry = await this.#leases.get(this.#key);
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
