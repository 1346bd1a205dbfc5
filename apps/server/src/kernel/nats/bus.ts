import type { Msg, Subscription } from "@nats-io/transport-node";
import type { Bus, BusListener } from "../bus/bus.ts";
import type { JsonValue } from "../database/tables.ts";
import { ApiError } from "../errors.ts";
import { within } from "../wait.ts";
import { acquireLease, type HeldLease, LEASE_ms, type Leases } from "./lease.ts";
import type { NatsLink } from "./link.ts";

export interface NatsBusOptions {
  readonly link: NatsLink;
  readonly leases: Leases;
  /** A unique name of this process: letters, digits and dashes. */
  readonly member: string;
  readonly onError: (error: unknown) => void;
}

export const MEMBER_KEYS = "member.";
const ACK_TIMEOUT_ms = 500;
/** A process that does not answer for longer is no member any more: its lease has ended by then. */
const MAX_ATTEMPTS = Math.ceil((LEASE_ms * 2) / ACK_TIMEOUT_ms);

/**
 * The bus over NATS. A process that answers clients is a member as long as it renews a lease; `tell` waits until every member has
 * confirmed or its lease has ended. A process whose lease has ended answers no client until it has reloaded everything.
 */
export class NatsBus implements Bus {
  readonly #options: NatsBusOptions;
  readonly #subscriptions: Subscription[] = [];
  readonly #stopping = new AbortController();
  #lease: HeldLease | undefined;
  #isCurrent = false;
  #joining: Promise<void> | undefined;

  constructor(options: NatsBusOptions) {
    this.#options = options;
  }

  /**
   * Call it after all listeners are added and before the first client is answered. `reload` reads again what this process holds in
   * memory, because it may have missed messages while it was no member.
   */
  async join(reload: () => Promise<void>): Promise<void> {
    const { leases, member } = this.#options;
    const lease = await acquireLease(leases, `${MEMBER_KEYS}${member}`, member, this.#stopping.signal);
    if (lease === undefined) return;
    this.#lease = lease;
    // No message is missed from here on; `reload` reads earlier changes.
    await reload();
    this.#isCurrent = true;
    lease.lost.addEventListener("abort", () => this.#rejoin(reload));
  }

  /** Whether the state in this process's memory is current. */
  get isMember(): boolean {
    return this.#isCurrent && this.#lease?.isHeld() === true;
  }

  async leave(): Promise<void> {
    this.#stopping.abort();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await this.#joining;
    await this.#lease?.release();
  }

  async tell(topic: string, message: JsonValue): Promise<void> {
    const { connection, names } = this.#options.link;
    const waitedFor = await this.#others();
    if (waitedFor.size === 0) return;
    const inbox = `${names.bus("acks")}.${this.#options.member}.${crypto.randomUUID()}`;
    const heardAll = Promise.withResolvers<void>();
    const subscription = connection.subscribe(inbox, {
      callback: (_error, ack) => {
        waitedFor.delete(ack.string());
        if (waitedFor.size === 0) heardAll.resolve();
      },
    });
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS && waitedFor.size > 0; attempt += 1) {
        connection.publish(names.bus(topic), JSON.stringify(message), { reply: inbox });
        await within(heardAll.promise, ACK_TIMEOUT_ms);
        if (waitedFor.size > 0) await this.#forgetThoseGone(waitedFor);
      }
    } finally {
      subscription.unsubscribe();
    }
    if (waitedFor.size > 0) throw notConfirmed(waitedFor);
  }

  mention(topic: string, message: JsonValue): void {
    const { connection, names } = this.#options.link;
    connection.publish(names.bus(topic), JSON.stringify(message));
  }

  listen(topic: string, listener: BusListener): void {
    const { connection, names } = this.#options.link;
    const callback = (error: Error | null, message: Msg) => {
      if (error === null) void this.#hear(message, listener);
    };
    this.#subscriptions.push(connection.subscribe(names.bus(topic), { callback }));
  }

  async #hear(message: Msg, listener: BusListener): Promise<void> {
    try {
      await listener(message.json<JsonValue>());
      message.respond(this.#options.member);
    } catch (error) {
      // Not confirmed: the message is delivered again.
      this.#options.onError(error);
    }
  }

  async #others(): Promise<Set<string>> {
    const members = new Set<string>();
    for await (const key of await this.#options.leases.bucket.keys(`${MEMBER_KEYS}*`)) {
      members.add(key.slice(MEMBER_KEYS.length));
    }
    members.delete(this.#options.member);
    return members;
  }

  async #forgetThoseGone(waitedFor: Set<string>): Promise<void> {
    const members = await this.#others();
    for (const member of waitedFor) if (!members.has(member)) waitedFor.delete(member);
  }

  #rejoin(reload: () => Promise<void>): void {
    this.#isCurrent = false;
    if (this.#stopping.signal.aborted) return;
    this.#joining = this.join(reload).catch((error: unknown) => {
      this.#options.onError(error);
      setTimeout(() => this.#rejoin(reload), LEASE_ms).unref();
    });
  }
}

const notConfirmed = (members: ReadonlySet<string>) =>
  new ApiError(503, "SERVICE_UNAVAILABLE", `it is done, but ${members.size} parts of the platform may not know it yet`);
