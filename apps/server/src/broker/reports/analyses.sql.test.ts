import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrokerPerformance, WhatIf } from "@bourse/api";
import { sql } from "kysely";
import { amountText } from "../ratios.ts";
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

const HEADER =
  "period,id,revision,downline_wallet,fee_amount,kol_rebate_rate,customer_rebate_ratio,share_ratio,nominal_rebate," +
  "customer_rebate,share_amount,kol_net_rebate,payment_status";

const BAD_RANGES = [
  ...["from=2026-02-30", "to=2026-6-1", "from=", "from=2026-06-02", "from=2026-06-01&to=2026-05-31"],
  ...["from=2025-05-31&to=2026-06-01", "from=0000-01-01", "to=never"],
];

describe("analyses of a broker", () => {
  let platform: ReportsPlatform;
  let family: Family;
  before(async () => {
    platform = await createReportsPlatform();
    family = await bookFamily(platform);
  });
  after(() => platform.close());

  describe("the export", () => {
    const exported = async (wallet: number, query: string) => {
      const reply = await platform.ask(wallet, `/rebate-records/export?${query}`);
      assert.equal(reply.statusCode, 200, reply.body);
      return reply;
    };

    it("BRK-17: records as CSV, by day and id, in a file named after the days", async () => {
      const reply = await exported(1, `from=${YESTERDAY}&to=${TODAY}`);
      assert.equal(reply.headers["content-type"], "text/csv; charset=utf-8");
      const file = `attachment; filename="rebate-records-${YESTERDAY}-${TODAY}.csv"`;
      assert.equal(reply.headers["content-disposition"], file);
      const lines = reply.body.split("\r\n");
      assert.equal(lines[0], HEADER);
      assert.deepEqual([lines.length, lines.at(-1)], [6, ""]);
      const cells = lines.slice(1, -1).map((line) => line.split(","));
      assert.deepEqual(
        cells.map(([period]) => period),
        [YESTERDAY, YESTERDAY, YESTERDAY, TODAY],
      );
      const ids = cells.slice(0, 3).map(([, id]) => id);
      assert.deepEqual(ids, ids.toSorted());
      const customer = ["7.000001", "0.4", "0.1", "0", "2.80", "0.70", "0.00", "2.10", "pending"];
      assert.deepEqual(cells[3]?.slice(2), ["0", walletAddress(3), ...customer]);
      for (const cell of cells.flat()) assert.match(cell, /^[0-9a-z.-]+$/);
    });

    it("BRK-17: without days the last 30, without records the header alone", async () => {
      assert.equal((await exported(1, "")).body.split("\r\n").length, 6);
      assert.equal((await exported(1, "from=2020-01-01&to=2020-12-31")).body, `${HEADER}\r\n`);
    });

    it("BRK-17: more records than a page come in order and each once", async () => {
      const { books } = platform;
      const kol = await books.kol({ rate: 0.4, wallet: walletAddress(21) });
      const code = await books.code(kol, "direct", { rate: 0.1 });
      await sql`
        insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, customer_ratio_e6,
          share_ratio_e6, bind_time)
        select '0x' || lpad(to_hex(n), 40, 'e'), n, ${code}, 'direct', ${kol.id}, 100000, 0, timestamptz '2026-01-01Z'
        from generate_series(700001, 702500) n`.execute(books.db);
      await sql`
        insert into broker_pre_settlement (day, account, terms_version, counted_micros, skipped_micros, fills,
          skipped_fills, last_command, last_event)
        select day::date, account, ${kol.termsVersion}, account, 0, 1, 0, account, 0
        from broker_bind, unnest(array['2026-03-01', '2026-03-02']) as day
        where inviter_broker_id = ${kol.id}`.execute(books.db);
      for (const day of ["2026-03-01", "2026-03-02"]) await platform.settle(day, "closed");
      const { body } = await exported(21, "from=2026-03-01&to=2026-03-02");
      const keys = body
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.slice(0, "2026-03-01,".length + 36));
      assert.equal(keys.length, 5_000);
      assert.equal(new Set(keys).size, 5_000);
      assert.deepEqual(keys, keys.toSorted());
    });

    it("BRK-16: days that are none, out of order or too far apart are refused", async () => {
      for (const query of BAD_RANGES) {
        await platform.assertRefused(1, `/rebate-records/export?${query}`, 400, "INVALID_PERIOD");
        await platform.assertRefused(1, `/performance?${query}`, 400, "INVALID_PERIOD");
      }
      await platform.assertRefused(1, "/performance?from=2026-05-01&from=2026-05-02", 400, "INVALID_FIELD");
    });
  });

  describe("the performance", () => {
    const figures = (
      [sign_ups, first_traders, active_traders]: readonly [number, number, number],
      [fee, rebate, share_income, traded_volume]: readonly [string, string, string, string],
    ) => ({ sign_ups, first_traders, active_traders, fee, rebate, share_income, traded_volume });

    it("BRK-17: sign-ups, first and active traders and earnings by day and in all", async () => {
      const performance = await platform.read<BrokerPerformance>(1, "/performance?from=2026-05-30");
      // The KOL's own trades bring fees to its records, but the KOL is not its own downline.
      assert.deepEqual(performance, {
        from: "2026-05-30",
        to: TODAY,
        totals: figures([2, 2, 2], ["167.000001", "37.10", "6.00", "334000.002"]),
        days: [
          { date: "2026-05-30", ...figures([1, 0, 0], ["0.00", "0.00", "0.00", "0.00"]) },
          { date: YESTERDAY, ...figures([1, 2, 2], ["160.00", "35.00", "6.00", "320000.00"]) },
          { date: TODAY, ...figures([0, 0, 1], ["7.000001", "2.10", "0.00", "14000.002"]) },
        ],
      });
      const sub = await platform.read<BrokerPerformance>(2, "/performance");
      assert.equal(sub.days.length, 30);
      assert.deepEqual(sub.totals, figures([1, 1, 1], ["100.00", "14.00", "0.00", "200000.00"]));
    });

    it("BRK-17: a fill that does not count, or was an affiliate's, makes no first trader", async () => {
      const { books } = platform;
      const kol = await books.kol({ rate: 0.4, wallet: walletAddress(22) });
      const customer = await books.customer(kol, { ratio: 0.1, at: new Date("2026-04-30T23:59:59.999Z") });
      const earlier = await books.affiliateTerms(customer.account, walletAddress(23), 0.1);
      await books.fee("2026-04-29", customer, earlier, USDT);
      await books.fee("2026-04-30", customer, kol.termsVersion, 0n, { skipped_micros: 5n, reason: "self_trade" });
      await books.fee("2026-05-01", customer, kol.termsVersion, USDT);
      const { days, totals } = await platform.read<BrokerPerformance>(22, "/performance?from=2026-04-29&to=2026-05-02");
      assert.deepEqual(
        days.map(({ first_traders }) => first_traders),
        [0, 0, 1, 0],
      );
      assert.deepEqual(
        days.map(({ sign_ups }) => sign_ups),
        [0, 1, 0, 0],
      );
      assert.deepEqual(totals, figures([1, 1, 0], ["0.00", "0.00", "0.00", "0.00"]), "nothing is settled yet");
      const outside = await platform.read<BrokerPerformance>(22, "/performance?from=2026-05-02&to=2026-05-02");
      assert.deepEqual(outside.totals, figures([0, 0, 0], ["0.00", "0.00", "0.00", "0.00"]));
    });
  });

  describe("what if", () => {
    const whatIf = (wallet: number, query: string) => platform.read<WhatIf>(wallet, `/what-if?${query}`);

    it("BRK-17: another ratio over the real fees of own customers", async () => {
      const answer = await whatIf(1, "customer_rebate_ratio=0.25&days=3");
      assert.deepEqual([answer.from, answer.to, answer.customers], ["2026-05-30", TODAY, 1]);
      assert.equal(answer.customer_rebate_ratio, "0.25");
      // Yesterday 100: 40, 25, 15. Today 7.000001: 2.8, floor6(1.75000025), the rest. The sub-KOL is not a customer.
      const fees = { fee: "107.000001", nominal: "42.80", share: "0.00" };
      assert.deepEqual(answer.actual, { ...fees, customer_rebate: "10.70", kol_net: "32.10" });
      assert.deepEqual(answer.hypothetical, { ...fees, customer_rebate: "26.75", kol_net: "16.05" });
      assert.deepEqual(
        answer.days.map(({ date }) => date),
        ["2026-05-30", YESTERDAY, TODAY],
      );
      const today = { fee: "7.000001", nominal: "2.80", share: "0.00" };
      assert.deepEqual(answer.days[2]?.hypothetical, { ...today, customer_rebate: "1.75", kol_net: "1.05" });
      assert.equal(answer.days[0]?.actual.fee, "0.00");
      assert.equal((await whatIf(1, "customer_rebate_ratio=0")).days.length, 30, "today is the last of them");
    });

    it("BRK-10: the parent's share is part of it", async () => {
      const answer = await whatIf(2, "customer_rebate_ratio=0.3");
      // If the customer gets all of 100 × 30 %, nothing is left to share.
      const all = { fee: "100.00", nominal: "30.00", customer_rebate: "30.00", share: "0.00", kol_net: "0.00" };
      assert.deepEqual(answer.hypothetical, all);
      assert.deepEqual([answer.actual.share, answer.actual.kol_net], ["6.00", "14.00"]);
    });

    it("BRK-13: with the ratio of the code it is the settlement's own result, to the last unit", async () => {
      const { books } = platform;
      const parent = await books.kol({ rate: 0.370001 });
      const chain = { parent, parentRate: 0.370001, share: 0.123457 };
      const kol = await books.kol({ rate: 0.333333, ...chain, wallet: walletAddress(24) });
      const lower = await books.terms(kol, { rate: 0.099999, ...chain });
      const capped = await books.terms(kol, { rate: 0.333333, ...chain, parentRate: 0.05 });
      const again = await books.terms(kol, { rate: 0.333333, ...chain });
      const days = ["2026-05-20", "2026-05-21", YESTERDAY];
      for (let n = 0; n < 9; n += 1) {
        const customer = await books.customer(kol, { ratio: 0.111111, share: n / 10 });
        for (const [place, version] of [kol.termsVersion, lower, capped, again].entries()) {
          const day = days[(n + place) % days.length] ?? YESTERDAY;
          await books.fee(day, customer, version, 1_000_003n * BigInt(n * 7 + place + 1) + 1n);
        }
      }
      for (const day of days) await platform.settle(day, "closed");
      const { rows } = await sql<Record<string, bigint>>`
        select sum(fee_micros)::bigint as fee, sum(nominal_micros)::bigint as nominal,
          sum(customer_micros)::bigint as customer_rebate, sum(share_micros)::bigint as share,
          sum(net_micros)::bigint as kol_net
        from rebate_record where broker_id = ${kol.id}`.execute(books.db);
      const settled = Object.fromEntries(
        Object.entries(rows[0] ?? {}).map(([name, micros]) => [name, amountText(micros)]),
      );
      const same = await whatIf(24, "customer_rebate_ratio=0.111111");
      assert.deepEqual([same.actual, same.hypothetical, same.customers], [settled, settled, 9]);
      for (const day of same.days) assert.deepEqual(day.actual, day.hypothetical);
      const other = await whatIf(24, "customer_rebate_ratio=0.11111");
      assert.notDeepEqual(other.hypothetical, settled);
      assert.deepEqual(other.actual, settled);
    });

    it("BRK-5: a ratio above the lowest rate on the chain is refused, one that is none as well", async () => {
      await platform.assertRefused(1, "/what-if", 400, "FIELD_REQUIRED");
      const tooMuch = "customer_rebate_ratio must not exceed the rebate rate 0.4";
      await platform.assertRefused(1, "/what-if?customer_rebate_ratio=0.400001", 400, "RATIO_EXCEEDS_RATE", tooMuch);
      const books = platform.books;
      const below = await books.kol({ rate: 0.3, parent: family.kol, parentRate: 0.4, wallet: walletAddress(25) });
      await books.db.updateTable("broker").set({ rate_e6: 250_000 }).where("id", "=", family.kol.id).execute();
      try {
        const limit = "customer_rebate_ratio must not exceed the rebate rate 0.25";
        await platform.assertRefused(25, "/what-if?customer_rebate_ratio=0.26", 400, "RATIO_EXCEEDS_RATE", limit);
        assert.equal((await whatIf(25, "customer_rebate_ratio=0.25")).actual.fee, "0.00", below.id);
      } finally {
        await books.db.updateTable("broker").set({ rate_e6: 400_000 }).where("id", "=", family.kol.id).execute();
      }
      for (const ratio of ["", "-0.1", "1.1", "0.1234567", "1e-1", "NaN", "0x1", " 0.1", "0.1%00", "%2B0.1", ".1"]) {
        await platform.assertRefused(1, `/what-if?customer_rebate_ratio=${ratio}`, 400, "RATIO_OUT_OF_RANGE");
      }
      for (const days of ["0", "366", "-1", "1.5", "x", ""]) {
        await platform.assertRefused(1, `/what-if?customer_rebate_ratio=0.1&days=${days}`, 400, "INVALID_FIELD");
      }
      await platform.assertRefused(
        1,
        "/what-if?customer_rebate_ratio=0.1&customer_rebate_ratio=0.2",
        400,
        "INVALID_FIELD",
      );
    });
  });
});
