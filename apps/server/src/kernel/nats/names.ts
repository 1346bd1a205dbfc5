/** The names of one exchange on a NATS system, which may serve several: all begin with the same prefix. */
export function clusterNames(prefix: string) {
  return {
    /** The stream of commands, which is authoritative. */
    stream: `${prefix}-commands`,
    commands: `${prefix}.commands`,
    /** Buckets of leases: the leading engine; the active worker and the members. */
    leads: `${prefix}-leads`,
    leases: `${prefix}-leases`,
    /** The subject on which the engine of a term accepts commands and reports its progress. */
    submissions: (term: number) => `${prefix}.submit.${term}`,
    progress: (term: number) => `${prefix}.progress.${term}`,
    /** The subject on which a sender learns which commands were not accepted. */
    sender: (sender: number) => `${prefix}.sender.${sender}`,
    /** Questions to all members which snapshots they have, and to one of them for their bytes. */
    snapshots: `${prefix}.snapshots`,
    snapshotsOf: (member: number) => `${prefix}.snapshots.${member}`,
    /** Messages to all members. */
    bus: (topic: string) => `${prefix}.bus.${topic}`,
    /** Requests to the worker. */
    worker: (topic: string) => `${prefix}.worker.${topic}`,
  };
}

export type ClusterNames = ReturnType<typeof clusterNames>;
