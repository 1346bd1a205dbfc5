import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  type Account,
  type Chain,
  type CustomTransport,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  type Hex,
  keccak256,
  type PublicClient,
  stringToHex,
  type TransactionReceipt,
  toHex,
  type WalletClient,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

export const CHAIN_ID = 43_113;
/** Every test chain begins at this second, so that measurements do not depend on the date. */
export const FIRST_SECOND = 1_767_225_600;
/** Methods that use the time of the next block; by default the chain would take it from the machine. */
const TIMED_METHODS = ["eth_send", "eth_estimateGas"];
const ACCOUNT_BALANCE_WEI = 10n ** 24n;

/** A wallet of the tests, the same in each run. */
export const walletOf = (name: string): PrivateKeyAccount => privateKeyToAccount(keyOf(name));

const keyOf = (name: string): Hex => keccak256(stringToHex(`the wallet of ${name}`));

const chainDefinition = defineChain({
  id: CHAIN_ID,
  name: "test",
  nativeCurrency: { name: "gas", symbol: "GAS", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

export type ChainClient = PublicClient<CustomTransport, Chain>;
export type ChainWallet = WalletClient<CustomTransport, Chain, Account>;

/** An EVM chain in this process. It mines each transaction at once, at the second that the test has set. */
export interface TestChain {
  readonly client: ChainClient;
  walletClient(account: PrivateKeyAccount): ChainWallet;
  now(): number;
  /** Mines an empty block, so that reads use that time as well. */
  moveTo(second: number): Promise<void>;
  /** The receipt of a sent transaction; throws if it was reverted. */
  mined(sent: Promise<Hex>): Promise<TransactionReceipt>;
  /** Returns a function that restores the current state and can be called repeatedly. */
  mark(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Provider {
  request(request: Request): Promise<unknown>;
}

async function connect(accountNames: readonly string[]) {
  const environment = await createHardhatRuntimeEnvironment({
    networks: {
      local: {
        type: "edr-simulated",
        chainId: CHAIN_ID,
        hardfork: "cancun",
        initialDate: new Date(FIRST_SECOND * 1000),
        allowBlocksWithSameTimestamp: true,
        accounts: accountNames.map((name) => ({ privateKey: keyOf(name), balance: ACCOUNT_BALANCE_WEI })),
      },
    },
  });
  return environment.network.create("local");
}

export async function startChain(accountNames: readonly string[]): Promise<TestChain> {
  const connection = await connect(accountNames);
  const provider: Provider = connection.provider;
  let now = FIRST_SECOND;

  const setNextBlockTime = () => provider.request({ method: "evm_setNextBlockTimestamp", params: [toHex(now)] });
  const request = async (wanted: Request) => {
    if (TIMED_METHODS.some((method) => wanted.method.startsWith(method))) await setNextBlockTime();
    return provider.request(wanted);
  };
  // A refusal is final: a retry would only delay it.
  const transport = custom({ request }, { retryCount: 0 });
  const client = createPublicClient({ chain: chainDefinition, transport, pollingInterval: 10, cacheTime: 0 });

  return {
    client,
    walletClient: (account) => createWalletClient({ account, chain: chainDefinition, transport }),
    now: () => now,
    async moveTo(second) {
      now = second;
      await setNextBlockTime();
      await provider.request({ method: "evm_mine" });
    },
    async mined(sent) {
      const receipt = await client.getTransactionReceipt({ hash: await sent });
      if (receipt.status !== "success") throw new Error(`transaction ${receipt.transactionHash} was reverted`);
      return receipt;
    },
    async mark() {
      const markedSecond = now;
      let snapshot = await provider.request({ method: "evm_snapshot" });
      return async () => {
        await provider.request({ method: "evm_revert", params: [snapshot] });
        // A snapshot can be restored only once.
        snapshot = await provider.request({ method: "evm_snapshot" });
        now = markedSecond;
      };
    },
    close: () => connection.close(),
  };
}
