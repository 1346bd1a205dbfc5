import { createBonus } from "../bonus/index.ts";
import { createBroker, createRebateInvariant } from "../broker/index.ts";
import { createChainSystem } from "../chain/index.ts";
import { bringToPresent, EarnDemo, keepClock, registerDevRoutes, registerPersonasRoute } from "../dev/index.ts";
import { createEarn, principalsAt } from "../earn/index.ts";
import { cursorKey, type JournalDisk, type Standby } from "../exchange/index.ts";
import { createIdentity, registerIdentityRoutes } from "../identity/index.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { noBus } from "../kernel/bus/bus.ts";
import { type Clock, MovableClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { type StatFs, startDiskGuard } from "../kernel/disk-guard.ts";
import type { App } from "../kernel/http/app.ts";
import { registerDocsPage, registerOpenApi } from "../kernel/http/docs.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { Scheduler } from "../kernel/jobs/scheduler.ts";
import { createJobStore } from "../kernel/jobs/store.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Cluster } from "../kernel/nats/cluster.ts";
import { PageCursors } from "../kernel/page-cursor.ts";
import type { Random } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import { createPoints, listedMakers } from "../points/index.ts";
import { createReferral } from "../referral/index.ts";
import type { Settings } from "../settings/settings.ts";
import { createExchangeSystem } from "./exchange.ts";
import { httpServerOptions } from "./http-options.ts";
import { createJobs } from "./jobs.ts";
import { registerAdminRoutes, registerConfigRoute, registerHealthRoutes } from "./operations-routes.ts";
import { createProjections } from "./projections.ts";
import { registerWebApp } from "./web.ts";

/** The dependencies of a platform. A test passes another clock, database or source of randomness. */
export interface Ground {
  readonly settings: Settings;
  /** Open and migrated. */
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Receives progress lines during the start. */
  readonly onProgress?: (line: string) => void;
  /** Set if the command log is on NATS, shared with other processes. */
  readonly cluster?: Cluster;
  /** Set if this process has followed the log before it got its place. */
  readonly standby?: Standby;
  /** For tests: replaces the command log's file access. */
  readonly disk?: JournalDisk;
  /** For tests: replaces the question for the disk's free space. */
  readonly statfs?: StatFs;
  /** For tests: small sizes, so that a short run has many segments and snapshots. */
  readonly journal?: { readonly segment_bytes: number; readonly snapshotEvery_commands: number };
}

export interface Platform {
  readonly app: App;
  /** Starts the parts that are clients of the server. Call it when the server listens. */
  listening(baseUrl: string): void;
  /** Reads again what other processes may have changed while this one was disconnected. */
  reload(): Promise<void>;
  /** Stops accepting requests, finishes current requests and jobs, then closes the database. */
  close(): Promise<void>;
}

const DATABASE_PING_MS = 1_500;

function createScheduler(ground: Ground, metrics: Metrics, jobs: ReturnType<typeof createJobs>): Scheduler {
  const { clock, database, log } = ground;
  return new Scheduler({
    clock,
    store: createJobStore(database.db),
    jobs,
    onRun: ({ name, error }, duration_ms) => {
      metrics.jobRuns.inc({ job: name, outcome: error === undefined ? "ok" : "failed" });
      if (error !== undefined) log.error({ job: name, duration_ms, error }, "a job failed");
    },
    onBookkeepingError: (job, err) => log.error({ job, err }, "a job's outcome could not be recorded"),
  });
}

function createChecks(database: Database, scheduler: Scheduler, others: readonly Check[]): Check[] {
  return [
    {
      name: "database",
      isVital: true,
      run: async () => {
        await database.ping(DATABASE_PING_MS);
        // The check is public: it shows the kind of database, not its location.
        return database.kind === "embedded" ? "embedded PostgreSQL answers" : "PostgreSQL server answers";
      },
    },
    ...others,
    {
      name: "jobs",
      isVital: false,
      run: async () => {
        const jobs = scheduler.list();
        const failing = jobs.filter((job) => job.consecutiveFailures > 0);
        if (failing.length === 0) return `${jobs.length} jobs, none failing`;
        throw new Error(failing.map((job) => `${job.name}: ${job.lastError}`).join("; "));
      },
    },
  ];
}

/** The composition root: builds every part once and passes it its dependencies. */
export async function createPlatform(ground: Ground): Promise<Platform> {
  const { settings, database, clock, random, log, metrics, cluster } = ground;
  const { db } = database;
  const limits = createLimits(settings);
  const audit = createAuditLog({ clock });
  const cursors = new PageCursors(cursorKey(settings.jwtSecret));
  const { statfs } = ground;
  const folder = settings.dataDir;
  const disk = await startDiskGuard({ folder, log, metrics, ...(statfs === undefined ? {} : { statfs }) });
  const identity = createIdentity({ database, clock, random, audit, settings, bus: cluster?.bus ?? noBus });
  await identity.load();
  await identity.staff.createFirstAdmin({ username: settings.adminUsername, password: settings.adminPassword });

  const chain = await createChainSystem({ ...ground, metrics });
  const earn = createEarn({ ...ground, ...chain, audit });
  chain.follow(earn.listener);
  chain.afterSync(earn.step);
  const earnDemo = new EarnDemo({ ...ground, ...chain, earn, walletSeed: settings.secretsKey });
  const { epochs, inviters, projections } = createProjections(settings);
  const system = await createExchangeSystem({
    ...ground,
    audit,
    identity,
    limits,
    metrics,
    chain,
    isOnlyReducing: () => disk.state === "full",
    projections,
    programInvariants: {
      // The bonus program needs the exchange, which is being built here.
      "INV-3": () => bonus.reconcile.invariant(),
      "INV-4": createRebateInvariant({ database }),
      "INV-5": earn.invariant,
    },
  });
  const { engineRequests, directory, exchange } = system;
  // If a process was killed while its clock was being moved, the engine's time may be ahead of the stored clock.
  if (clock instanceof MovableClock) clock.advanceTo(exchange.engine.state.time_ms);
  const referral = createReferral({ ...ground, ...chain, audit, engineRequests, directory });
  chain.follow(referral.listener);
  const broker = createBroker({ ...ground, ...chain, ...system, audit, cursors, identity, rebates: referral.rebates });
  referral.onTerms((tx, states) => broker.partners.affiliates.follow(tx, states));
  chain.afterSync(broker.payouts.step);
  const points = createPoints({ ...ground, ...chain, ...system, audit, epochs, inviters, principalsAt });
  const bonus = createBonus({ ...ground, ...chain, ...system, audit, makers: () => listedMakers(database) });
  chain.follow(bonus.risk.listener);
  const jobs = [
    ...createJobs({ db, audit, identity, directory }),
    ...system.jobs,
    ...chain.jobs,
    ...broker.jobs,
    ...points.jobs,
    ...bonus.jobs,
  ];
  const scheduler = createScheduler(ground, metrics, jobs);
  metrics.watchJobs(() => scheduler.list());

  const app = createHttpServer({
    ...httpServerOptions({ ...ground, identity, limits }),
    hasRaisedLimits: (apiKey) => system.isOwnBot(identity.apiKeys.find(apiKey)?.wallet),
    ...(cluster === undefined ? {} : { beforeHandling: () => exchange.current() }),
  });
  await registerOpenApi(app, settings.publicUrl);
  const checks = createChecks(database, scheduler, [
    disk.check,
    ...chain.checks,
    ...system.checks,
    broker.payouts.check,
  ]);
  registerHealthRoutes(app, { checks, metrics });
  registerConfigRoute(app, settings, chain);
  registerIdentityRoutes(app, { identity, limits });
  registerAdminRoutes(app, { db, audit, scheduler, cursors });
  chain.register(app);
  system.register(app);
  referral.register(app);
  earn.register(app);
  broker.register(app);
  points.register(app);
  bonus.register(app);
  if (settings.environment === "development" && clock instanceof MovableClock) {
    const advance = async (target_ms: number) => {
      const reports = await system.duringClockMove(() => scheduler.advance(clock, target_ms));
      await chain.followClock();
      await earn.afterClockMove();
      return reports;
    };
    registerPersonasRoute(app, settings);
    registerDevRoutes(app, { clock, scheduler, advance, keepClock: () => keepClock(db, clock) });
  }
  await registerWebApp(app);
  await registerDocsPage(app);
  await app.ready();
  await system.start(app);
  await chain.start();
  if (clock instanceof MovableClock) {
    const onProgress = ground.onProgress ?? ((line: string) => log.info(line));
    const settle = (period: string) => broker.settlement.service.settle(period);
    await bringToPresent({ ...ground, clock, chain, system, settle, jobs, epochs, app, onProgress });
  }
  await scheduler.start();

  return {
    app,
    listening(baseUrl) {
      system.listening(baseUrl);
      // Savers need tokens, and only those of the embedded chain can be minted.
      if (settings.demo && chain.isEmbedded) earnDemo.start();
    },
    async reload() {
      await identity.load();
      await system.reload();
    },
    async close() {
      await earnDemo.stop();
      disk.stop();
      await system.leave();
      await app.close();
      await scheduler.stop();
      await broker.payouts.stop();
      await chain.stop();
      await system.stop();
      await chain.close();
      await database.close();
    },
  };
}
