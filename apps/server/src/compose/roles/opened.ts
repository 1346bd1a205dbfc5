import { type Clock, MovableClock, systemClock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import type { Settings } from "../../settings/settings.ts";

/** The common start of every role. */
export interface Opened {
  readonly settings: Settings;
  readonly log: Log;
  /** Prints a progress line during the start. */
  readonly say: (line: string) => void;
}

/** A started role, which can be stopped. */
export interface Running {
  close(): Promise<void>;
}

/** For a process without a database: it learns of clock moves from the commands. */
export const followingClock = ({ environment }: Settings): Clock =>
  environment === "development" ? new MovableClock() : systemClock;

/** Ends a process that must not serve any longer, with a line that says why. The log has everything that was acknowledged. */
export function stopAtOnce(error: unknown): never {
  const isExplained = error instanceof StartRefusal || !(error instanceof Error);
  process.stderr.write(
    `\nBourse stops: ${isExplained ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
  );
  process.exit(1);
}

export const addressOf = ({ host, port }: Settings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
