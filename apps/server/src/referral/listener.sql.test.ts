import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrivateKeyAccount } from "viem";
import { itOnServer } from "../kernel/database/testing.ts";
import { type DiscountBench, openDiscountBench } from "./testing/discount-bench.ts";
import { bytes32, GOLD, lower } from "./testing/referral-scene.ts";

describe("the chain's referrals and the engine's discounts", () => {
  let bench: DiscountBench;
  let scene: DiscountBench["scene"];
  let directory: DiscountBench["directory"];
  before(async () => {
    bench = await openDiscountBench();
    ({ scene, directory } = bench);
  });
  after(() => bench.close());

  const newUser = () => bench.newUser();
  const newAffiliate = (code: string, tier: number) => bench.newAffiliate(code, tier);
  const newTrader = (code: string) => bench.newTrader(code);
  const discountOf = (account: number) => bench.discountOf(account);
  const sync = () => bench.sync();
  const tables = () => bench.tables();

  it("REF-1: the tiers' terms are known from the contract's beginning", async () => {
    await bench.indexer.sync();
    const { referral_tier_terms } = await tables();
    assert.deepEqual(
      referral_tier_terms,
      [
        [1_000, 5_000],
        [1_500, 5_000],
        [2_000, 5_000],
        [2_500, 4_000],
        [3_000, 4_000],
      ].map(([total_bps, discount_share_bps], tier) => ({ tier, total_bps, discount_share_bps })),
    );
  });

  it("REF-4: a trader that has an account gets the discount with the event of its code", async () => {
    const trader = await newUser();
    const account = await directory.ensure(lower(trader));
    await newAffiliate("GOLD", GOLD);
    await scene.useCode(trader, bytes32("GOLD"));
    assert.deepEqual(await sync(), [{ account, discount_bps: 1_000 }]);
    assert.equal(discountOf(account), 1_000);
    assert.deepEqual(await sync(), [], "nothing is told twice");
  });

  it("REF-4: a trader without an account gets it when one is opened", async () => {
    await newAffiliate("LATER", 2);
    const trader = await newTrader("LATER");
    assert.deepEqual(await sync(), []);
    const account = await directory.ensure(lower(trader));
    await bench.dispatcher.idle();
    assert.deepEqual(bench.told, [{ account, discount_bps: 1_000 }]);
    const stranger = await directory.ensure(lower(await newUser()));
    await bench.dispatcher.idle();
    assert.equal(bench.told.length, 1);
    assert.equal(discountOf(stranger), 0);
  });

  it("REF-4: another code brings another discount, and one of the same discount no command", async () => {
    for (const [code, tier] of [
      ["STARTER", 0],
      ["BRONZE", 1],
      ["DIAMOND", 4],
      ["GOLD2", GOLD],
      ["SILVER2", 2],
    ] as const) {
      await newAffiliate(code, tier);
    }
    const trader = await newUser();
    const account = await directory.ensure(lower(trader));
    const bps: number[] = [];
    for (const code of ["STARTER", "BRONZE", "DIAMOND", "GOLD2", "SILVER2"]) {
      await scene.useCode(trader, bytes32(code));
      bps.push(...(await sync()).map(({ discount_bps }) => discount_bps));
      const { discountBps } = await scene.contract.traderReferral(trader.address);
      assert.equal(discountOf(account), discountBps);
    }
    assert.deepEqual(bps, [500, 750, 1_200, 1_000], "Gold and Silver give the same");
  });

  it("REF-4: the affiliate's tier changes the discount of its referees and of nobody else", async () => {
    const affiliate = await newAffiliate("RISING", 0);
    await scene.registerCode(affiliate, bytes32("RISING-2"));
    const first = await directory.ensure(lower(await newTrader("RISING")));
    const second = await directory.ensure(lower(await newTrader("RISING-2")));
    await newTrader("RISING");
    await sync();
    assert.deepEqual([discountOf(first), discountOf(second)], [500, 500]);
    await scene.setTier(affiliate, 4);
    const commands = await sync();
    assert.deepEqual(
      commands.sort((one, other) => one.account - other.account),
      [
        { account: first, discount_bps: 1_200 },
        { account: second, discount_bps: 1_200 },
      ],
    );
    await scene.setTier(affiliate, 0);
    assert.equal((await sync()).length, 2);
    assert.equal(discountOf(first), 500);
  });

  it("REF-4: new terms of a tier reach the traders of its affiliates, rounded down as on the chain", async () => {
    await newAffiliate("TERMS", 1);
    const trader = await newTrader("TERMS");
    const account = await directory.ensure(lower(trader));
    await sync();
    await scene.setTierTerms(1, 333, 5_000);
    assert.deepEqual(
      (await sync()).find((command) => command.account === account),
      { account, discount_bps: 166 },
    );
    assert.equal((await scene.contract.traderReferral(trader.address)).discountBps, 166);
    await scene.setTierTerms(1, 0, 0);
    await sync();
    assert.equal(discountOf(account), 0);
    await scene.setTierTerms(1, 1_500, 5_000);
    await sync();
    assert.equal(discountOf(account), 750);
  });

  it("REF-4: changes that undo each other between two looks are no change", async () => {
    const affiliate = await newAffiliate("BACK", 1);
    const account = await directory.ensure(lower(await newTrader("BACK")));
    await sync();
    await scene.setTier(affiliate, 4);
    await scene.setTier(affiliate, 1);
    assert.deepEqual(await sync(), []);
    assert.equal(discountOf(account), 750);
  });

  it("REF-3: credits and claims are kept as the chain has them", async () => {
    const users = [await newUser(), await newUser()];
    const lines = users.map((user, place) => ({ user: user.address, amount: BigInt(place + 1) * 1_500_000n }));
    const hash = await syncRebates(
      users,
      "paid",
      lines.map(({ amount }) => amount),
    );
    const claimed = await scene.claim(users[1]!);
    await sync();
    const { referral_batch, referral_credit, referral_claim } = await tables();
    const at = new Date(scene.clock.now());
    const batch = { batch_id: bytes32("paid"), tx_hash: hash };
    assert.deepEqual(referral_batch, [
      {
        ...batch,
        operator: lower(scene.operatorAccount),
        user_count: 2,
        total: "4500000",
        block_number: BigInt(scene.chain.tip.number - 1),
      },
    ]);
    const creditOf = (place: number, amount: string) => {
      return { ...batch, ordinal: place, address: lower(users[place]!), amount, credited_at: at };
    };
    assert.deepEqual(referral_credit, [creditOf(0, "1500000"), creditOf(1, "3000000")]);
    assert.deepEqual(referral_claim, [
      { tx_hash: claimed, ordinal: 0, address: lower(users[1]!), amount: "3000000", nonce: 1n, claimed_at: at },
    ]);
  });

  async function syncRebates(users: readonly PrivateKeyAccount[], id: string, amounts: readonly bigint[]) {
    await scene.mint(scene.operatorAccount.address, 10_000_000n);
    await scene.allowOperatorsTokens();
    return scene.syncRebates(
      bytes32(id),
      users.map(({ address }) => address),
      amounts,
    );
  }

  itOnServer("REF-4: an account that is opened while the event is being applied gets the discount", async () => {
    await newAffiliate("RACE", GOLD);
    await sync();
    const [trader, gate] = [await newTrader("RACE"), Promise.withResolvers<void>()];
    const applied = Promise.withResolvers<void>();
    const slow = scene.indexerOn(bench.database, {
      ...bench.listener,
      async apply(tx, events) {
        await bench.listener.apply(tx, events);
        applied.resolve();
        await gate.promise;
      },
    });
    const syncing = slow.sync();
    await applied.promise;
    const opening = directory.ensure(lower(trader));
    assert.equal(await Promise.race([opening, sleep(50, "waits")]), "waits");
    gate.resolve();
    await syncing;
    const account = await opening;
    await bench.dispatcher.idle();
    assert.equal(discountOf(account), 1_000);
  });

  it("ERN-9: blocks that are no longer part of the chain leave no trace, in the tables and in the fees", async () => {
    const affiliate = await newAffiliate("REORG", GOLD);
    const [used, switching, unbound] = [await newTrader("REORG"), await newTrader("REORG"), await newUser()];
    const accounts: number[] = [];
    for (const trader of [used, switching, unbound]) accounts.push(await directory.ensure(lower(trader)));
    await sync();
    const before = await tables();
    const discounts = accounts.map(discountOf);
    assert.deepEqual(discounts, [1_000, 1_000, 0]);

    const fork = await scene.chain.snapshot();
    const other = await newAffiliate("ORPHAN", 4);
    await scene.useCode(switching, bytes32("ORPHAN"));
    await scene.useCode(unbound, bytes32("ORPHAN"));
    await scene.setTier(affiliate, 1);
    await scene.setTierTerms(1, 5_000, 10_000);
    await scene.setTierTerms(2, 0, 0);
    await scene.setTier(other, 0);
    await syncRebates([used], "orphan", [1_000_000n]);
    await scene.claim(used);
    await sync();
    assert.deepEqual(accounts.map(discountOf), [5_000, 500, 500]);
    assert.notDeepEqual(await tables(), before);

    await scene.chain.revertTo(fork);
    // Another branch, longer than the first, so that the node has a block at every height.
    for (let blocks = 0; blocks < 20; blocks += 1) await scene.chain.mine();
    await sync();
    assert.deepEqual(await tables(), before);
    assert.deepEqual(accounts.map(discountOf), discounts);
  });

  it("ERN-9: an account that was opened on a branch that is gone loses the discount as well", async () => {
    await newAffiliate("BRANCH", GOLD);
    const trader = await newUser();
    await sync();
    const fork = await scene.chain.snapshot();
    await scene.useCode(trader, bytes32("BRANCH"));
    await sync();
    const account = await directory.ensure(lower(trader));
    await bench.dispatcher.idle();
    assert.equal(discountOf(account), 1_000);
    await scene.chain.revertTo(fork);
    for (let blocks = 0; blocks < 3; blocks += 1) await scene.chain.mine();
    await sync();
    assert.equal(discountOf(account), 0);
  });
});
