import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AffiliateRecord, RebateRecord, ShareIncome } from "@bourse/api";
import { sql } from "kysely";
import { dayOf } from "../../kernel/dates.ts";
import {
  bookFamily,
  createReportsPlatform,
  type Family,
  type ReportsPlatform,
  TODAY,
  USDT,
  walletAddress,
  YESTERDAY,
} from "./testing/reports-platform.ts";

const BAD_PERIODS = ["", "2026-02-30", "2026-2-3", "20260203", "today", "0000-01-01", "2026-06-01%00", "%ED%A0%80"];

describe("lists of records", () => {
  let platform: ReportsPlatform;
  let family: Family;
  before(async () => {
    platform = await createReportsPlatform();
    family = await bookFamily(platform);
  });
  after(() => platform.close());

  const records = (wallet: number, query = "") => platform.read<RebateRecord[]>(wallet, `/rebate-records${query}`);

  it("interface 2.7: a broker's records, the newest first, with provisional ones marked", async () => {
    const list = await records(1);
    assert.deepEqual(
      list.map(({ period, provisional }) => [period, provisional]),
      [
        [TODAY, true],
        [YESTERDAY, false],
        [YESTERDAY, false],
        [YESTERDAY, false],
      ],
    );
    const [newest] = list;
    assert.match(String(newest?.id), /^[0-9a-f]{8}-[0-9a-f]{4}-/);
    assert.deepEqual(newest, {
      id: newest?.id,
      downline_wallet: walletAddress(3),
      period: TODAY,
      fee_amount: "7.000001",
      customer_rebate: "0.70",
      nominal_rebate: "2.80",
      share_amount: "0.00",
      kol_net_rebate: "2.10",
      payment_status: "pending",
      customer_payment_status: "pending",
      payment_tx_hash: null,
      revision: 0,
      kol_rebate_rate: "0.4",
      share_ratio: "0",
      customer_rebate_ratio: "0.1",
      provisional: true,
    });
    const own = list.find(({ downline_wallet }) => downline_wallet === walletAddress(1));
    assert.deepEqual([own?.nominal_rebate, own?.customer_rebate, own?.kol_net_rebate], ["4.00", "4.00", "0.00"]);
    const [ofSubKol] = await records(2);
    assert.deepEqual(
      [ofSubKol?.share_amount, ofSubKol?.share_ratio, ofSubKol?.kol_rebate_rate],
      ["6.00", "0.3", "0.3"],
    );
  });

  it("interface 4.2: one day only, or none that has records", async () => {
    assert.equal((await records(1, `?period=${YESTERDAY}`)).length, 3);
    assert.equal((await records(1, `?period=${TODAY}&unknown=1`)).length, 1);
    assert.deepEqual(await records(1, "?period=1999-12-31"), []);
    assert.deepEqual(await records(1, "?period=9999-12-31"), []);
  });

  it("BRK-16: a period that is no day of the calendar is refused on every list", async () => {
    for (const list of ["/rebate-records", "/my-rebate", "/affiliate-records", "/share-income"]) {
      for (const period of BAD_PERIODS) {
        await platform.assertRefused(
          1,
          `${list}?period=${period}`,
          400,
          "INVALID_PERIOD",
          "period must be a date as YYYY-MM-DD",
        );
      }
      await platform.assertRefused(1, `${list}?period=${TODAY}&period=${TODAY}`, 400, "INVALID_PERIOD");
      await platform.assertRefused(1, `${list}?period=${"1".repeat(41)}`, 400, "INVALID_PERIOD");
    }
  });

  it("interface 4.2: my-rebate shows the own trades to whoever made them", async () => {
    const mine = (wallet: number, query = "") => platform.read<RebateRecord[]>(wallet, `/my-rebate${query}`);
    const customer = await mine(3);
    assert.deepEqual(
      customer.map(({ period, fee_amount, customer_rebate }) => [period, fee_amount, customer_rebate]),
      [
        [TODAY, "7.000001", "0.70"],
        [YESTERDAY, "100.00", "10.00"],
      ],
    );
    assert.equal((await mine(3, `?period=${TODAY}`)).length, 1);
    const [ofSubKol] = await mine(2);
    assert.deepEqual(
      [ofSubKol?.customer_rebate, ofSubKol?.nominal_rebate, ofSubKol?.kol_net_rebate],
      ["15.00", "20.00", "5.00"],
    );
    assert.deepEqual(await mine(31), []);
  });

  it("BRK-11: a parent sees its shares as a list of its own, and no record of them", async () => {
    const shares = await platform.read<ShareIncome[]>(1, "/share-income");
    assert.deepEqual(shares, [
      {
        record_id: (await records(2))[0]?.id,
        period: YESTERDAY,
        sub_kol_wallet: walletAddress(2),
        downline_wallet: family.subCustomer.wallet,
        share_ratio: "0.3",
        share_amount: "6.00",
        payment_status: "pending",
        revision: 0,
        provisional: false,
      },
    ]);
    assert.deepEqual(await platform.read(1, `/share-income?period=${TODAY}`), []);
    assert.deepEqual(await platform.read(2, "/share-income"), []);
  });

  it("BRK-11: each line has its own state, the record is paid once all are", async () => {
    const [record] = await records(2);
    assert.ok(record !== undefined);
    const line = (kind: "customer" | "share" | "kol", payee: string, usdt: bigint, paid: boolean) =>
      platform.batchLine(record.id, { kind, payee, amount_micros: usdt * USDT, paid });
    const states = async () => {
      const [now] = await records(2);
      const [share] = await platform.read<ShareIncome[]>(1, "/share-income");
      return [now?.payment_status, now?.customer_payment_status, share?.payment_status, now?.payment_tx_hash];
    };
    await line("share", walletAddress(1), 6n, true);
    await line("customer", family.subCustomer.wallet, 10n, false);
    assert.deepEqual(await states(), ["pending", "pending", "paid", null]);
    await sql`update payout_payee set paid_at = now(), tx_hash = ${`0x${"cd".repeat(32)}`}`.execute(platform.books.db);
    await line("kol", walletAddress(2), 14n, true);
    await platform.books.db
      .updateTable("rebate_record")
      .set({ payment_status: "paid", payment_tx_hash: `0x${"ab".repeat(32)}` })
      .where("id", "=", record.id)
      .execute();
    assert.deepEqual(await states(), ["paid", "paid", "paid", `0x${"ab".repeat(32)}`]);
  });

  it("BRK-9: an adjustment is a row of its own beside the record", async () => {
    // The sub-KOL's record is locked by now: 100 + 10 give 33, 11, 6.6, 15.4.
    await platform.books.fee(YESTERDAY, family.subCustomer, family.sub.termsVersion, 10n * USDT);
    await platform.settle(YESTERDAY, "closed");
    const list = (await records(2)).sort((a, b) => a.revision - b.revision);
    assert.deepEqual(
      list.map((record) => [record.revision, record.fee_amount, record.share_amount, record.kol_net_rebate]),
      [
        [0, "100.00", "6.00", "14.00"],
        [1, "10.00", "0.60", "1.40"],
      ],
    );
    assert.deepEqual(
      list.map(({ payment_status }) => payment_status),
      ["paid", "pending"],
    );
    const shares = await platform.read<ShareIncome[]>(1, "/share-income");
    assert.deepEqual(
      new Set(
        shares.map(({ revision, share_amount, payment_status }) => `${revision} ${share_amount} ${payment_status}`),
      ),
      new Set(["0 6.00 paid", "1 0.60 pending"]),
    );
  });

  it("REF-4: an affiliate sees its rewards, the trader and its KOLs do not", async () => {
    const trader = 9_001;
    const version = await platform.books.affiliateTerms(trader, walletAddress(20), 0.15);
    await platform.books.fee(TODAY, { account: trader }, version, 20n * USDT);
    await platform.settle(TODAY, "provisional");
    const [reward, ...others] = await platform.read<AffiliateRecord[]>(20, "/affiliate-records");
    assert.deepEqual(others, []);
    assert.deepEqual(
      [reward?.period, reward?.fee_amount, reward?.reward_rate, reward?.reward, reward?.payment_status],
      [TODAY, "20.00", "0.15", "3.00", "pending"],
    );
    assert.deepEqual([reward?.revision, reward?.provisional, reward?.payment_tx_hash], [0, true, null]);
    assert.deepEqual(await platform.read(20, "/my-rebate"), []);
    assert.deepEqual(await platform.read(1, "/affiliate-records"), []);
    assert.deepEqual(await platform.read(20, `/affiliate-records?period=${YESTERDAY}`), []);
  });

  it("interface 8: lists end at the 100 newest", async () => {
    const { books } = platform;
    const kol = await books.kol({ rate: 0.4, wallet: walletAddress(11) });
    const customer = await books.customer(kol, { ratio: 0.1, wallet: walletAddress(12) });
    const days = Array.from({ length: 104 }, (_, place) => dayOf(Date.UTC(2026, 0, 1 + place)));
    for (const day of days) {
      await books.fee(day, customer, kol.termsVersion, USDT);
      await platform.settle(day, "closed");
    }
    const expected = days.toReversed().slice(0, 100);
    for (const list of [await records(11), await platform.read<RebateRecord[]>(12, "/my-rebate")]) {
      assert.deepEqual(
        list.map(({ period }) => period),
        expected,
      );
    }
  });
});
