import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { referrersOf } from "../../referral/referrers.ts";
import { type BookedBroker, type BookedCustomer, BrokerBooks, walletOfAccount } from "../testing/books.ts";
import { createInviters } from "./inviters.ts";

const affiliate = `0x${"af".repeat(20)}`;
const bytes32 = (digit: string) => `0x${digit.repeat(64)}`;

describe("PTS-3: who invited whom", () => {
  let database: TestDatabase;
  let books: BrokerBooks;
  let kol: BookedBroker;
  let sub: BookedBroker;
  let customer: BookedCustomer;
  let subCustomer: BookedCustomer;
  const inviters = createInviters({ referrersOf });

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new BrokerBooks(database);
    kol = await books.kol({ rate: 0.4 });
    sub = await books.kol({ rate: 0.3, parent: kol, share: 0.2 });
    customer = await books.customer(kol, { ratio: 0.1 });
    subCustomer = await books.customer(sub, { ratio: 0.1 });
    // Tier 0 gives 10 %, half of it to the affiliate; tier 4 gives all of it to the trader.
    await sql`insert into referral_tier_terms values (0, 1000, 5000), (4, 1000, 10000)`.execute(database.db);
    await sql`insert into referral_affiliate values (${walletOfAccount(9)}, 4)`.execute(database.db);
    const codes = [
      [bytes32("1"), affiliate],
      [bytes32("2"), walletOfAccount(9)],
      [bytes32("3"), walletOfAccount(3)],
    ] as const;
    for (const [code, owner] of codes)
      await sql`insert into referral_code values (${code}, ${owner})`.execute(database.db);
  });
  after(() => database.close());

  const use = (trader: string, digit: string) =>
    sql`insert into referral_trader values (${trader}, ${bytes32(digit)})`.execute(database.db);
  const ofFills = (...fills: [account: number, version: bigint | number][]) =>
    database.db.transaction().execute((tx) =>
      inviters.ofFills(
        tx,
        fills.map(([account, version]) => ({ account, termsVersion: Number(version) })),
      ),
    );
  const ofWallets = (...wallets: string[]) =>
    database.db.transaction().execute((tx) => inviters.ofWallets(tx, wallets));

  it("of fills: the broker of a customer, the parent of a sub-KOL, nobody for a KOL", async () => {
    const found = await ofFills(
      [customer.account, kol.termsVersion],
      [subCustomer.account, sub.termsVersion],
      [sub.account, sub.termsVersion],
      [kol.account, kol.termsVersion],
    );
    assert.deepEqual(
      found,
      new Map([
        [`${customer.account}:${kol.termsVersion}`, kol.wallet],
        [`${subCustomer.account}:${sub.termsVersion}`, sub.wallet],
        [`${sub.account}:${sub.termsVersion}`, kol.wallet],
      ]),
    );
  });

  it("of fills: the affiliate while it is rewarded; version 0 and unknown versions are nobody's", async () => {
    const [rewarded, ended] = [
      await books.affiliateTerms(50, affiliate, 0.05),
      await books.affiliateTerms(50, affiliate, 0),
    ];
    const found = await ofFills([50, rewarded], [50, ended], [51, 0], [52, 999_999]);
    assert.deepEqual(found, new Map([[`50:${rewarded}`, affiliate]]));
  });

  it("of wallets: as of fills, by the bind; whoever is a broker was invited by its parent or by nobody", async () => {
    // An on-chain code has no effect on bound wallets and on brokers.
    for (const wallet of [customer.wallet, kol.wallet]) await use(wallet, "1");
    const found = await ofWallets(customer.wallet, subCustomer.wallet, sub.wallet, kol.wallet);
    assert.deepEqual(
      found,
      new Map([
        [customer.wallet, kol.wallet],
        [subCustomer.wallet, sub.wallet],
        [sub.wallet, kol.wallet],
      ]),
    );
  });

  it("of wallets: else the on-chain referrer, also without an account; not one that gets nothing, not oneself", async () => {
    const [referred, unrewarded, own, plain] = [1, 2, 3, 4].map(walletOfAccount) as [string, string, string, string];
    await use(referred, "1");
    await use(unrewarded, "2");
    await use(own, "3");
    assert.deepEqual(await ofWallets(referred, unrewarded, own, plain), new Map([[referred, affiliate]]));
  });

  it("of wallets: a frozen broker is the inviter all the same", async () => {
    const frozen = await books.kol({ rate: 0.4, status: "frozen" });
    const { wallet } = await books.customer(frozen, { ratio: 0.1 });
    assert.deepEqual(await ofWallets(wallet), new Map([[wallet, frozen.wallet]]));
  });

  it("of nobody: nobody", async () => {
    assert.deepEqual([await ofWallets(), await ofFills()], [new Map(), new Map()]);
  });
});
