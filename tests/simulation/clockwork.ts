import type { Dice } from "../../apps/server/src/chain/testing/dice.ts";
import type { Client } from "./ground/client.ts";
import type { World } from "./ground/world.ts";
import type { Streams } from "./streams.ts";

const MINUTE_ms = 60_000;
const HOUR_ms = 60 * MINUTE_ms;
const DAY_ms = 24 * HOUR_ms;
/** Sign-ins last an hour: after a longer pause people sign in again. */
const LONG_ms = 40 * MINUTE_ms;
/** The time of day by which the previous day has been settled. */
const SETTLED_ms = 12 * MINUTE_ms;

interface ClockReply {
  readonly now_ms: number;
}

/** Moves the platform's clock as operators can, for everybody. */
export class Clockwork {
  readonly #world: World;
  readonly #client: Client;
  readonly #streams: Streams;

  constructor(world: World, client: Client, streams: Streams) {
    this.#world = world;
    this.#client = client;
    this.#streams = streams;
  }

  /** The moments of the actions until the day is settled; midnight is handled separately. */
  momentsOfDay(dice: Dice): number[] {
    const { now_ms } = this.#world;
    const midnight_ms = (Math.floor(now_ms / DAY_ms) + 1) * DAY_ms;
    const moments = Array.from({ length: dice.whole(3, 4) }, () =>
      dice.whole(now_ms + MINUTE_ms, midnight_ms - HOUR_ms),
    );
    // Never on the hour: whether a trade at that moment comes before its funding is not defined.
    const apart = moments.sort((one, other) => one - other).map((moment) => moment - (moment % 1_000) + 500);
    return [...apart, midnight_ms - 20_500, midnight_ms + 20_500, midnight_ms + SETTLED_ms];
  }

  async moveTo(target_ms: number): Promise<void> {
    const { now_ms } = this.#world;
    if (target_ms <= now_ms) return;
    const isLong = target_ms - now_ms > LONG_ms;
    this.#world.node.forgetMark();
    if (isLong) await this.#streams.leave();
    await this.#client.post<ClockReply>("/api/v1/dev/clock", { now: target_ms });
    this.#world.clockKept();
    if (isLong) await this.#streams.comeBack();
  }
}
