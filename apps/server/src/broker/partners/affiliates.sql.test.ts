import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import type { PrivateKeyAccount } from "viem";
import { migrations } from "../../compose/migrations.ts";
import { type DiscountBench, openDiscountBench } from "../../referral/testing/discount-bench.ts";
import { bytes32, GOLD, lower } from "../../referral/testing/referral-scene.ts";
import { BrokerBooks } from "../testing/books.ts";
import { Affiliates } from "./affiliates.ts";
import { Terms } from "./terms.ts";

describe("affiliates' terms", () => {
  let bench: DiscountBench;
  let books: BrokerBooks;
  let affiliates: Affiliates;
  before(async () => {
    bench = await openDiscountBench({ migrations });
    const { database, engineRequests, discounts, scene } = bench;
    const { clock } = scene;
    const terms = new Terms({ clock, log: pino({ level: "silent" }), engineRequests });
    affiliates = new Affiliates({ clock, terms });
    discounts.onTerms((tx, traders) => affiliates.follow(tx, traders));
    books = new BrokerBooks(database, { firstAccount: 100_001 });
  });
  after(() => bench.close());

  const versionOf = (account: number) => bench.exchange.engine.state.accounts.termsVersion(account);
  const rowsOf = async (account: number) =>
    (
      await books.db
        .selectFrom("broker_terms")
        .selectAll()
        .where("account", "=", account)
        .orderBy("terms_version")
        .execute()
    ).map(({ kind, affiliate, rate_e6, cause, terms_version }) => ({ kind, affiliate, rate_e6, cause, terms_version }));
  async function accountOf(trader: PrivateKeyAccount): Promise<number> {
    const account = await bench.directory.ensure(lower(trader));
    await bench.dispatcher.idle();
    return account;
  }

  it("REF-4: a code is a row and a version for its trader; the same again is nothing", async () => {
    const trader = await bench.newUser();
    const account = await accountOf(trader);
    const owner = await bench.newAffiliate("GOLD", GOLD);
    await bench.scene.useCode(trader, bytes32("GOLD"));
    await bench.sync();
    const [row, ...rest] = await rowsOf(account);
    assert.deepEqual(rest, []);
    const { terms_version, ...terms } = row!;
    assert.deepEqual(terms, { kind: "affiliate", affiliate: lower(owner), rate_e6: 150_000, cause: "affiliate" });
    assert.equal(versionOf(account), Number(terms_version));
    await bench.scene.setTier(owner, GOLD);
    await bench.sync();
    assert.equal((await rowsOf(account)).length, 1);
  });

  it("REF-4: tier, tier terms and code change the reward, each as a new version", async () => {
    const owner = await bench.newAffiliate("MOVING", 0);
    const other = await bench.newAffiliate("OTHER", 1);
    const trader = await bench.newUser();
    const account = await accountOf(trader);
    await bench.scene.useCode(trader, bytes32("MOVING"));
    await bench.sync();
    await bench.scene.setTier(owner, 4);
    await bench.sync();
    // The same discount of 12 % with another reward.
    await bench.scene.setTierTerms(4, 2_400, 5_000);
    assert.deepEqual(await bench.sync(), [], "the discount is the same");
    await bench.scene.useCode(trader, bytes32("OTHER"));
    await bench.sync();
    const rows = await rowsOf(account);
    assert.deepEqual(
      rows.map(({ affiliate, rate_e6 }) => [affiliate, rate_e6]),
      [
        [lower(owner), 50_000],
        [lower(owner), 180_000],
        [lower(owner), 120_000],
        [lower(other), 75_000],
      ],
    );
    assert.equal(versionOf(account), Number(rows.at(-1)!.terms_version));
    await bench.scene.setTierTerms(4, 3_000, 4_000);
    await bench.sync();
  });

  it("REF-4: another affiliate of the same tier is another version", async () => {
    const owners = [await bench.newAffiliate("SAME-A", 2), await bench.newAffiliate("SAME-B", 2)];
    const trader = await bench.newUser();
    const account = await accountOf(trader);
    for (const code of ["SAME-A", "SAME-B", "SAME-A"]) {
      await bench.scene.useCode(trader, bytes32(code));
      await bench.sync();
    }
    const rows = await rowsOf(account);
    assert.deepEqual(
      rows.map(({ affiliate }) => affiliate),
      [owners[0], owners[1], owners[0]].map((owner) => lower(owner!)),
    );
    assert.equal(versionOf(account), Number(rows[2]!.terms_version));
  });

  it("REF-4: a wallet that used a code before it had an account gets its terms with the account", async () => {
    await bench.newAffiliate("EARLY", 1);
    const trader = await bench.newTrader("EARLY");
    await bench.sync();
    const account = await accountOf(trader);
    const [row] = await rowsOf(account);
    assert.equal(row?.rate_e6, 75_000);
    assert.equal(versionOf(account), Number(row?.terms_version));
    const stranger = await accountOf(await bench.newUser());
    assert.deepEqual([await rowsOf(stranger), versionOf(stranger)], [[], 0]);
  });

  it("REF-4: nobody earns on himself, nor where the reward is zero", async () => {
    const owner = await bench.newAffiliate("SELF", GOLD);
    const account = await accountOf(owner);
    await bench.sync();
    await inTransaction(account, { trader: lower(owner), affiliate: lower(owner), reward_bps: 1_500 });
    await inTransaction(account, { trader: lower(owner), affiliate: lower(await bench.newUser()), reward_bps: 0 });
    assert.deepEqual([await rowsOf(account), versionOf(account)], [[], 0]);
  });

  it("REF-4: without a code the trader's fills are nobody's again, and the same code later is a new version", async () => {
    const trader = await bench.newUser();
    const account = await accountOf(trader);
    const state = { trader: lower(trader), affiliate: lower(await bench.newUser()), reward_bps: 500 };
    await inTransaction(account, state);
    const first = versionOf(account);
    assert.ok(first > 0);
    await inTransaction(account, { ...state, affiliate: null, reward_bps: 0 });
    assert.equal(versionOf(account), 0);
    await inTransaction(account, { ...state, affiliate: null, reward_bps: 0 });
    assert.equal((await rowsOf(account)).length, 2, "that it is over is said once");
    await inTransaction(account, state);
    const rows = await rowsOf(account);
    assert.deepEqual(
      rows.map(({ cause, rate_e6 }) => [cause, rate_e6]),
      [
        ["affiliate", 50_000],
        ["affiliate-ended", 0],
        ["affiliate", 50_000],
      ],
    );
    assert.equal(versionOf(account), Number(rows[2]!.terms_version));
    assert.ok(versionOf(account) > first);
  });

  it("REF-4: who was invited by a broker, or is one, has no affiliate terms", async () => {
    const [customer, broker] = [await bench.newUser(), await bench.newUser()];
    const [ofCustomer, ofBroker] = [await accountOf(customer), await accountOf(broker)];
    const kol = await books.kol({ rate: 0.4 });
    const code_id = await books.code(kol, "direct", { rate: 0.1 });
    await sql`
      insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, customer_ratio_e6,
        share_ratio_e6, bind_time)
      values (${lower(customer)}, ${ofCustomer}, ${code_id}, 'direct', ${kol.id}, 100000, 0, now())`.execute(books.db);
    await sql`
      insert into broker (id, account, wallet_address, level, rate_e6, status, created_at)
      values (gen_random_uuid(), ${ofBroker}, ${lower(broker)}, 1, 200000, 'active', now())`.execute(books.db);
    await bench.newAffiliate("LATE", GOLD);
    for (const trader of [customer, broker]) await bench.scene.useCode(trader, bytes32("LATE"));
    const told = await bench.sync();
    assert.deepEqual(
      told.map(({ account }) => account).sort((a, b) => a - b),
      [ofCustomer, ofBroker],
    );
    for (const account of [ofCustomer, ofBroker]) {
      assert.deepEqual([await rowsOf(account), versionOf(account)], [[], 0]);
    }
  });

  /** Reports one trader as the chain's listener does. */
  async function inTransaction(
    account: number,
    state: { trader: string; affiliate: string | null; reward_bps: number },
  ): Promise<void> {
    const { database, dispatcher } = bench;
    await database.db.transaction().execute(async (tx) => {
      await bench.directory.numbersOf(tx, [state.trader]);
      await affiliates.follow(tx, [{ account, ...state }]);
    });
    dispatcher.notify();
    await dispatcher.idle();
  }
});
