import type { ContractAddresses } from "@bourse/contracts";
import type { Hex } from "viem";
import type { Database } from "../kernel/database/database.ts";
import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Check } from "../kernel/readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { type ChainGround, openChain, type PlatformChain } from "./chain.ts";
import { type ChainClient, plainReason } from "./client.ts";
import { findContracts } from "./deployment.ts";
import { ContractLogs } from "./indexer/contract-logs.ts";
import { ChainFollower, type SyncStep } from "./indexer/follower.ts";
import { indexerCheck, watchIndexer } from "./indexer/index-watch.ts";
import { Indexer } from "./indexer/indexer.ts";
import type { ChainListener } from "./indexer/listener.ts";
import { watchOperator } from "./operator/metrics.ts";
import { Operator } from "./operator/operator.ts";
import { registerRpcRoutes } from "./rpc-routes.ts";
import { createSameChainCheck } from "./same-chain.ts";

export interface ChainSystemOptions extends ChainGround {
  readonly settings: Settings;
  readonly database: Database;
  readonly metrics: Metrics;
}

/** The URL as shown to clients, without this server's own name and password. */
function withoutCredentials(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  if (url.username === "" && url.password === "") return rpcUrl;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The chain with its indexer and operator, as the platform and its programs use it. */
export interface ChainSystem {
  readonly client: ChainClient;
  readonly isEmbedded: boolean;
  readonly contracts: ContractAddresses;
  readonly operator: Operator;
  readonly indexer: Indexer;
  readonly follower: ChainFollower;
  /** RUN-8: where clients reach the chain. */
  readonly rpcUrl: string;
  readonly checks: readonly Check[];
  readonly jobs: readonly JobDefinition[];
  /** Adds a listener of the contracts' events. Call it before the start. */
  follow(listener: ChainListener): void;
  /** Adds a step that the job `chain-sync` runs after the events were applied. Call it before the start. */
  afterSync(step: SyncStep): void;
  /** Calls back after each transaction that applied or reverted events. */
  onApplied(listener: () => void): void;
  register(app: App): void;
  /** Applies all events so far (on an external chain in the background). Call it after all listeners are added. */
  start(): Promise<void>;
  /** RUN-6: mines up to the time of a moved clock on the embedded chain, and reads the new block. */
  followClock(): Promise<void>;
  /** Finishes the current range and starts nothing more. */
  stop(): Promise<void>;
  /** Closes the chain. Call it when nothing uses the chain any more. */
  close(): Promise<void>;
}

/** Cron, in UTC, with seconds; an interval that does not divide a minute is rounded to minutes. */
export function pollSchedule(every_s: number): string {
  if (every_s < 60) return `*/${every_s} * * * * *`;
  return `0 */${Math.round(every_s / 60)} * * * *`;
}

/** Opens the chain, finds or deploys the contracts, and creates the operator and the indexer. */
export async function createChainSystem(options: ChainSystemOptions): Promise<ChainSystem> {
  const chain = await openChain(options);
  try {
    return await assemble(options, chain);
  } catch (error) {
    await chain.close();
    throw error;
  }
}

async function assemble(options: ChainSystemOptions, chain: PlatformChain): Promise<ChainSystem> {
  const { settings, database, clock, random, log, metrics } = options;
  const { client, embedded } = chain;
  const contracts = await findContracts(chain, settings);
  const listeners: ChainListener[] = [];
  const steps: SyncStep[] = [];
  const appliedListeners: (() => void)[] = [];
  const indexer = new Indexer({
    client,
    contracts: new ContractLogs(contracts),
    database,
    clock,
    listeners,
    startBlock: settings.chainStartBlock,
    onAdvanced: (block, target) => {
      for (const listener of appliedListeners) listener();
      follower.advanced(block, target);
    },
  });
  const follower: ChainFollower = new ChainFollower(indexer, { clock, random, log, steps });
  const assertSameChain = createSameChainCheck(client, indexer);
  const operator = new Operator({ client, database, clock, key: settings.operatorKey as Hex, assertSameChain });
  steps.push({ name: "operator", run: () => operator.sync() });
  embedded?.chain.listen(() => follower.notify());
  watchIndexer(metrics, follower, indexer);
  watchOperator(metrics, operator, client);
  return {
    client,
    isEmbedded: embedded !== undefined,
    contracts,
    operator,
    indexer,
    follower,
    rpcUrl: withoutCredentials(settings.chainRpcUrl ?? `${settings.publicUrl}/rpc`),
    checks: [chain.check, indexerCheck(follower, clock)],
    jobs: [chainSyncJob(follower, settings.earnPoll_s)],
    follow: (listener) => listeners.push(listener),
    afterSync: (step) => steps.push(step),
    onApplied: (listener) => appliedListeners.push(listener),
    register(app) {
      if (embedded !== undefined) registerRpcRoutes(app, { rpc: embedded.rpc, log });
    },
    async start() {
      const begin = async () => {
        try {
          await readAgain(indexer, settings.chainReindexFrom, log);
          await follower.sync();
        } catch (error) {
          // Trading does not need the chain; the job retries.
          log.warn({ reason: plainReason(error) }, "the chain's events wait");
        }
      };
      const begun = begin();
      // The backfill of an external chain may be long, so the start does not wait for it.
      if (embedded !== undefined) await begun;
    },
    async followClock() {
      if (embedded === undefined) return;
      await embedded.chain.followClock();
      await follower.reached(embedded.chain.tip.number, CLOCK_MOVE_WAIT_ms);
    },
    stop: () => follower.stop(),
    close: () => chain.close(),
  };
}

/** An operator's remedy after a reorganisation that was too deep to follow. */
async function readAgain(indexer: Indexer, from: number | undefined, log: Log): Promise<void> {
  if (from === undefined) return;
  const undone = await indexer.rewindTo(Math.max(0, from - 1));
  log.warn({ from, undone }, "CHAIN_REINDEX_FROM: events were taken back and are read again; unset it now");
}

const CLOCK_MOVE_WAIT_ms = 5_000;

/** RUN-6: a manual run reads at once; a scheduled run respects the pause after a failure. */
function chainSyncJob(follower: ChainFollower, every_s: number): JobDefinition {
  return {
    name: "chain-sync",
    schedule: pollSchedule(every_s),
    missed: "latest",
    run: ({ isManual }) => (isManual ? follower.sync() : follower.poll()),
  };
}
