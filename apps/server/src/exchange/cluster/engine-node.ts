import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import { acquireLease, openLeads } from "../../kernel/nats/lease.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import type { Random } from "../../kernel/random.ts";
import type { Check } from "../../kernel/readiness.ts";
import type { SegmentRetention } from "../journal/segment-retention.ts";
import { Snapshotter } from "../journal/snapshotter.ts";
import { CommandMetrics } from "../metrics/command-metrics.ts";
import { watchJournal } from "../metrics/durability-metrics.ts";
import { type Lead, takeLead } from "./lead.ts";
import { openFollower } from "./node.ts";

export interface EngineNodeOptions {
  readonly link: NatsLink;
  /** Unique among the processes. */
  readonly name: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly maxCommandsWaiting: number;
  /** LOG-8: whether only exempt commands pass at the moment. */
  readonly isOnlyReducing?: (() => boolean) | undefined;
  /** LOG-8: which segments of this copy are removed. */
  readonly segments?: SegmentRetention | undefined;
  /** Whether an empty stream is filled from this folder's journal. */
  readonly adoptsJournal: boolean;
  readonly onProgress: (line: string) => void;
  /** The engine has failed or lost the lease. The supervisor of the process must restart it. */
  readonly onFatal: (error: unknown) => void;
}

export interface EngineNode {
  readonly check: Check;
  close(): Promise<void>;
}

const LEAD_KEY = "engine";

/** Starts one of several engines: it follows the log until it gets the lease, then it leads. */
export async function startEngineNode(options: EngineNodeOptions): Promise<EngineNode> {
  const { link, name, folder, clock, log, metrics, maxCommandsWaiting, onProgress, onFatal } = options;
  const begun_ms = performance.now();
  const follower = await openFollower({ ...options, onFailure: onFatal });
  const { exchange: following, recovered, stream } = follower;
  const recovery_ms = performance.now() - begun_ms;
  const commands = new CommandMetrics(metrics);
  let lead: Lead | undefined;
  const snapshotter = new Snapshotter({
    folder,
    engine: following.engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber: () => Number.POSITIVE_INFINITY,
    segments: options.segments,
    onPassedOver: (line) => log.warn(line),
    onFault: (err) => log.error({ err }, "a snapshot could not be made"),
  });
  following.listen(snapshotter.onApplied);
  const active = () => lead?.exchange ?? following;
  commands.watch(metrics, {
    engine: following.engine,
    listen: (listener) => following.listen(listener),
    get waiting() {
      return active().waiting;
    },
    get failure() {
      return active().failure;
    },
  });
  watchJournal(metrics, { folder, recovered, recovery_ms, snapshotter });
  metrics.gauge("bourse_engine_leads", "1 where this engine puts the commands in order", () => (lead ? 1 : 0));
  following.start();

  const stopping = new AbortController();
  const leading = (async () => {
    const leads = await openLeads(link);
    const lease = await acquireLease(leads, LEAD_KEY, name, stopping.signal);
    if (lease === undefined) return;
    const listeners = [snapshotter.onApplied, commands.heard];
    const copy = recovered.log;
    lead = await takeLead({
      link,
      stream,
      copy,
      following,
      lease,
      clock,
      maxCommandsWaiting,
      isOnlyReducing: options.isOnlyReducing,
      listeners,
      probe: commands,
      onFault: (err) => log.error({ err }, "a message was no submission"),
      onFailure: onFatal,
    });
    onProgress(`leads, from command ${following.engine.state.commandNumber + 1} on`);
  })();
  leading.catch(onFatal);

  return {
    check: {
      name: "engine",
      isVital: true,
      run: async () => {
        const { failure } = active();
        if (failure !== undefined) throw new Error(`takes no commands: ${failure.message}`);
        const { commandNumber } = following.engine.state;
        return `${lead === undefined ? "stands by" : "leads"}, ${commandNumber} commands`;
      },
    },
    async close() {
      stopping.abort();
      await leading;
      if (lead === undefined) await following.close();
      else await lead.close();
      await snapshotter.close();
    },
  };
}
