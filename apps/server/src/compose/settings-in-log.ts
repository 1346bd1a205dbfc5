import { BROKER_ROWS } from "../broker/index.ts";
import { type TakeUpOptions, takeUpSettings } from "../kernel/engine-requests/take-up.ts";
import { POINTS_ROWS } from "../points/index.ts";

export interface EarlierSettingsOptions extends Omit<TakeUpOptions, "rows"> {
  readonly onError: (error: unknown) => void;
}

const ROWS = [...BROKER_ROWS, ...POINTS_ROWS];

/** LOG-3: notes settings from before they were noted, each row once. */
export class EarlierSettings {
  readonly #options: EarlierSettingsOptions;
  #rest: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: EarlierSettingsOptions) {
    this.#options = options;
  }

  /** Call it at the start, and when the rules change. Few exchanges have more than a page; the rest is noted while they run. */
  async run(): Promise<void> {
    if (!(await this.#page()) || this.#rest !== undefined) return;
    this.#rest = this.#noteRest().finally(() => {
      this.#rest = undefined;
    });
  }

  /** What is left is noted after the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#rest;
  }

  #page(): Promise<boolean> {
    return takeUpSettings({ ...this.#options, rows: ROWS });
  }

  async #noteRest(): Promise<void> {
    try {
      let isMore = true;
      while (isMore && !this.#isStopping) isMore = await this.#page();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
