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

/** Clients are told where the chain is; the name and password with which this server reaches it are its own. */
function withoutCredentials(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  if (url.username === "" && url.password === "") return rpcUrl;
  url.username = "";
  url.password = "";
  return url.href;
}

/** The chain with everything around it, as the platform and its programs see it. */
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
  /** Before the start: who acts on the contracts' events. */
  follow(listener: ChainListener): void;
  /** Before the start: what is done in the job `chain-sync` after the events were applied. */
  afterSync(step: SyncStep): void;
  /** Calls back after each transaction that applied events or took them back. */
  onApplied(listener: () => void): void;
  register(app: App): void;
  /** Once everybody listens: applies what has happened so far (on a chain elsewhere without waiting for it). */
  start(): Promise<void>;
  /** RUN-6: brings the embedded chain to the time of a clock that was moved, and reads what is new. */
  followClock(): Promise<void>;
  /** Finishes what is being applied and begins nothing more. */
  stop(): Promise<void>;
  /** Lets go of the chain, once nobody asks it any more. */
  close(): Promise<void>;
}

/** Cron, in UTC, with seconds; what does not divide a minute is rounded to minutes. */
export function pollSchedule(every_s: number): string {
  if (every_s < 60) return `*/${every_s} * * * * *`;
  return `0 */${Math.round(every_s / 60)} * * * *`;
}

/** Opens the chain, finds or deploys the contracts, and prepares those who send to it and read from it. */
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
          // Trading does not need it; the job goes on trying.
          log.warn({ reason: plainReason(error) }, "the chain's events wait");
        }
      };
      const begun = begin();
      // Much may have happened on a chain elsewhere: nobody waits for that.
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

/** What an operator asks for after a reorganisation that was too deep to be followed. */
async function readAgain(indexer: Indexer, from: number | undefined, log: Log): Promise<void> {
  if (from === undefined) return;
  const undone = await indexer.rewindTo(Math.max(0, from - 1));
  log.warn({ from, undone }, "CHAIN_REINDEX_FROM: events were taken back and are read again; unset it now");
}

const CLOCK_MOVE_WAIT_ms = 5_000;

/** RUN-6: the job by hand looks at once; by schedule it leaves a chain that failed alone for a while. */
function chainSyncJob(follower: ChainFollower, every_s: number): JobDefinition {
  return {
    name: "chain-sync",
    schedule: pollSchedule(every_s),
    missed: "latest",
    run: ({ isManual }) => (isManual ? follower.sync() : follower.poll()),
  };
}
