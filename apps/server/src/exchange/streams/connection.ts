import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { ClientSocket, type SocketLimits } from "./client-socket.ts";
import type { Hub, Subscriber, Topic } from "./topics.ts";

export interface ConnectionLimits extends SocketLimits {
  readonly maxSubscriptions: number;
}

/** The signed-in wallet. */
export interface Access {
  readonly address: string;
  /** False after sign-out, expiry or revocation; checked every second. */
  isValid(): boolean;
}

interface Followed {
  readonly topic: Topic;
  readonly wrapper: string | undefined;
}

/** A client of streams: its subscriptions and its sign-in. */
export class Connection extends ClientSocket implements Subscriber {
  /** Whether events of bots' streams are wrapped in the name of their stream. */
  readonly isWrapped: boolean;
  /** Whether it connected by the path of the platform's own protocol. */
  readonly isOwn: boolean;
  access: Access | undefined;
  /** By the name of the subscription. */
  readonly #followed = new Map<string, Followed>();
  readonly #hub: Hub;
  readonly #maxSubscriptions: number;

  constructor(
    ws: WebSocket,
    socket: Duplex,
    hub: Hub,
    limits: ConnectionLimits,
    client: { readonly address: string; readonly isWrapped: boolean; readonly isOwn?: boolean },
  ) {
    super(ws, socket, limits, client.address);
    this.#hub = hub;
    this.#maxSubscriptions = limits.maxSubscriptions;
    this.isWrapped = client.isWrapped;
    this.isOwn = client.isOwn ?? false;
  }

  get subscriptions(): readonly string[] {
    return [...this.#followed.keys()];
  }

  hasRoomFor(subscriptions: number): boolean {
    return this.#followed.size + subscriptions <= this.#maxSubscriptions;
  }

  follows(name: string): boolean {
    return this.#followed.has(name);
  }

  follow(name: string, topic: Topic, wrapper: string | undefined): void {
    this.#followed.set(name, { topic, wrapper });
  }

  leave(name: string): boolean {
    const followed = this.#followed.get(name);
    if (followed === undefined) return false;
    this.#followed.delete(name);
    const { topic, wrapper } = followed;
    for (const other of this.#followed.values()) {
      // Another subscription uses the same topic and wrapper, so the topic stays followed.
      if (other.topic === topic && other.wrapper === wrapper) return true;
    }
    this.#hub.leave(topic, this, wrapper);
    return true;
  }

  /** Ends all subscriptions. */
  override release(): void {
    for (const name of [...this.#followed.keys()]) this.leave(name);
  }
}
