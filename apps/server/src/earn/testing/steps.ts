import assert from "node:assert/strict";
import type { ProductRequest } from "@bourse/api";
import { earnAbi } from "@bourse/contracts";
import type { Operator } from "../../chain/operator/operator.ts";
import { wallet } from "../../chain/testing/chains.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { ApiError } from "../../kernel/errors.ts";
import { EARN_ABI, type SmallScene } from "./small-scene.ts";

export const alice = wallet(1);
export const bob = wallet(2);

export function bodyOf({ clock }: SmallScene, changes: Partial<ProductRequest> = {}): ProductRequest {
  return {
    name: "USDT 30 days",
    annual_rate_bps: 1_200,
    duration_seconds: 2_592_000,
    total_quota: "10000000000",
    min_amount: "10000000",
    max_amount_per_user: "5000000000",
    subscribe_start_time: new Date(clock.now()).toISOString(),
    subscribe_end_time: new Date(clock.now() + DAY_ms).toISOString(),
    ...changes,
  };
}

export async function invest(scene: SmallScene, user: typeof alice, productId: string, amount: string) {
  const address = user.address.toLowerCase() as `0x${string}`;
  const voucher = await scene.earn.prepare.prepare(address, productId, amount);
  const { chain_product_id, deadline, signature } = voucher;
  const args = [BigInt(chain_product_id), BigInt(voucher.amount), BigInt(deadline), signature];
  return await scene.call(user, scene.contracts.earn, EARN_ABI, "subscribe", args);
}

export const productCount = ({ client, contracts }: SmallScene) =>
  client.public.readContract({ address: contracts.earn, abi: earnAbi, functionName: "productCount" });

export async function refusedWith(code: string, call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  });
}

/** All tables of the module. */
export async function books({ db }: SmallScene) {
  return {
    products: await db.selectFrom("earn_product").selectAll().orderBy("id").execute(),
    chain: await db.selectFrom("earn_chain_product").selectAll().orderBy("chain_product_id").execute(),
    positions: await db.selectFrom("earn_subscription").selectAll().orderBy("id").execute(),
    reservations: await db.selectFrom("earn_reservation").selectAll().orderBy("user_address").execute(),
  };
}

export const later = ({ clock }: SmallScene, hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString();

export const operatorLike = ({ operator }: SmallScene): Pick<Operator, "address" | "send"> => ({
  address: operator.address,
  send: (call, options) => operator.send(call, options),
});

/** Mines another branch, longer than the reverted one. */
export async function mineOther({ chain }: SmallScene): Promise<void> {
  for (let mined = 0; mined < 4; mined += 1) await chain.mine();
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline_ms = performance.now() + 30_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline_ms, "waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
