import { type Address, erc20Abi, getContract, type Hex, maxUint256, type TransactionReceipt } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import {
  type ContractAddresses,
  deployContracts,
  earnAbi,
  earnDomain,
  referralRebateAbi,
  type SubscribeVoucher,
  subscribeTypedData,
  testUsdtAbi,
  vaultAbi,
} from "../../src/index.ts";
import { CHAIN_ID, type ChainClient, startChain, type TestChain, walletOf } from "./chain.ts";

const NAMES = ["deployer", "admin", "operator", "signer", "pauser", "minter", "alice", "bob", "carol"] as const;
export type Name = (typeof NAMES)[number];

/** Wallets that have tokens and have approved the contracts. */
export const PAYERS = ["operator", "alice", "bob", "carol"] as const;
export const FIRST_TOKENS = 1_000_000_000_000n;

export const ONE_USDT = 1_000_000n;
export const DAY_SECONDS = 86_400;

export const wallets = Object.fromEntries(NAMES.map((name) => [name, walletOf(name)])) as Readonly<
  Record<Name, PrivateKeyAccount>
>;

const contractsAt = (
  addresses: ContractAddresses,
  client: ChainClient,
  wallet: ReturnType<TestChain["walletClient"]>,
) => {
  const both = { public: client, wallet };
  return {
    usdt: getContract({ address: addresses.usdt, abi: testUsdtAbi, client: both }),
    earn: getContract({ address: addresses.earn, abi: earnAbi, client: both }),
    referral: getContract({ address: addresses.referral, abi: referralRebateAbi, client: both }),
    vault: getContract({ address: addresses.vault, abi: vaultAbi, client: both }),
  };
};

export type Contracts = ReturnType<typeof contractsAt>;

/** A chain with the deployed contracts, granted roles and funded wallets. */
export interface World extends Contracts {
  readonly chain: TestChain;
  readonly addresses: ContractAddresses;
  /** Shorthand for `chain.mined`. */
  mined(sent: Promise<Hex>): Promise<TransactionReceipt>;
  /** The sender, as an option of contract calls. */
  by(name: Name): { readonly account: PrivateKeyAccount };
  tokensOf(holder: Address): Promise<bigint>;
  voucher(voucher: SubscribeVoucher, signer?: Name): Promise<Hex>;
  /** Half an hour from now and a little later each time: of two equal vouchers only one would be valid. */
  nextDeadline(): bigint;
  /** Restores the initial state. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

async function handOutTokens(chain: TestChain, { usdt, earn, referral, vault }: Contracts): Promise<void> {
  for (const name of PAYERS) {
    const { address } = wallets[name];
    await chain.mined(usdt.write.mint([address, FIRST_TOKENS], { account: wallets.minter }));
    for (const spender of [earn, referral, vault]) {
      await chain.mined(usdt.write.approve([spender.address, maxUint256], { account: wallets[name] }));
    }
  }
}

/** Deploys the contracts with each role granted to the wallet of the same name. */
export function deployFor(chain: TestChain, usdt?: Address): Promise<ContractAddresses> {
  return deployContracts({
    client: chain.client,
    wallet: chain.walletClient(wallets.deployer),
    ...(usdt === undefined ? {} : { usdt }),
    roles: {
      admin: wallets.admin.address,
      operator: wallets.operator.address,
      earnSigner: wallets.signer.address,
      pauser: wallets.pauser.address,
      minter: wallets.minter.address,
    },
  });
}

export const startNamedChain = (): Promise<TestChain> => startChain(NAMES);

export async function startWorld(): Promise<World> {
  const chain = await startNamedChain();
  const addresses = await deployFor(chain);
  const contracts = contractsAt(addresses, chain.client, chain.walletClient(wallets.deployer));
  await handOutTokens(chain, contracts);
  const goBack = await chain.mark();
  let vouchers = 0;
  return {
    ...contracts,
    chain,
    addresses,
    mined: (sent) => chain.mined(sent),
    by: (name) => ({ account: wallets[name] }),
    tokensOf: (holder) =>
      chain.client.readContract({ address: addresses.usdt, abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
    voucher: (voucher, signer = "signer") =>
      wallets[signer].signTypedData(subscribeTypedData(earnDomain(CHAIN_ID, addresses.earn), voucher)),
    nextDeadline() {
      vouchers += 1;
      return BigInt(chain.now() + 1_800 + vouchers);
    },
    reset: goBack,
    close: () => chain.close(),
  };
}
