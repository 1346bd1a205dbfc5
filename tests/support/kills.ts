import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "./server.ts";
import { postJson } from "./traders.ts";

/** Something that goes on until the server is gone, or until it is told that it is over. */
export type Acting = (server: RunningServer, isOver: () => boolean) => Promise<void>;

/** Whatever fails because the server is gone has no answer; a refusal of a living server is a failure. */
export async function whileItLives(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Lets them act for a while and kills the server in the midst of it. */
export async function liveThroughKill(
  server: RunningServer,
  acting: readonly Acting[],
  life_ms: number,
): Promise<void> {
  let isOver = false;
  const acts = acting.map((act) => act(server, () => isOver));
  // One that fails at once is not to be met only after the others.
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

/** The same, with all that falls due on the way; a server that was killed in the midst of it may be there already. */
export async function reachTime(server: RunningServer, now: number): Promise<void> {
  if ((await timeOf(server)) < now) await postJson(`${server.baseUrl}/api/v1/dev/clock`, { now });
}
