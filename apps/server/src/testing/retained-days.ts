import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { NewApiKey } from "@bourse/api";
import { pino } from "pino";
import { Archive } from "../backup/index.ts";
import type { Partner } from "../broker/partners/testing/scene.ts";
import { PartnersScene } from "../broker/partners/testing/scene.ts";
import type { MovableClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "./test-platform.ts";

export interface RetainedDaysOptions {
  /** The data folder, and `BACKUP_DIR`. */
  readonly path: string;
  readonly backupDir: string;
  readonly database: Database;
  readonly clock: MovableClock;
  readonly environment: Record<string, string>;
}

/** Small, so that a day of a few hundred commands has several of each. */
const JOURNAL = { segment_bytes: 65_536, snapshotEvery_commands: 2_000 };
const PRICE = "50000";

/** LOG-8: an exchange with retention on that trades a little every day, also across restarts. */
export class RetainedDays {
  readonly #options: RetainedDaysOptions;
  #platform: TestPlatform | undefined;
  #archive: Archive | undefined;
  #starts = 0;
  #maker: NewApiKey | undefined;
  #taker: NewApiKey | undefined;
  /** Bound to a KOL, so that every day has a settlement. */
  customer: Partner | undefined;
  kol: Partner | undefined;

  constructor(options: RetainedDaysOptions) {
    this.#options = options;
  }

  get platform(): TestPlatform {
    assert.ok(this.#platform !== undefined, "it is started");
    return this.#platform;
  }

  async start(diskFree = 0.5): Promise<void> {
    const { path, backupDir, database, clock, environment } = this.#options;
    this.#starts += 1;
    this.#platform = await createTestPlatform(
      { HISTORY_DAYS: "7", LOG_DAYS: "2", BACKUP_DIR: backupDir, ...environment },
      {
        path,
        database: { ...database, close: async () => {} },
        clock,
        seed: `start ${this.#starts}`,
        diskFree,
        journal: JOURNAL,
      },
    );
    const log = pino({ level: "silent" });
    this.#archive = new Archive({ folder: path, to: backupDir, log, metrics: createMetrics(), poll_ms: 20 });
    this.#archive.start();
    await this.platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: PRICE });
  }

  async stop(): Promise<void> {
    await this.#archive?.stop();
    await this.#platform?.close();
    this.#platform = undefined;
  }

  /** Traders with money: a market maker, and a KOL's customer who takes. */
  async open(): Promise<void> {
    const scene = await PartnersScene.on(this.platform);
    this.kol = await scene.kol(5);
    const terms = { code_type: "direct", share_ratio: "0", customer_rebate_ratio: "0.1" };
    const { code } = await scene.code(this.kol.token, terms);
    const visitor = await scene.visitor();
    const bound = await scene.bind(visitor.token, code);
    assert.equal(bound.statusCode, 200, bound.body);
    this.customer = { ...visitor, id: "" };
    const maker = testWallet(1);
    for (const { address } of [maker, visitor]) {
      await this.platform.post("/api/v1/dev/faucet", { address, amount: "500000" });
    }
    this.#maker = await this.platform.makeApiKey(maker);
    this.#taker = await this.platform.makeApiKey(visitor.wallet);
  }

  /** Trades both ways, so that positions do not grow, and moves the clock to the next day. */
  async day(trades: number, length_ms = DAY_ms): Promise<void> {
    for (let trade = 0; trade < trades; trade += 1) {
      const [side, other] = trade % 2 === 0 ? ["BUY", "SELL"] : ["SELL", "BUY"];
      await this.#place(this.#maker!, `side=${other}&type=LIMIT&timeInForce=GTC&quantity=0.01&price=${PRICE}`);
      await this.#place(this.#taker!, `side=${side}&type=LIMIT&timeInForce=IOC&quantity=0.01&price=${PRICE}`);
    }
    const moved = await this.platform.post("/api/v1/dev/clock", { advance_ms: length_ms });
    assert.equal(moved.statusCode, 200, moved.body);
    const failed = moved.json().jobs_run.filter(({ error }: { error?: string | null }) => error != null);
    assert.deepEqual(failed, []);
  }

  async #place(key: NewApiKey, text: string): Promise<void> {
    const reply = await this.platform.signedCall("POST", "/fapi/v1/order", key, `symbol=BTCUSDT&${text}`);
    assert.equal(reply.statusCode, 200, reply.body);
  }

  /** As the taker. */
  get(path: string, text: string) {
    return this.platform.signedCall("GET", path, this.#taker!, text);
  }

  place(text: string) {
    return this.platform.signedCall("POST", "/fapi/v1/order", this.#taker!, `symbol=BTCUSDT&${text}`);
  }

  /** Of the parts of the data folder. */
  bytes(): Record<string, number> {
    const { path } = this.#options;
    return Object.fromEntries(
      ["journal", "snapshots", "database", "chain"].map((name) => [name, sizeOf(join(path, name))]),
    );
  }
}

export function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
