import type { TestContext } from "node:test";
import {
  type Account,
  createWalletClient,
  custom,
  type Hex,
  type PrivateKeyAccount,
  type TransactionSerializableEIP1559,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { seededRandom } from "../../kernel/random.ts";
import { chainOf, createChainClient } from "../client.ts";
import { EmbeddedChain } from "../embedded/embedded-chain.ts";
import { DEPLOYER_KEY } from "../embedded/node.ts";
import { createEmbeddedRpc } from "../embedded/rpc-methods.ts";

export const CHAIN_ID = 43_113;
export const START_ms = Date.UTC(2026, 5, 1, 12);
export const deployer = privateKeyToAccount(DEPLOYER_KEY);
export const NOBODY = "0x00000000000000000000000000000000000000aa";

/** A wallet that is the same in every run and has no funds. */
export const wallet = (number: number) =>
  privateKeyToAccount(`0x${(2n ** 250n + BigInt(number)).toString(16).padStart(64, "0")}`);

export interface TestChain {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly chain: EmbeddedChain;
}

/** An embedded chain in a new folder, or in that of another chain; its clock stands still. */
export async function openTestChain(
  t: TestContext,
  { folder, now_ms = START_ms, seed = "chain" }: { folder?: string; now_ms?: number; seed?: string } = {},
): Promise<TestChain> {
  const place = folder ?? (await makeTempDir(t));
  const clock = new ManualClock(now_ms);
  const chain = await EmbeddedChain.open({ folder: place, chainId: CHAIN_ID, clock, random: seededRandom(seed) });
  t.after(() => chain.close());
  return { folder: place, clock, chain };
}

/** A client of the chain, in process. */
export function clientOf(chain: EmbeddedChain, confirmations = 0) {
  const rpc = createEmbeddedRpc(chain);
  return createChainClient({
    kind: "embedded",
    chainId: CHAIN_ID,
    confirmations,
    request: (args) => rpc.request(args),
  });
}

/** A client that signs with the account's key. */
export function signerOn(chain: EmbeddedChain, account: Account = deployer) {
  const rpc = createEmbeddedRpc(chain);
  return createWalletClient({ account, chain: chainOf(CHAIN_ID), transport: custom(rpc, { retryCount: 0 }) });
}

/** A signed transfer of one wei by the deployer, with optional changes. */
export function transfer(
  nonce: number,
  changes: Partial<TransactionSerializableEIP1559> = {},
  sender: PrivateKeyAccount = deployer,
): Promise<Hex> {
  return sender.signTransaction({
    type: "eip1559",
    chainId: CHAIN_ID,
    nonce,
    to: NOBODY,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
    ...changes,
  });
}
