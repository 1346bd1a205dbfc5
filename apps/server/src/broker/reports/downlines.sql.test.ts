import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Downline, DownlineList } from "@bourse/api";
import { sql } from "kysely";
import { Compile } from "typebox/compile";
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

const isDownlineList = Compile(DownlineList);

describe("downlines", () => {
  let platform: ReportsPlatform;
  let family: Family;
  before(async () => {
    platform = await createReportsPlatform();
    family = await bookFamily(platform);
  });
  after(() => platform.close());

  async function downlines(wallet: number, query = ""): Promise<Downline[]> {
    const list = await platform.read<Downline[]>(wallet, `/downlines${query}`);
    assert.ok(isDownlineList.Check(list));
    return list;
  }

  it("interface 2.5: the newest bind first, each with its totals of all days", async () => {
    assert.deepEqual(await downlines(1), [
      {
        wallet_address: walletAddress(3),
        bind_time: `${YESTERDAY}T09:00:00.000Z`,
        code_type: "direct",
        rebate_rate: "0.1",
        share_ratio: "0",
        customer_rebate_ratio: "0.1",
        status: "active",
        // 100 of the rolled-up day, 7.000001 of today.
        total_fee: "107.000001",
        total_customer_rebate: "10.70",
        total_nominal_rebate: "42.80",
        total_kol_net_rebate: "32.10",
      },
      {
        wallet_address: walletAddress(2),
        bind_time: "2026-05-30T08:00:00.500Z",
        code_type: "sub_kol",
        rebate_rate: "0.3",
        share_ratio: "0.2",
        customer_rebate_ratio: null,
        status: "active",
        // The sub-KOL's own trades: nominal 50 × 40 %, of which 50 × 30 % is its own.
        total_fee: "50.00",
        total_customer_rebate: "15.00",
        total_nominal_rebate: "20.00",
        total_kol_net_rebate: "5.00",
      },
    ]);
  });

  it("interface 2.5: the type chooses, and a sub-KOL sees its own customers", async () => {
    const wallets = async (query: string) => (await downlines(1, query)).map(({ wallet_address }) => wallet_address);
    assert.deepEqual(await wallets("?type=direct"), [walletAddress(3)]);
    assert.deepEqual(await wallets("?type=sub_kol"), [walletAddress(2)]);
    const [customer, ...others] = await downlines(2);
    assert.deepEqual(others, []);
    assert.equal(customer?.wallet_address, family.subCustomer.wallet);
    assert.deepEqual(
      [
        customer?.total_fee,
        customer?.total_nominal_rebate,
        customer?.total_customer_rebate,
        customer?.total_kol_net_rebate,
      ],
      ["100.00", "30.00", "10.00", "14.00"],
    );
    assert.deepEqual(await downlines(2, "?type=sub_kol"), []);
  });

  it("BRK-16: another type is refused", async () => {
    for (const type of ["bd", "all", "", "DIRECT", "direct&type=direct"]) {
      await platform.assertRefused(1, `/downlines?type=${type}`, 400, "INVALID_FIELD");
    }
  });

  it("interface 2.5: a broker without downlines has an empty list, a downline without records zeros", async () => {
    const kol = await platform.books.kol({ rate: 0.2, wallet: walletAddress(8) });
    const reply = await platform.ask(8, "/downlines");
    assert.deepEqual([reply.statusCode, reply.body], [200, "[]"]);
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    await platform.books.customer(kol, { ratio: 0.05 });
    const [downline] = await downlines(8);
    assert.deepEqual([downline?.total_fee, downline?.total_kol_net_rebate], ["0.00", "0.00"]);
  });

  it("interface 2.5: a list that is long enough to be kept shows every later bind, fee and adjustment", async () => {
    const { books, settle } = platform;
    const kol = await books.kol({ rate: 0.4, wallet: walletAddress(9) });
    const code = await books.code(kol, "direct", { rate: 0.1 });
    await sql`
      insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, customer_ratio_e6,
        share_ratio_e6, bind_time)
      select '0x' || lpad(to_hex(n), 40, 'd'), n, ${code}, 'direct', ${kol.id}, 100000, 0, timestamptz '2026-05-01Z'
      from generate_series(500001, 501000) n`.execute(books.db);
    const first = { account: 500_001 };
    const totalFees = async () =>
      (await downlines(9)).map(({ total_fee }) => total_fee).filter((fee) => fee !== "0.00");
    assert.equal((await downlines(9)).length, 1_000);
    assert.equal((await downlines(9)).length, 1_000);
    await books.customer(kol, { ratio: 0.1 });
    assert.equal((await downlines(9)).length, 1_001, "a bind shows at once");
    assert.equal((await downlines(9, "?type=sub_kol")).length, 0);

    await books.fee(TODAY, first, kol.termsVersion, 3n * USDT);
    assert.deepEqual(await totalFees(), [], "a fee shows once it is settled");
    await settle(TODAY, "provisional");
    assert.deepEqual(await totalFees(), ["3.00"]);
    await books.fee(YESTERDAY, first, kol.termsVersion, 4n * USDT);
    await settle(YESTERDAY, "closed");
    assert.deepEqual(await totalFees(), ["7.00"], "also one of a day that was rolled up before");
    await books.db.updateTable("rebate_record").set({ is_locked: true }).where("broker_id", "=", kol.id).execute();
    await books.fee(YESTERDAY, first, kol.termsVersion, 1n * USDT);
    await settle(YESTERDAY, "closed");
    assert.deepEqual(await totalFees(), ["8.00"], "also by an adjustment");
  });

  it("BRK-15: KOLs bound by a bd code are listed to that BD only", async () => {
    const { books, database } = platform;
    const token = await platform.bdToken();
    const list = async () => (await platform.get("/api/v1/broker/bd/downlines", token)).json();
    assert.deepEqual(await list(), []);
    const kol = await books.kol({ rate: 0.35, level: 4, wallet: walletAddress(10) });
    const customer = await books.customer(kol, { ratio: 0.1 });
    await books.fee(TODAY, customer, kol.termsVersion, 10n * USDT);
    await platform.settle(TODAY, "provisional");
    await sql`
      with bd as (select id from staff where username = 'bd'),
      code as (
        insert into broker_invite_code (code, code_type, bd_id, share_ratio_e6, level, status, used_count, created_at)
        select 'BDCODE01', 'bd', id, 0, 4, 'used', 1, now() from bd returning id
      )
      insert into broker_bind (wallet_address, account, code_id, code_type, bd_id, share_ratio_e6, bind_time)
      select ${kol.wallet}, ${kol.account}::int, code.id, 'bd', bd.id, 0, timestamptz '2026-05-02T03:04:05Z'
      from code, bd`.execute(database.db);
    assert.deepEqual(await list(), [
      {
        wallet_address: kol.wallet,
        bind_time: "2026-05-02T03:04:05.000Z",
        code_type: "bd",
        rebate_rate: "0.35",
        share_ratio: "0",
        customer_rebate_ratio: null,
        status: "active",
        total_fee: "10.00",
        total_customer_rebate: "1.00",
        total_nominal_rebate: "3.50",
        total_kol_net_rebate: "2.50",
      },
    ]);
    await sql`update broker_bind set bd_id = (select id from staff where role = 'admin') where bd_id is not null`.execute(
      database.db,
    );
    assert.deepEqual(await list(), []);
  });
});
