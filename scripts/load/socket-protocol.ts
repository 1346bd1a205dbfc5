import type { HistogramRecord } from "./histogram.ts";

export interface SocketPlan {
  readonly path: string;
  readonly forwardedFor: string;
  readonly kind: "market" | "depth" | "user" | "slow";
}

/** What the sockets of a process received since its last report. */
export interface Delivered {
  readonly messages: number;
  readonly bytes: number;
  /** From the event's own time to its receipt. */
  readonly lag: HistogramRecord;
  readonly userLag: HistogramRecord;
  /** Depth updates that did not follow the previous one. */
  readonly gaps: number;
  readonly cpu_us: number;
  readonly wall_ms: number;
}

export interface SocketCounts {
  readonly open: number;
  /** Closed by the server although they were read. */
  readonly cut: number;
  readonly slowOpen: number;
}

/** Messages to a process that holds sockets. */
export type SocketOrder =
  | {
      readonly type: "open";
      readonly baseUrl: string;
      readonly sockets: readonly SocketPlan[];
      readonly perSecond: number;
    }
  | { readonly type: "pauseSlow" }
  | { readonly type: "resumeSlow" }
  | { readonly type: "read" }
  | { readonly type: "close" };

export type SocketReport =
  | { readonly type: "opened"; readonly refused: readonly string[] }
  | { readonly type: "done" }
  | { readonly type: "delivered"; readonly delivered: Delivered; readonly counts: SocketCounts }
  | { readonly type: "failed"; readonly message: string };
