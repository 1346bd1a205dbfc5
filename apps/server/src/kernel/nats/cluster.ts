import type { NatsBus } from "./bus.ts";
import type { NatsLink } from "./link.ts";

/** What the processes of a distributed exchange share. */
export interface Cluster {
  readonly link: NatsLink;
  readonly bus: NatsBus;
  /** This process can do no more: whoever looks after it starts it anew. */
  readonly onFatal: (error: unknown) => void;
}
