import type { TestContext } from "node:test";
import { type ContractAddresses, earnAbi, testUsdtAbi } from "@bourse/contracts";
import { pino } from "pino";
import { type Abi, type Address, encodeFunctionData, type Hex, parseEther } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { PlatformChain } from "../../chain/chain.ts";
import type { ChainClient } from "../../chain/client.ts";
import { findContracts } from "../../chain/deployment.ts";
import type { EmbeddedChain } from "../../chain/embedded/embedded-chain.ts";
import { DEPLOYER_KEY } from "../../chain/embedded/node.ts";
import { createEmbeddedRpc } from "../../chain/embedded/rpc-methods.ts";
import { ContractLogs } from "../../chain/indexer/contract-logs.ts";
import { ChainFollower } from "../../chain/indexer/follower.ts";
import { Indexer } from "../../chain/indexer/indexer.ts";
import type { ChainListener } from "../../chain/indexer/listener.ts";
import { indexerMigrations } from "../../chain/indexer/migrations.ts";
import { operatorMigrations } from "../../chain/operator/migrations.ts";
import { Operator } from "../../chain/operator/operator.ts";
import { clientOf, openTestChain } from "../../chain/testing/chains.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import type { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { seededRandom } from "../../kernel/random.ts";
import { createEarn, type Earn } from "../earn.ts";
import { earnMigrations } from "../migrations.ts";
import { type EarnDb, earnDb } from "../tables.ts";

const OPERATOR_KEY: Hex = `0x${"11".repeat(32)}`;
const SIGNER_KEY: Hex = `0x${"22".repeat(32)}`;

export const ADMIN = { actor: "admin-1", role: "admin", ip: "203.0.113.7", request_id: "request-1" };

/** Earn on its own chain and database, without the exchange: its clock can jump years at no cost. */
export interface SmallScene {
  readonly chain: EmbeddedChain;
  readonly client: ChainClient;
  readonly clock: ManualClock;
  readonly contracts: ContractAddresses;
  readonly database: TestDatabase;
  readonly db: EarnDb;
  readonly operator: Operator;
  /** The operator's wallet, for transactions that bypass the platform. */
  readonly operatorAccount: PrivateKeyAccount;
  readonly earn: Earn;
  /** A second instance on the same database and chain, as after a restart; with another operator if one is given. */
  again(operator?: Pick<Operator, "address" | "send">): Earn;
  /** Indexes the chain and changes product states, as `chain-sync` does. */
  sync(): Promise<Record<string, unknown>>;
  /** Only indexes the chain. */
  index(): Promise<unknown>;
  /** Sends a signed call of a wallet and mines it. */
  call(wallet: PrivateKeyAccount, to: Address, abi: Abi, functionName: string, args: readonly unknown[]): Promise<Hex>;
  give(wallet: PrivateKeyAccount, amount: bigint): Promise<void>;
}

const silent = pino({ level: "silent" });

function platformChainOf(chain: EmbeddedChain, client: ChainClient): PlatformChain {
  const check = { name: "chain", isVital: false, run: async () => "" };
  return { client, embedded: { chain, rpc: createEmbeddedRpc(chain) }, check, close: async () => undefined };
}

/** Signs, sends and mines a wallet's transaction. */
function createSender(chain: EmbeddedChain, client: ChainClient) {
  return async (wallet: PrivateKeyAccount, to: Address, data: Hex, value: bigint): Promise<Hex> => {
    const nonce = await client.public.getTransactionCount({ address: wallet.address });
    const gas = await client.public.estimateGas({ account: wallet, to, data, value });
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.public.estimateFeesPerGas();
    const fees = { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas };
    const common = { type: "eip1559", chainId: client.chainId, nonce, to, data, value, gas: gas * 2n } as const;
    return await chain.sendRawTransaction(await wallet.signTransaction({ ...common, ...fees }));
  };
}

export async function openSmallScene(t: TestContext): Promise<SmallScene> {
  const { chain, clock } = await openTestChain(t);
  const database = await openTestDatabase({ ...operatorMigrations, ...indexerMigrations, ...earnMigrations });
  t.after(() => database.close());
  const client = clientOf(chain);
  const keys = { operatorKey: OPERATOR_KEY, earnSignerKey: SIGNER_KEY };
  const nowhere = {
    usdtAddress: undefined,
    earnAddress: undefined,
    referralAddress: undefined,
    vaultAddress: undefined,
  };
  const contracts = await findContracts(platformChainOf(chain, client), { ...keys, ...nowhere });
  const operator = new Operator({ client, database, clock, key: OPERATOR_KEY });
  const random = seededRandom("earn");
  const listeners: ChainListener[] = [];
  const steps: Earn["step"][] = [];
  const logs = new ContractLogs(contracts);
  const indexer = new Indexer({
    client,
    contracts: logs,
    database,
    clock,
    listeners,
    onAdvanced: (block, target) => follower.advanced(block, target),
  });
  const follower: ChainFollower = new ChainFollower(indexer, { clock, random, log: silent, steps });
  t.after(() => follower.stop());
  const settings = { earnSignerKey: SIGNER_KEY, earnPreparePaused: false };
  const again = (by: Pick<Operator, "address" | "send"> = operator) =>
    createEarn({
      settings,
      database,
      clock,
      random,
      log: silent,
      audit: createAuditLog({ clock }),
      client,
      operator: by as Operator,
      follower,
      contracts,
    });
  const earn = again();
  listeners.push(earn.listener);
  steps.push(earn.step);

  const operatorAccount = privateKeyToAccount(OPERATOR_KEY);
  const send = createSender(chain, client);
  const call: SmallScene["call"] = (wallet, to, abi, functionName, args) =>
    send(wallet, to, encodeFunctionData({ abi, functionName, args }), 0n);

  return {
    chain,
    client,
    clock,
    contracts,
    database,
    db: earnDb(database),
    operator,
    operatorAccount,
    earn,
    again,
    sync: () => follower.sync(),
    index: () => indexer.sync(),
    call,
    async give(wallet, amount) {
      await send(privateKeyToAccount(DEPLOYER_KEY), wallet.address, "0x", parseEther("1"));
      await call(operatorAccount, contracts.usdt, testUsdtAbi as Abi, "mint", [wallet.address, amount]);
      await call(wallet, contracts.usdt, testUsdtAbi as Abi, "approve", [contracts.earn, amount]);
    },
  };
}

export const EARN_ABI = earnAbi as Abi;
