import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "./server.ts";
import { postJson } from "./traders.ts";

/** An activity that continues until the server is dead, or until `isOver`. */
export type Acting = (server: RunningServer, isOver: () => boolean) => Promise<void>;

/** Ignores errors because the server is dead; a refusal of a running server is a failure. */
export async function whileItLives(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Runs the activities for a while and kills the server during them. */
export async function liveThroughKill(
  server: RunningServer,
  acting: readonly Acting[],
  life_ms: number,
): Promise<void> {
  let isOver = false;
  const acts = acting.map((act) => act(server, () => isOver));
  // A failure must show at once, not only after the others have ended.
  const failed = Promise.all(acts);
  await Promise.race([sleep(life_ms), failed]);
  isOver = true;
  server.kill("SIGKILL");
  await failed;
  await server.exited;
}

/** Moves the platform's clock. */
export const moveClock =
  (now: number): Acting =>
  ({ baseUrl }) =>
    whileItLives(() => postJson(`${baseUrl}/api/v1/dev/clock`, { now }));

export const timeOf = async ({ baseUrl }: RunningServer): Promise<number> =>
  ((await (await fetch(`${baseUrl}/fapi/v1/time`)).json()) as { serverTime: number }).serverTime;

/** Moves the clock with everything that is due on the way; a server that was killed during it may be there already. */
export async function reachTime(server: RunningServer, now: number): Promise<void> {
  if ((await timeOf(server)) < now) await postJson(`${server.baseUrl}/api/v1/dev/clock`, { now });
}
