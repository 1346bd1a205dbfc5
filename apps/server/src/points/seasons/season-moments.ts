import type { Epochs } from "../epochs.ts";
import type { PointsDb } from "../tables.ts";
import { listSeasons } from "./season-store.ts";
import { momentsOf } from "./timing.ts";

/** When seasons move by themselves, known without asking the database: the scheduler looks often. */
export class SeasonMoments {
  readonly #db: PointsDb;
  readonly #epochs: Epochs;
  /** In order. */
  #moments_ms: readonly number[] = [];

  constructor(db: PointsDb, epochs: Epochs) {
    this.#db = db;
    this.#epochs = epochs;
  }

  /** To be called at the start, and after whatever changes a season; another process's changes are seen at the next run. */
  async load(): Promise<void> {
    const running = (await listSeasons(this.#db)).filter(({ status }) => status !== "completed");
    const moments = running.flatMap((season) => momentsOf(this.#epochs, season));
    this.#moments_ms = moments.map(({ at_ms }) => at_ms).sort((a, b) => a - b);
  }

  nextAfter(after_ms: number): number | undefined {
    return this.#moments_ms.find((at_ms) => at_ms > after_ms);
  }
}
