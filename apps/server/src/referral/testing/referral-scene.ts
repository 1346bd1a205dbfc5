/** For tests: the referral contract on its own chain, with its users. */
import { deployContracts, referralRebateAbi, testUsdtAbi } from "@bourse/contracts";
import { type Address, type Hex, maxUint256, type PrivateKeyAccount, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { EmbeddedChain } from "../../chain/embedded/embedded-chain.ts";
import { ContractLogs } from "../../chain/indexer/contract-logs.ts";
import { Indexer } from "../../chain/indexer/indexer.ts";
import type { ChainListener } from "../../chain/indexer/listener.ts";
import { indexerMigrations } from "../../chain/indexer/migrations.ts";
import { operatorMigrations } from "../../chain/operator/migrations.ts";
import { Operator } from "../../chain/operator/operator.ts";
import { CHAIN_ID, clientOf, deployer, START_ms, signerOn, wallet } from "../../chain/testing/chains.ts";
import { exchangeAccountMigrations } from "../../exchange/accounts/migrations.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { seededRandom } from "../../kernel/random.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { referralContractOn } from "../contract.ts";
import { referralMigrations } from "../migrations.ts";

export const OPERATOR_KEY: Hex = `0x${"0b".repeat(32)}`;
export const GOLD = 3;
const GAS_MONEY_wei = 10n ** 20n;

export const sceneMigrations = {
  ...exchangeAccountMigrations,
  ...operatorMigrations,
  ...indexerMigrations,
  ...referralMigrations,
};

/** A code as it is on the chain. */
export const bytes32 = (text: string): Hex => stringToHex(text, { size: 32 });
/** The platform's spelling of addresses. */
export const lower = ({ address }: { readonly address: Address }) => address.toLowerCase() as Address;

/** A chain with the contracts on it; the deployer is its admin, pauser and minter. */
export async function openReferralScene() {
  const folder = makeTestFolder();
  const clock = new ManualClock(START_ms);
  const chain = await EmbeddedChain.open({
    folder: folder.path,
    chainId: CHAIN_ID,
    clock,
    random: seededRandom("referral"),
  });
  const client = clientOf(chain);
  const operatorAccount = privateKeyToAccount(OPERATOR_KEY);
  const { address: admin } = deployer;
  const contracts = await deployContracts({
    client: client.public as Parameters<typeof deployContracts>[0]["client"],
    wallet: signerOn(chain),
    roles: { admin, pauser: admin, minter: admin, earnSigner: admin, operator: operatorAccount.address },
  });
  const { usdt, referral } = contracts;

  async function mined(sent: Promise<Hex>): Promise<Hex> {
    const hash = await sent;
    const { status } = await client.public.getTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`the transaction ${hash} was reverted`);
    return hash;
  }
  const giveGas = (to: Address) => mined(signerOn(chain).sendTransaction({ to, value: GAS_MONEY_wei }));
  const contract = { address: referral, abi: referralRebateAbi } as const;
  const as = (account: PrivateKeyAccount) => signerOn(chain, account);
  await giveGas(operatorAccount.address);

  return {
    chain,
    clock,
    client,
    contracts,
    contract: referralContractOn(client, referral),
    operatorAccount,
    operatorOn: (database: Pick<Database, "db">) => new Operator({ client, database, clock, key: OPERATOR_KEY }),
    indexerOn: (database: Pick<Database, "db">, listener: ChainListener) =>
      new Indexer({ client, database, clock, contracts: new ContractLogs(contracts), listeners: [listener] }),
    mined,
    giveGas,
    /** A wallet that can pay for its transactions. */
    async user(number: number): Promise<PrivateKeyAccount> {
      const account = wallet(number);
      await giveGas(account.address);
      return account;
    },
    registerCode: (owner: PrivateKeyAccount, code: Hex) =>
      mined(as(owner).writeContract({ ...contract, functionName: "registerCode", args: [code] })),
    useCode: (trader: PrivateKeyAccount, code: Hex) =>
      mined(as(trader).writeContract({ ...contract, functionName: "useCode", args: [code] })),
    claim: (user: PrivateKeyAccount) => mined(as(user).writeContract({ ...contract, functionName: "claim" })),
    setTier: (affiliate: PrivateKeyAccount, tier: number) =>
      mined(
        as(operatorAccount).writeContract({ ...contract, functionName: "setTier", args: [affiliate.address, tier] }),
      ),
    setTierTerms: (tier: number, totalBps: number, shareBps: number) =>
      mined(
        as(deployer).writeContract({ ...contract, functionName: "setTierTerms", args: [tier, totalBps, shareBps] }),
      ),
    syncRebates: (batchId: Hex, users: readonly Address[], amounts: readonly bigint[]) =>
      mined(
        as(operatorAccount).writeContract({
          ...contract,
          functionName: "syncRebates",
          args: [batchId, users, amounts],
        }),
      ),
    allowOperatorsTokens: (amount = maxUint256) =>
      mined(
        as(operatorAccount).writeContract({
          address: usdt,
          abi: testUsdtAbi,
          functionName: "approve",
          args: [referral, amount],
        }),
      ),
    pause: (isPaused: boolean) =>
      mined(as(deployer).writeContract({ ...contract, functionName: isPaused ? "pause" : "unpause" })),
    mint: (to: Address, amount: bigint) =>
      mined(as(deployer).writeContract({ address: usdt, abi: testUsdtAbi, functionName: "mint", args: [to, amount] })),
    tokensOf: (holder: Address) =>
      client.public.readContract({ address: usdt, abi: testUsdtAbi, functionName: "balanceOf", args: [holder] }),
    async close() {
      await chain.close();
      folder.remove();
    },
  };
}

export type ReferralScene = Awaited<ReturnType<typeof openReferralScene>>;
