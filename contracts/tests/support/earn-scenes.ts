import type { Hex, TransactionReceipt } from "viem";
import type { EarnTerms } from "../../src/index.ts";
import { FIRST_SECOND } from "./chain.ts";
import { DAY_SECONDS, type Name, ONE_USDT, type World, wallets } from "./world.ts";

export const START = FIRST_SECOND + 3_600;
export const END = FIRST_SECOND + 7 * DAY_SECONDS;
export const SETTLE_TIME = END + 30 * DAY_SECONDS;

/** 12 % a year for 30 days; 100 to 5,000 USDT each, 10,000 in all. */
export const termsWith = (changes: Partial<EarnTerms> = {}): EarnTerms => ({
  annualRateBps: 1_200,
  durationSeconds: 30 * DAY_SECONDS,
  totalQuota: 10_000n * ONE_USDT,
  minAmount: 100n * ONE_USDT,
  maxAmountPerUser: 5_000n * ONE_USDT,
  subscribeStart: START,
  subscribeEnd: END,
  ...changes,
});

/** Creates the world's next product and, by default, moves to its first second. */
export async function openProduct(world: World, changes: Partial<EarnTerms> = {}): Promise<bigint> {
  await world.mined(world.earn.write.createProduct([termsWith(changes)], world.by("operator")));
  const start = changes.subscribeStart ?? START;
  if (world.chain.now() < start) await world.chain.moveTo(start);
  return world.earn.read.productCount();
}

export interface Subscription {
  readonly amount: bigint;
  readonly deadline?: bigint;
  readonly signer?: Name;
}

/** The arguments of `subscribe`, with a voucher that is valid for half an hour. */
export async function subscriptionArgs(
  world: World,
  user: Name,
  productId: bigint,
  { amount, deadline = world.nextDeadline(), signer = "signer" }: Subscription,
): Promise<readonly [bigint, bigint, bigint, Hex]> {
  const voucher = { user: wallets[user].address, productId, amount, deadline };
  return [productId, amount, deadline, await world.voucher(voucher, signer)];
}

export async function subscribe(
  world: World,
  user: Name,
  productId: bigint,
  amount: bigint,
): Promise<TransactionReceipt> {
  const args = await subscriptionArgs(world, user, productId, { amount });
  return world.mined(world.earn.write.subscribe(args, world.by(user)));
}

/** The operator pays exactly the interest that the product owes. */
export async function fundFully(world: World, productId: bigint): Promise<bigint> {
  const { interestOwed } = await world.earn.read.product([productId]);
  await world.mined(world.earn.write.fund([productId, interestOwed], world.by("operator")));
  return interestOwed;
}

/** Moves to the settle time, pays the interest and settles. */
export async function settleFully(world: World, productId: bigint): Promise<void> {
  await fundFully(world, productId);
  await world.chain.moveTo(SETTLE_TIME);
  await world.mined(world.earn.write.settle([productId], world.by("carol")));
}
