import { DAY_ms } from "../../kernel/dates.ts";
import type { Epochs } from "../../points/index.ts";
import { MARKET_MAKERS } from "./growth-cast.ts";
import type { WebClient } from "./web-client.ts";

const BASE = "/api/v1/points";
/** A history of this many days contains a whole season. */
const DAYS_FOR_TWO = 30;
const EPOCHS_OF_FIRST = 2;
/** How long the running season continues from now. */
const EPOCHS_TO_COME = 3;
const BOOSTS = { SOLUSDT: "1.5", AVAXUSDT: "2" };

interface ListedSeason {
  readonly season_id: string;
  readonly label: string;
  readonly status: string;
}

export interface DemoSeasonsOptions {
  readonly web: WebClient;
  readonly epochs: Epochs;
  readonly admin: () => Promise<string>;
  readonly addressOf: (label: string) => string;
}

/** The demo's seasons: a finished one, if the history is long enough, and a running one. */
export class DemoSeasons {
  readonly #options: DemoSeasonsOptions;

  constructor(options: DemoSeasonsOptions) {
    this.#options = options;
  }

  /** On the first day: the rules, the market makers and the seasons. */
  async open(first_ms: number, days: number): Promise<void> {
    const { web, epochs, admin, addressOf } = this.#options;
    const token = await admin();
    const wallets = MARKET_MAKERS.map(({ label, name }) => ({ address: addressOf(label), label: name }));
    await web.call("PUT", `${BASE}/admin/makers`, token, { wallets });
    const known = new Set((await this.#list()).map(({ label }) => label));
    if (known.size === 0) await web.call("PUT", `${BASE}/admin/rules`, token, { boosts: BOOSTS });
    const first = epochs.of(first_ms);
    const last = epochs.of(first_ms + days * DAY_ms) + EPOCHS_TO_COME;
    const hasTwo = days >= DAYS_FOR_TWO;
    const seasons = [
      ...(hasTwo ? [{ label: "Season 1: First Light", start_epoch: first, end_epoch: first + EPOCHS_OF_FIRST }] : []),
      {
        label: `Season ${hasTwo ? 2 : 1}: High Tide`,
        start_epoch: hasTwo ? first + EPOCHS_OF_FIRST + 1 : first,
        end_epoch: last,
      },
    ];
    for (const season of seasons) {
      if (known.has(season.label)) continue;
      const pools = { user_pool_tokens: 1_000_000, mm_pool_tokens: 100_000 };
      await web.call("POST", `${BASE}/admin/seasons`, token, { ...season, ...pools });
    }
  }

  /** On the last day: declares all tokens of the previous season claimable. */
  async close(): Promise<void> {
    const { web, admin } = this.#options;
    const token = await admin();
    for (const { season_id, status } of await this.#list()) {
      if (status === "distributing") await web.call("POST", `${BASE}/admin/seasons/${season_id}/complete`, token, {});
    }
  }

  #list(): Promise<ListedSeason[]> {
    return this.#options.web.call("GET", `${BASE}/seasons`);
  }
}
