import { createHmac } from "node:crypto";
import type { ChainSystem } from "../../chain/system.ts";
import type { ExchangeSystem } from "../../exchange/system.ts";
import { type MovableClock, systemClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { App } from "../../kernel/http/app.ts";
import type { Random } from "../../kernel/random.ts";
import type { Settings } from "../../settings/settings.ts";
import { depositForAll } from "./deposits.ts";
import { DemoHistory } from "./history.ts";
import { People } from "./people.ts";
import { WebClient } from "./web-client.ts";

export interface BringToPresentOptions {
  readonly settings: Settings;
  readonly database: Pick<Database, "db">;
  readonly clock: MovableClock;
  readonly random: Random;
  readonly chain: ChainSystem;
  readonly system: Pick<ExchangeSystem, "exchange" | "directory" | "dispatcher" | "duringClockMove">;
  readonly settle: (period: string) => Promise<unknown>;
  readonly app: App;
  readonly onProgress: (line: string) => void;
}

/** The password of the demo's BDs: as secret as the installation's other development credentials. */
export const demoBdPassword = (walletSeed: string): string =>
  createHmac("sha256", walletSeed).update("demo BD password").digest("hex").slice(0, 16);

/**
 * A platform with a demo begins in the past; this lets the time between pass, with everything that the demo's people did in
 * it. To be called before anybody else can do anything.
 */
export async function bringToPresent(options: BringToPresentOptions): Promise<void> {
  const { settings, database, clock, random, chain, system, settle, app, onProgress } = options;
  if (clock.offset_ms >= 0) return;
  const moveClock = (target_ms: number) => system.duringClockMove(async () => clock.advanceTo(target_ms));
  const walletSeed = settings.secretsKey;
  const web = new WebClient({ app, publicUrl: settings.publicUrl, walletSeed });
  const { adminUsername: username, adminPassword: password } = settings;
  const bdPassword = demoBdPassword(walletSeed);
  const people = new People({ web, walletSeed, admin: { username, password }, bdPassword });
  const history = new DemoHistory({
    db: database.db,
    clock,
    // Without a demo there is only the time to be made up for.
    days: settings.demo && chain.isEmbedded ? settings.demoHistoryDays : 0,
    exchange: system.exchange,
    directory: system.directory,
    web,
    people,
    seed: walletSeed,
    moveClock,
    followClock: () => chain.followClock(),
    deposit: (wallets) => depositForAll({ ...chain, ...system, random }, wallets),
    settle,
    now: () => systemClock.now(),
    onProgress,
  });
  await history.build();
}
