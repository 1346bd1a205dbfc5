import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Expression, sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { type BrokerDb, brokerDb } from "../tables.ts";
import { BrokerBooks } from "../testing/books.ts";
import { bdDownlinesQuery, downlinesQuery } from "./downlines.ts";
import { exportPageQuery } from "./export.ts";
import { placesQuery } from "./leaderboard.ts";
import { overviewQuery } from "./overview.ts";
import { activeTradersQuery, firstTradersQuery, signUpsQuery } from "./performance.ts";
import { recordsOfAffiliate, recordsOfBroker, recordsOfDownline, sharesOfParent } from "./records.ts";
import { tablesReadWhole } from "./testing/plans.ts";
import { whatIfQuery } from "./what-if.ts";

const BROKERS = 100;
const CUSTOMERS = 4_000;
const DAYS = 5;
const range = { from: "2026-05-28", to: "2026-06-01" };
const LARGE: ReadonlySet<string> = new Set([
  ...["rebate_record", "broker_bind", "broker_accrual", "broker_pre_settlement", "broker_downline_total"],
  "payout_line",
]);

/** Puts every record's customer line into one batch. */
async function insertPaidLines(db: BrokerDb): Promise<void> {
  const batch = sql`md5('batch')::uuid`;
  await sql`
    insert into payout_batch (id, min_amount_micros, status, way, line_count, payee_count, total_micros, sha256,
      created_by, created_at, updated_at)
    values (${batch}, 0, 'paying', 'chain', 1, 1, 1, '', 'test', now(), now())`.execute(db);
  await sql`
    insert into payout_payee (batch_id, payee, amount_micros, line_count)
    select ${batch}, downline_wallet, sum(customer_micros), count(*) from rebate_record group by 2`.execute(db);
  await sql`
    insert into payout_line (record_id, kind, batch_id, payee, amount_micros)
    select id, 'customer', ${batch}, downline_wallet, customer_micros from rebate_record`.execute(db);
}

/** Brokers with forty customers each, who trade on five days, one of which is not rolled up. */
async function insertRows(database: TestDatabase): Promise<{ id: string; account: number; wallet: string }> {
  const books = new BrokerBooks(database);
  const parent = await books.kol({ rate: 0.4 });
  const kol = await books.kol({ rate: 0.3, parent, parentRate: 0.4, share: 0.2 });
  const code = await books.code(kol, "direct", { rate: 0.1 });
  const owner = sql`case n % ${BROKERS}::int when 0 then ${kol.id}::uuid
    else md5('broker:' || n % ${BROKERS}::int)::uuid end`;
  const wallet = sql`'0x' || lpad(to_hex(n), 40, '0')`;
  await sql`
    insert into broker (id, account, wallet_address, level, rate_e6, status, created_at)
    select md5('broker:' || n)::uuid, 5000 + n, '0x' || lpad(to_hex(5000 + n), 40, 'b'), 1, 300000, 'active', now()
    from generate_series(1, ${BROKERS - 1}::int) n`.execute(books.db);
  await sql`
    insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, customer_ratio_e6,
      share_ratio_e6, bind_time)
    select ${wallet}, n, ${code}, 'direct', ${owner}, 100000, 0, timestamptz '2026-05-01Z' + n * interval '1 minute'
    from generate_series(10001, 10000 + ${CUSTOMERS}::int) n`.execute(books.db);
  await sql`
    insert into rebate_period (period, status, revision, root, leaf_count, broker_count, record_count, fee_micros,
      nominal_micros, customer_micros, share_micros, net_micros, affiliate_micros, is_rolled_up, calculated_at)
    select date '2026-06-01' - d, 'closed', 1, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, d > 0, now()
    from generate_series(0, ${DAYS - 1}::int) d`.execute(books.db);
  await sql`
    insert into rebate_record (id, period, kind, broker_id, downline_account, downline_wallet, revision, fee_micros,
      nominal_micros, customer_micros, share_micros, net_micros, rate_e6, customer_ratio_e6, share_ratio_e6, net_payee,
      parent_broker_id, share_payee, leaf)
    select gen_random_uuid(), date '2026-06-01' - d, 'broker', ${owner}, n, ${wallet}, 0, 100, 40, 10, 10, 20, 400000,
      100000, 0, '', ${parent.id}, '', ''
    from generate_series(10001, 10000 + ${CUSTOMERS}::int) n, generate_series(0, ${DAYS - 1}::int) d`.execute(books.db);
  await sql`
    insert into broker_pre_settlement (day, account, terms_version, counted_micros, skipped_micros, fills, skipped_fills,
      last_command, last_event)
    select period, downline_account, ${kol.termsVersion}, 100, 0, 1, 0, 1, 0 from rebate_record`.execute(books.db);
  await sql`
    insert into broker_downline_total (broker_id, downline_account)
    select distinct broker_id, downline_account from rebate_record`.execute(books.db);
  await sql`
    insert into broker_total (broker_id, records, net_micros)
    select broker_id, count(*), sum(net_micros) from rebate_record group by broker_id`.execute(books.db);
  await insertPaidLines(books.db);
  await sql`analyze`.execute(books.db);
  return kol;
}

describe("plans of the reports", () => {
  let database: TestDatabase;
  let db: BrokerDb;
  let kol: { id: string; account: number; wallet: string };
  before(async () => {
    database = await openTestDatabase(migrations);
    db = brokerDb(database);
    kol = await insertRows(database);
  });
  after(() => database.close());

  const queries: Readonly<Record<string, () => Expression<unknown>>> = {
    overview: () => overviewQuery(kol.id, range),
    downlines: () => downlinesQuery(kol.id, undefined),
    "downlines of a type": () => downlinesQuery(kol.id, "direct"),
    "downlines of a BD": () => bdDownlinesQuery("00000000-0000-4000-8000-000000000001"),
    "records of a broker": () => recordsOfBroker(kol.id),
    "records of a broker and day": () => recordsOfBroker(kol.id, "2026-05-30"),
    "records of a downline": () => recordsOfDownline("0x0000000000000000000000000000000000002711"),
    "records of an affiliate": () => recordsOfAffiliate(kol.wallet),
    shares: () => sharesOfParent(kol.id),
    "shares of a day": () => sharesOfParent(kol.id, "2026-05-30"),
    leaderboard: () => placesQuery(20, 0),
    export: () => exportPageQuery(db, kol.id, "2026-05-30", undefined),
    "export, a later page": () => exportPageQuery(db, kol.id, "2026-05-30", "80000000-0000-4000-8000-000000000001"),
    "sign-ups": () => signUpsQuery(kol.id, range),
    "first traders": () => firstTradersQuery(kol.id, range),
    "active traders": () => activeTradersQuery(kol, range),
    "what if": () => whatIfQuery(kol.id, range, 100_000),
  };
  for (const [name, query] of Object.entries(queries)) {
    it(`BRK-17: ${name}: no large table is read whole`, async () => {
      assert.deepEqual(await tablesReadWhole(db, query(), LARGE), []);
    });
  }

  it("BRK-17: the check sees a table that is read whole", async () => {
    assert.deepEqual(await tablesReadWhole(db, sql`select sum(fee_micros) from rebate_record`, LARGE), [
      "rebate_record",
    ]);
  });
});
