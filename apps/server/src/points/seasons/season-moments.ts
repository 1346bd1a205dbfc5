import type { Epochs } from "../epochs.ts";
import type { PointsDb } from "../tables.ts";
import { listSeasons } from "./season-store.ts";
import { momentsOf } from "./timing.ts";

/** The moments at which seasons change by themselves, in memory because the scheduler polls them often. */
export class SeasonMoments {
  readonly #db: PointsDb;
  readonly #epochs: Epochs;
  /** In ascending order. */
  #moments_ms: readonly number[] = [];

  constructor(db: PointsDb, epochs: Epochs) {
    this.#db = db;
    this.#epochs = epochs;
  }

  /** Call it at the start and after every change of a season; changes by other processes are seen at the next run. */
  async load(): Promise<void> {
    const running = (await listSeasons(this.#db)).filter(({ status }) => status !== "completed");
    const moments = running.flatMap((season) => momentsOf(this.#epochs, season));
    this.#moments_ms = moments.map(({ at_ms }) => at_ms).sort((a, b) => a - b);
  }

  nextAfter(after_ms: number): number | undefined {
    return this.#moments_ms.find((at_ms) => at_ms > after_ms);
  }
}
