import assert from "node:assert/strict";
import { zeroHash } from "viem";
import { EARN_STATUSES } from "../../src/index.ts";
import { PAYERS, wallets } from "../support/world.ts";
import type { ModelProduct } from "./earn-model.ts";
import { type Scene, USERS } from "./scene.ts";

/** Every wallet has exactly the tokens of the model. */
async function checkTokens({ world, model }: Scene): Promise<void> {
  const { earn, referral, vault } = world;
  const holders = { ...Object.fromEntries(PAYERS.map((name) => [name, wallets[name]])), earn, referral, vault };
  for (const [name, { address }] of Object.entries(holders)) {
    assert.equal(await world.tokensOf(address), model.tokens.of(name), `the tokens of ${name}`);
  }
}

async function checkProduct({ world, model }: Scene, product: ModelProduct, productId: bigint): Promise<void> {
  const { status, subscriberCount, subscribed, principal, interestOwed, funded } = await world.earn.read.product([
    productId,
  ]);
  assert.deepEqual(
    { status: EARN_STATUSES[status], subscriberCount, subscribed, principal, interestOwed, funded },
    {
      status: product.status,
      subscriberCount: product.subscribers.size,
      subscribed: product.subscribed,
      principal: model.earn.principalOf(product),
      interestOwed: model.earn.owedBy(product),
      funded: product.funded,
    },
  );
  for (const user of USERS) {
    const position = await world.earn.read.position([wallets[user].address, productId]);
    assert.equal(position.principal, product.principals.get(user) ?? 0n, `${user}'s position`);
    assert.equal(position.tokenId > 0n, position.principal > 0n);
    if (position.tokenId > 0n) assert.equal(await world.earn.read.ownerOf([position.tokenId]), wallets[user].address);
  }
}

/** INV-5: the contract holds the principal of all subscriptions and the remaining funding, and nothing else. */
async function checkEarn(scene: Scene): Promise<void> {
  const { world, model } = scene;
  const [principal, funded] = [await world.earn.read.totalPrincipal(), await world.earn.read.totalFunded()];
  assert.equal(principal, model.earn.totalPrincipal());
  assert.equal(funded, model.earn.totalFunded());
  const balance = await world.tokensOf(world.earn.address);
  assert.ok(balance >= principal);
  assert.equal(balance, principal + funded);
  for (const [index, product] of model.earn.products.entries()) await checkProduct(scene, product, BigInt(index + 1));
}

async function checkVault(scene: Scene): Promise<void> {
  const { world, model } = scene;
  const { deposited, contributed, withdrawn, paidOut, limit } = model.vault;
  const booked = deposited + contributed - withdrawn - paidOut;
  const sheet = await world.vault.read.balanceSheet();
  assert.deepEqual(sheet, { deposited, contributed, withdrawn, paidOut, booked, balance: booked });
  const [used, remaining] = await world.vault.read.outflow();
  assert.equal(used, model.vault.outflow(scene.now()));
  if (limit > 0n) assert.equal(remaining, used > limit ? 0n : limit - used);
  if (limit > 0n) assert.ok(remaining <= 2n * limit);
}

async function checkReferral({ world, model }: Scene): Promise<void> {
  for (const user of USERS) {
    const expected = model.referral.rebateOf(user);
    const { credited, claimed, nonce, tier, code } = await world.referral.read.userRebate([wallets[user].address]);
    assert.ok(credited >= claimed);
    assert.deepEqual({ credited, claimed, nonce, tier, code }, { ...expected, code: expected.code ?? zeroHash });
    const { totalBps, discountBps, affiliateBps } = await world.referral.read.traderReferral([wallets[user].address]);
    assert.deepEqual({ totalBps, discountBps }, model.referral.ratesOf(user));
    assert.equal(discountBps + affiliateBps, totalBps);
  }
  const [credited, claimed] = [await world.referral.read.totalCredited(), await world.referral.read.totalClaimed()];
  assert.deepEqual([credited, claimed], [model.referral.total("credited"), model.referral.total("claimed")]);
  assert.equal(await world.tokensOf(world.referral.address), credited - claimed);
}

/** Contracts and model agree, and the contracts hold everything they owe. */
export async function checkAgreement(scene: Scene): Promise<void> {
  await checkTokens(scene);
  await checkEarn(scene);
  await checkVault(scene);
  await checkReferral(scene);
}
