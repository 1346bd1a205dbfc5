/** What belongs to one exchange on a NATS system, which may serve several: all names begin with the same word. */
export function clusterNames(prefix: string) {
  return {
    /** The stream of commands: the truth of the exchange. */
    stream: `${prefix}-commands`,
    commands: `${prefix}.commands`,
    /** Buckets of leases: which engine leads; which worker is active and who is a member. */
    leads: `${prefix}-leads`,
    leases: `${prefix}-leases`,
    /** Where the engine of a term takes commands, and says how far it is. */
    submissions: (term: number) => `${prefix}.submit.${term}`,
    progress: (term: number) => `${prefix}.progress.${term}`,
    /** Where a sender hears of what was not taken. */
    sender: (sender: number) => `${prefix}.sender.${sender}`,
    /** Messages to all members. */
    bus: (topic: string) => `${prefix}.bus.${topic}`,
    /** Questions to the worker. */
    worker: (topic: string) => `${prefix}.worker.${topic}`,
  };
}

export type ClusterNames = ReturnType<typeof clusterNames>;
