import type { NatsBus } from "./bus.ts";
import type { NatsLink } from "./link.ts";

/** The shared parts of the processes of a distributed exchange. */
export interface Cluster {
  readonly link: NatsLink;
  readonly bus: NatsBus;
  /** The process cannot continue: its supervisor restarts it. */
  readonly onFatal: (error: unknown) => void;
  /** LOG-5: the newest rules version that all processes say they can apply. */
  knownRules(): Promise<number>;
}
