import { sql } from "kysely";
import type { Db } from "../../apps/server/src/kernel/database/database.ts";

export const KOLS = 4_000;
export const SUB_KOLS = 1_000;
export const BROKERS = KOLS + SUB_KOLS;
export const CUSTOMERS = 100_000;
/** Of the first KOL alone. */
export const CUSTOMERS_OF_THE_LARGEST = 10_000;
export const FILLS = 1_000_000;
export const DAY = "2026-05-31";
export const NEXT_DAY = "2026-06-01";

/** The wallet of an account, and the id of a broker by its account: the same in every run. */
const walletOf = (account: string) => sql.raw(`'0x' || lpad(to_hex(${account}), 40, '0')`);
const brokerId = (account: string) => sql.raw(`md5('broker:' || ${account})::uuid`);
export const MAX_KOL_WALLET = `0x${(1).toString(16).padStart(40, "0")}`;

/** KOLs of five levels, and sub-KOLs with rates above and below those of their parents. */
async function insertBrokers(db: Db): Promise<void> {
  const parent = "(1 + (n * 3) % 3999)";
  await sql`
    insert into broker (id, account, wallet_address, level, rate_e6, status, created_at)
    select ${brokerId("n")}, n, ${walletOf("n")}, 1 + n % 5, 200000 + (n % 5) * 50000, 'active',
      timestamptz '2026-01-01Z' + n * interval '1 minute'
    from generate_series(1, ${KOLS}::int) n`.execute(db);
  await sql`
    insert into broker (id, account, wallet_address, parent_broker_id, rate_e6, bound_share_e6, status, created_at)
    select ${brokerId("n")}, n, ${walletOf("n")}, ${brokerId(parent)}, 100000 + (n % 8) * 25000, (n % 6) * 50000,
      'active', timestamptz '2026-01-01Z' + n * interval '1 minute'
    from generate_series(${KOLS + 1}::int, ${BROKERS}::int) n`.execute(db);
}

/** The first terms of broker n have version n; a tenth of the brokers gets new terms during the day. */
async function insertTerms(db: Db): Promise<void> {
  const insert = (more_e6: number, every: number) => sql`
    insert into broker_terms (account, wallet_address, kind, broker_id, rate_e6, parent_broker_id, parent_rate_e6,
      bound_share_e6, status, cause, created_at)
    select b.account, b.wallet_address, 'broker', b.id, b.rate_e6 + ${more_e6}::int, p.id, p.rate_e6,
      b.bound_share_e6, 'active', 'bench', b.created_at
    from broker b left join broker p on p.id = b.parent_broker_id
    where b.account % ${every}::int = 0 order by b.account`;
  await insert(0, 1).execute(db);
  await insert(12_345, 10).execute(db);
}

/** Broker n's code for customers has the id n; the codes that made the sub-KOLs come after them. */
async function insertDownlines(db: Db): Promise<void> {
  await sql`
    insert into broker_invite_code (code, code_type, broker_id, share_ratio_e6, rate_e6, status, used_count, created_at)
    select upper(lpad(to_hex(account), 8, '0')), 'direct', id, 100000, 50000, 'active', 1, created_at
    from broker order by account`.execute(db);
  await sql`
    insert into broker_invite_code (code, code_type, broker_id, share_ratio_e6, rate_e6, status, used_count, created_at)
    select upper(lpad(to_hex(account), 8, 'F')), 'sub_kol', parent_broker_id, bound_share_e6, rate_e6, 'used', 1,
      created_at
    from broker where parent_broker_id is not null order by account`.execute(db);
  await sql`
    insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, share_ratio_e6, bind_time)
    select wallet_address, account, account + ${SUB_KOLS}::int, 'sub_kol', parent_broker_id, bound_share_e6, created_at
    from broker where parent_broker_id is not null`.execute(db);
  // Spread over time independently of their number, like bindings to many brokers.
  await sql`
    insert into broker_bind (wallet_address, account, code_id, code_type, inviter_broker_id, customer_ratio_e6,
      share_ratio_e6, bind_time)
    select ${walletOf(`${BROKERS} + n`)}, ${BROKERS}::int + n, owner, 'direct', ${brokerId("owner")},
      (n % 3) * 50000 + (n % 7) * 1000, (n % 30) * 10000,
      timestamptz '2026-05-01Z' + ((n::bigint * 7919) % 2592000) * interval '1 second'
    from generate_series(1, ${CUSTOMERS}::int) n,
      lateral (select case when n <= ${CUSTOMERS_OF_THE_LARGEST}::int then 1 else 2 + n % 4999 end as owner) o`.execute(
    db,
  );
}

/** Fills of all customers, and every fiftieth of a broker itself; fees of up to 5 USDT. */
async function insertFills(db: Db): Promise<void> {
  await sql`
    insert into broker_accrual (market, trade, side, account, day, terms_version, fee_micros, counted_micros, time_ms,
      command_number, event_index)
    select 0, f, 0, who.account, ${DAY}::date,
      case when who.owner % 10 = 0 and f > ${FILLS / 2}::int then ${BROKERS}::int + who.owner / 10 else who.owner end,
      fee, fee, extract(epoch from ${DAY}::date)::bigint * 1000 + (f::bigint * 86) , f, 0
    from generate_series(1, ${FILLS}::int) f,
      lateral (select 1 + ((f::bigint * 7919 + f / 100000) % ${CUSTOMERS}::int)::int as customer, 1000 + (f::bigint * 104729) % 5000000
        as fee) fill,
      lateral (select
        case when f % 50 = 0 then 1 + f / 50 % ${BROKERS}::int else ${BROKERS}::int + customer end as account,
        case when f % 50 = 0 then 1 + f / 50 % ${BROKERS}::int
          when customer <= ${CUSTOMERS_OF_THE_LARGEST}::int then 1 else 2 + customer % 4999 end as owner) who`.execute(
    db,
  );
  await sql`
    insert into broker_pre_settlement (day, account, terms_version, counted_micros, skipped_micros, volume_micros, fills,
      skipped_fills, last_command, last_event)
    select day, account, terms_version, sum(counted_micros), 0, sum(counted_micros) * 2000, count(*), 0,
      max(command_number), 0
    from broker_accrual group by day, account, terms_version`.execute(db);
}

/** A typical day: a million fills of a hundred thousand customers under five thousand brokers. */
export async function insertBrokerDay(db: Db): Promise<void> {
  await insertBrokers(db);
  await insertTerms(db);
  await insertDownlines(db);
  await insertFills(db);
  await sql`analyze`.execute(db);
}

/** Inserts the same sums for the next day. */
export async function repeatForNextDay(db: Db): Promise<void> {
  await sql`
    insert into broker_pre_settlement (day, account, terms_version, counted_micros, skipped_micros, volume_micros, fills,
      skipped_fills, last_command, last_event)
    select ${NEXT_DAY}::date, account, terms_version, counted_micros, skipped_micros, volume_micros, fills, skipped_fills,
      last_command, last_event
    from broker_pre_settlement where day = ${DAY}::date`.execute(db);
  await sql`analyze broker_pre_settlement`.execute(db);
}
