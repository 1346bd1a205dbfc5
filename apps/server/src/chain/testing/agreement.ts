/** Compares the tables of earn and referral with the answers of their contracts. */
import assert from "node:assert/strict";
import { EARN_STATUSES, earnAbi, referralRebateAbi } from "@bourse/contracts";
import { type Address, type Hex, zeroAddress, zeroHash } from "viem";
import { earnDb } from "../../earn/tables.ts";
import { termsOf } from "../../earn/term-columns.ts";
import type { Database } from "../../kernel/database/database.ts";
import { referralDb } from "../../referral/tables.ts";
import type { ForkingChain } from "./forking-chain.ts";
import { REFERRAL_CODES, REFERRAL_TIERS } from "./referral-life.ts";

type Db = Pick<Database, "db">;

const lower = (hex: string) => hex.toLowerCase();
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export async function assertEarnAgrees(world: ForkingChain, database: Db): Promise<void> {
  await assertProductsAgree(world, database);
  await assertPositionsAgree(world, database);
  await assertVouchersAgree(world, database);
}

const earnOf = ({ contracts }: ForkingChain) => ({ address: contracts.earn, abi: earnAbi }) as const;

async function assertProductsAgree(world: ForkingChain, database: Db): Promise<void> {
  const earn = earnOf(world);
  const count = Number(await world.client.readContract({ ...earn, functionName: "productCount" }));
  const ids = Array.from({ length: count }, (_, place) => BigInt(place + 1));
  const onChain = await Promise.all(
    ids.map(async (id) => {
      const product = await world.client.readContract({ ...earn, functionName: "product", args: [id] });
      return { id, ...product, status: EARN_STATUSES[product.status] };
    }),
  );
  const rows = await earnDb(database)
    .selectFrom("earn_chain_product")
    .selectAll()
    .orderBy("chain_product_id")
    .execute();
  const inTables = rows.map((row) => ({
    id: row.chain_product_id,
    terms: termsOf(row),
    status: row.status,
    subscriberCount: row.subscriber_count,
    subscribed: BigInt(row.subscribed),
    principal: BigInt(row.principal),
    interestOwed: BigInt(row.interest_owed),
    funded: BigInt(row.funded),
  }));
  assert.deepEqual(inTables, onChain);
  const [totalPrincipal, totalFunded] = await Promise.all([
    world.client.readContract({ ...earn, functionName: "totalPrincipal" }),
    world.client.readContract({ ...earn, functionName: "totalFunded" }),
  ]);
  assert.equal(sum(inTables.map(({ principal }) => principal)), totalPrincipal);
  assert.equal(sum(inTables.map(({ funded }) => funded)), totalFunded);
}

/** The transactions that opened and ended a position, by the contract's logs. */
async function positionEvents(world: ForkingChain) {
  const logs = await world.client.getContractEvents({ ...earnOf(world), fromBlock: 0n, strict: true });
  const keyOf = (args: { user: Address; productId: bigint }) => `${args.productId} ${lower(args.user)}`;
  const opened = new Map<string, Hex>();
  const claimed = new Map<string, { hash: Hex; principal: bigint; interest: bigint }>();
  const refunded = new Map<string, { hash: Hex; principal: bigint }>();
  for (const { eventName, args, transactionHash: hash } of logs) {
    if (eventName === "Subscribed" && !opened.has(keyOf(args))) opened.set(keyOf(args), hash);
    if (eventName === "Claimed") claimed.set(keyOf(args), { hash, principal: args.principal, interest: args.interest });
    if (eventName === "EmergencyClaimed") refunded.set(keyOf(args), { hash, principal: args.principal });
  }
  return { opened, claimed, refunded };
}

async function assertPositionsAgree(world: ForkingChain, database: Db): Promise<void> {
  const { opened, claimed, refunded } = await positionEvents(world);
  const rows = await earnDb(database).selectFrom("earn_subscription").selectAll().execute();
  const keys = rows.map((row) => `${row.chain_product_id} ${row.user_address}`);
  assert.deepEqual(keys.toSorted(), [...opened.keys()].sort(), "the tables have the positions that were ever opened");
  for (const [place, row] of rows.entries()) {
    const key = keys[place]!;
    const args = [row.user_address as Address, row.chain_product_id] as const;
    const [held, interest] = await Promise.all([
      world.client.readContract({ ...earnOf(world), functionName: "position", args }),
      world.client.readContract({ ...earnOf(world), functionName: "interestOf", args }),
    ]);
    const [claim, refund] = [claimed.get(key), refunded.get(key)];
    assert.deepEqual(
      [row.subscribe_tx_hash, row.claim_tx_hash, row.refund_tx_hash],
      [opened.get(key), claim?.hash ?? null, refund?.hash ?? null],
    );
    const inTable = [row.nft_status, BigInt(row.principal)];
    if (claim !== undefined)
      assert.deepEqual([...inTable, BigInt(row.interest)], ["redeemed", claim.principal, claim.interest]);
    else if (refund !== undefined) assert.deepEqual(inTable, ["refunded", refund.principal]);
    else {
      assert.deepEqual([...inTable, BigInt(row.interest)], ["minted", held.principal, interest]);
      assert.equal(BigInt(row.nft_token_id), held.tokenId);
      continue;
    }
    assert.equal(held.principal, 0n, "the contract holds nothing of a position that was paid out");
  }
}

/** ERN-4: a reservation is used exactly if the contract has accepted its voucher. */
async function assertVouchersAgree(world: ForkingChain, database: Db): Promise<void> {
  const reservations = await earnDb(database).selectFrom("earn_reservation").select(["digest", "is_used"]).execute();
  for (const { digest, is_used } of reservations) {
    const args = [digest as Hex] as const;
    assert.equal(is_used, await world.client.readContract({ ...earnOf(world), functionName: "isDigestUsed", args }));
  }
}

export async function assertReferralAgrees(world: ForkingChain, database: Db): Promise<void> {
  const referral = { address: world.contracts.referral, abi: referralRebateAbi } as const;
  const db = referralDb(database);
  const codes = new Map(
    (await db.selectFrom("referral_code").selectAll().execute()).map((row) => [row.code, row.owner]),
  );
  for (const code of REFERRAL_CODES) {
    const owner = await world.client.readContract({ ...referral, functionName: "codeOwner", args: [code] });
    assert.equal(codes.get(code) ?? zeroAddress, lower(owner));
  }
  const terms = await db.selectFrom("referral_tier_terms").selectAll().execute();
  for (const tier of REFERRAL_TIERS) {
    const { total_bps, discount_share_bps } = terms.find((row) => row.tier === tier) ?? {
      total_bps: 0,
      discount_share_bps: 0,
    };
    const onChain = await world.client.readContract({ ...referral, functionName: "tierTerms", args: [tier] });
    assert.deepEqual({ totalBps: total_bps, discountShareBps: discount_share_bps }, onChain);
  }
  for (const trader of world.traders) {
    const onChain = await world.client.readContract({ ...referral, functionName: "userRebate", args: [trader] });
    const { code, tier, credited, claimed, nonce } = onChain;
    assert.deepEqual(await rebateOf(database, lower(trader)), { code, tier, credited, claimed, nonce });
  }
  for (const { batch_id } of await db.selectFrom("referral_batch").select("batch_id").execute()) {
    const args = [batch_id as Hex] as const;
    assert.ok(await world.client.readContract({ ...referral, functionName: "isBatchSynced", args }));
  }
}

async function rebateOf(database: Db, address: string) {
  const db = referralDb(database);
  const used = await db.selectFrom("referral_trader").select("code").where("trader", "=", address).executeTakeFirst();
  const affiliate = await db
    .selectFrom("referral_affiliate")
    .select("tier")
    .where("affiliate", "=", address)
    .executeTakeFirst();
  const credits = await db.selectFrom("referral_credit").select("amount").where("address", "=", address).execute();
  const claims = await db.selectFrom("referral_claim").selectAll().where("address", "=", address).execute();
  return {
    code: used?.code ?? zeroHash,
    tier: affiliate?.tier ?? 0,
    credited: sum(credits.map(({ amount }) => BigInt(amount))),
    claimed: sum(claims.map(({ amount }) => BigInt(amount))),
    nonce: BigInt(claims.length),
  };
}
