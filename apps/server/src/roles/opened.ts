import { type Clock, MovableClock, systemClock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Settings } from "../settings/settings.ts";

/** What every role begins with. */
export interface Opened {
  readonly settings: Settings;
  readonly log: Log;
  /** Lines for whoever waits for the start. */
  readonly say: (line: string) => void;
}

/** What was started, as far as stopping it goes. */
export interface Running {
  close(): Promise<void>;
}

/** For a process that has no database to read it from: it hears of moves with the commands. */
export const followingClock = ({ environment }: Settings): Clock =>
  environment === "development" ? new MovableClock() : systemClock;

export const addressOf = ({ host, port }: Settings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
