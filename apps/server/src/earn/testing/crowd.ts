import assert from "node:assert/strict";
import type { PreparedSubscription } from "@bourse/api";
import { earnAbi, testUsdtAbi } from "@bourse/contracts";
import { formatUnits } from "@bourse/money";
import { type Abi, type Address, encodeFunctionData, type Hex, type PrivateKeyAccount, parseEther } from "viem";
import { deployer, transfer } from "../../chain/testing/chains.ts";
import { ApiError } from "../../kernel/errors.ts";
import { EARN_ABI, type SmallScene } from "./small-scene.ts";

export const lower = ({ address }: PrivateKeyAccount) => address.toLowerCase() as Address;

/** A user that wants to subscribe, and the amount in the token's smallest unit. */
export interface Wish {
  readonly account: PrivateKeyAccount;
  readonly amount: bigint;
}

export type Outcome =
  | { readonly wish: Wish; readonly voucher: PreparedSubscription; readonly hash: Hex }
  | { readonly wish: Wish; readonly code: string };

/** Gives all of them gas, tokens and an approval; each of the three is one block. */
export async function fundCrowd(scene: SmallScene, wishes: readonly Wish[]): Promise<void> {
  const { usdt, earn } = scene.contracts;
  const onToken = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: testUsdtAbi as Abi, functionName, args });
  const gasMoney = wishes.map(({ account }) => ({ to: account.address, value: parseEther("0.1") }));
  const minted = wishes.map(({ account, amount }) => ({ to: usdt, data: onToken("mint", [account.address, amount]) }));
  await scene.chain.mine(await signed(scene, deployer, gasMoney));
  await scene.chain.mine(await signed(scene, scene.operatorAccount, minted));
  const approvals = wishes.map(({ account, amount }) =>
    signed(scene, account, [{ to: usdt, data: onToken("approve", [earn, amount]) }]),
  );
  await scene.chain.mine((await Promise.all(approvals)).flat());
}

/** Signed calls of one wallet, in order. */
async function signed(
  { client }: SmallScene,
  sender: PrivateKeyAccount,
  calls: readonly { readonly to: Address; readonly data?: Hex; readonly value?: bigint }[],
): Promise<Hex[]> {
  const first = await client.public.getTransactionCount({ address: sender.address });
  return await Promise.all(
    calls.map((call, place) => transfer(first + place, { value: 0n, gas: 90_000n, ...call }, sender)),
  );
}

/**
 * A number of users at a time request a voucher and subscribe with it at once, while the chain is indexed continuously. A voucher
 * that the contract refuses is a failure.
 */
export async function rush(
  scene: SmallScene,
  productId: string,
  wishes: readonly Wish[],
  atOnce: number,
): Promise<Outcome[]> {
  const waiting = [...wishes];
  const outcomes: Outcome[] = [];
  const one = async () => {
    for (let wish = waiting.shift(); wish !== undefined; wish = waiting.shift()) {
      outcomes.push(await attempt(scene, productId, wish));
    }
  };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) await scene.index();
  })();
  await Promise.all(Array.from({ length: atOnce }, one)).finally(() => {
    isOver = true;
  });
  await looking;
  await scene.sync();
  return outcomes;
}

async function attempt(scene: SmallScene, productId: string, wish: Wish): Promise<Outcome> {
  const { account, amount } = wish;
  let voucher: PreparedSubscription;
  try {
    voucher = await scene.earn.prepare.prepare(lower(account), productId, inTokens(amount));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { wish, code: error.code };
  }
  const args = [BigInt(voucher.chain_product_id), BigInt(voucher.amount), BigInt(voucher.deadline), voucher.signature];
  const hash = await scene.call(account, scene.contracts.earn, EARN_ABI, "subscribe", args);
  const { status } = await scene.client.public.getTransactionReceipt({ hash });
  assert.equal(status, "success", `the subscription of ${account.address} with its voucher`);
  return { wish, voucher, hash };
}

const inTokens = (amount: bigint): string => formatUnits(amount, 6);

/** The contract's state of a product, and its subscriptions in the order of the chain. */
export async function contractSide({ client, contracts }: SmallScene, chainProductId: bigint) {
  const earn = { address: contracts.earn, abi: earnAbi } as const;
  const product = await client.public.readContract({ ...earn, functionName: "product", args: [chainProductId] });
  const logs = await client.public.getContractEvents({ ...earn, eventName: "Subscribed", fromBlock: 0n, strict: true });
  const subscriptions = logs.map(({ args }) => ({ user: args.user.toLowerCase(), amount: args.amount }));
  return { product, subscriptions };
}
