/** What the page's one socket is doing. */
export type ConnectionState = "idle" | "connecting" | "open" | "waiting";

export type ConnectionEvent =
  /** There is a first subscriber, or the last one left. */
  | "wanted"
  | "unwanted"
  /** Of the socket. */
  | "opened"
  | "lost"
  /** The pause before the next try is over. */
  | "due"
  /** The network is back or the page is looked at again: no reason to wait any longer, and to doubt an old socket. */
  | "woken";

export type ConnectionAction = "connect" | "drop" | "wait" | "probe";

export interface Transition {
  readonly to: ConnectionState;
  readonly action?: ConnectionAction;
}

/** What is not in the table changes nothing. */
const TABLE: Readonly<Record<ConnectionState, Readonly<Partial<Record<ConnectionEvent, Transition>>>>> = {
  idle: {
    wanted: { to: "connecting", action: "connect" },
  },
  connecting: {
    opened: { to: "open" },
    lost: { to: "waiting", action: "wait" },
    unwanted: { to: "idle", action: "drop" },
  },
  open: {
    lost: { to: "waiting", action: "wait" },
    woken: { to: "open", action: "probe" },
    unwanted: { to: "idle", action: "drop" },
  },
  waiting: {
    due: { to: "connecting", action: "connect" },
    woken: { to: "connecting", action: "connect" },
    unwanted: { to: "idle", action: "drop" },
  },
};

export const transitionOf = (state: ConnectionState, event: ConnectionEvent): Transition =>
  TABLE[state][event] ?? { to: state };

const FIRST_PAUSE_MS = 400;
const MAX_PAUSE_MS = 5_000;

/** Doubles with every failed attempt. Half of it is random, so that clients do not all reconnect at once. */
export function retryPause_ms(triesInVain: number, random: number): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(triesInVain, 10));
  return Math.round(pause / 2 + (pause / 2) * random);
}
