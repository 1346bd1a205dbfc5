import { createHmac } from "node:crypto";
import type { ChainSystem } from "../../chain/index.ts";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import { type MovableClock, systemClock } from "../../kernel/clock.ts";
import type { Database, Db, Tx } from "../../kernel/database/database.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { createJobStore } from "../../kernel/jobs/store.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import type { Random } from "../../kernel/random.ts";
import type { Epochs } from "../../points/index.ts";
import type { Settings } from "../../settings/settings.ts";
import { DemoCampaign } from "./campaign.ts";
import { depositForAll } from "./deposits.ts";
import { DemoHistory } from "./history.ts";
import { People } from "./people.ts";
import { DemoSeasons } from "./seasons.ts";
import { WebClient } from "./web-client.ts";

/** The parts of the exchange that the demo's history needs. */
export interface PastExchange {
  readonly exchange: Exchange;
  readonly directory: AccountDirectory;
  readonly dispatcher: OutboxDispatcher;
  /** Moves the clock while keeping prices fresh. */
  duringClockMove<Result>(move: () => Promise<Result>): Promise<Result>;
}

export interface BringToPresentOptions {
  readonly settings: Settings;
  readonly database: Pick<Database, "db">;
  readonly clock: MovableClock;
  readonly random: Random;
  readonly chain: ChainSystem;
  readonly system: PastExchange;
  readonly settle: (period: string) => Promise<unknown>;
  readonly jobs: readonly JobDefinition[];
  readonly epochs: Epochs;
  readonly app: App;
  readonly onProgress: (line: string) => void;
}

/** The password of the demo's BDs: as secret as the installation's other development credentials. */
export const demoBdPassword = (walletSeed: string): string =>
  createHmac("sha256", walletSeed).update("demo BD password").digest("hex").slice(0, 16);

/** Runs a job and stores its watermark, because the scheduler does not run yet. */
async function runAsDue(db: Db, jobs: readonly JobDefinition[], name: string, now_ms: number): Promise<void> {
  const job = jobs.find((each) => each.name === name);
  if (job === undefined) throw new RangeError(`no job is called ${name}`);
  const store = createJobStore(db);
  await store.create(name, now_ms - 1);
  const since_ms = (await store.load()).get(name)?.watermark_ms ?? now_ms - 1;
  let isMoved = false;
  const moveWatermark = async (tx: Tx | undefined) => {
    if (!isMoved) await store.moveWatermark(name, since_ms, now_ms, tx);
    isMoved = true;
  };
  await job.run({ since_ms, due_ms: now_ms, isManual: false, moveWatermark });
  await moveWatermark(undefined);
}

/**
 * A platform with a demo starts in the past; this function advances it to the present with the activity of the demo's participants.
 * Call it before any other request is possible.
 */
export async function bringToPresent(options: BringToPresentOptions): Promise<void> {
  const { settings, database, clock, random, chain, system, settle, epochs, app, onProgress } = options;
  if (clock.offset_ms >= 0) return;
  const moveClock = (target_ms: number) => system.duringClockMove(async () => clock.advanceTo(target_ms));
  const walletSeed = settings.secretsKey;
  const web = new WebClient({ app, publicUrl: settings.publicUrl, walletSeed });
  const { adminUsername: username, adminPassword: password } = settings;
  const bdPassword = demoBdPassword(walletSeed);
  const people = new People({ web, walletSeed, admin: { username, password }, bdPassword });
  const addressOf = (label: string) => people.addressOf(label);
  const common = { web, admin: () => people.admin(), addressOf };
  const history = new DemoHistory({
    db: database.db,
    clock,
    // Without a demo only the time is advanced.
    days: settings.demo && chain.isEmbedded ? settings.demoHistoryDays : 0,
    exchange: system.exchange,
    directory: system.directory,
    web,
    people,
    seasons: new DemoSeasons({ ...common, epochs }),
    campaign: new DemoCampaign({ ...common, exchange: system.exchange, directory: system.directory }),
    seed: walletSeed,
    moveClock,
    followClock: () => chain.followClock(),
    deposit: (wallets) => depositForAll({ ...chain, ...system, random }, wallets),
    settle,
    runJob: (name) => runAsDue(database.db, options.jobs, name, clock.now()),
    now: () => systemClock.now(),
    onProgress,
  });
  await history.build();
}
