import type { NatsBus } from "./bus.ts";
import type { NatsLink } from "./link.ts";

/** The shared parts of the processes of a distributed exchange. */
export interface Cluster {
  readonly link: NatsLink;
  readonly bus: NatsBus;
  /** The process cannot continue: its supervisor restarts it. */
  readonly onFatal: (error: unknown) => void;
}
