import { type RawBuilder, sql } from "kysely";
import { columns, SUMS } from "./columns.ts";

/**
 * BRK-13: floor6(amount × ratio) of a non-negative amount and a ratio in [0, 1], in whole micros. The amount is split at a million
 * so that no product exceeds 64 bits: q × 10⁶ × ratio / 10⁶ is whole, and the rest is rounded down.
 */
const portion = (amount: string, ratio_e6: string) =>
  sql.raw(`(${amount} / 1000000 * ${ratio_e6} + (${amount} % 1000000 * ${ratio_e6}) / 1000000)`) as RawBuilder<bigint>;

/** Micros or millionths as text with six decimals, such as -0.000001. The product keeps the scale of its factors. */
const decimal6 = (column: string) => sql.raw(`(${column}::numeric * 0.000001)::text`);

/**
 * The fees of a day with the rates that apply (BRK-10, BRK-12), one row for each account and terms version. An account that trades
 * under its own terms is a broker, or a trader with an affiliate; every other account is a customer, whose ratios are those of its
 * bind. A sub-KOL's own trades belong to a record of its parent.
 */
export const feesOf = (period: string): RawBuilder<unknown> => sql`
  select
    t.kind,
    case when t.account = p.account and t.parent_broker_id is not null
      then t.parent_broker_id else t.broker_id end as broker_id,
    t.affiliate,
    p.account,
    case when t.account = p.account then t.wallet_address else b.wallet_address end as wallet,
    case when t.account = p.account then coalesce(t.parent_rate_e6, t.rate_e6)
      else least(t.rate_e6, t.parent_rate_e6) end as rate_e6,
    case when t.kind = 'affiliate' then 0
      when t.account = p.account then least(t.rate_e6, t.parent_rate_e6)
      else least(coalesce(b.customer_ratio_e6, 0), t.rate_e6, t.parent_rate_e6) end as ratio_e6,
    case when t.account = p.account or t.parent_broker_id is null then 0
      else greatest(b.share_ratio_e6, t.bound_share_e6) end as share_e6,
    p.counted_micros,
    p.last_command,
    p.last_event,
    p.terms_version
  from broker_pre_settlement p
  join broker_terms t on t.terms_version = p.terms_version
  left join broker_bind b on b.account = p.account
  where p.day = ${period}::date`;

/**
 * The amounts of the table `fees`, one row for each set of rates and ratios of a record: fees under equal ones are summed before
 * those are applied (BRK-13).
 */
export const BY_TERMS: RawBuilder<unknown> = sql`
  select *, ${portion("(nominal_micros - customer_micros)", "share_e6")} as share_micros
  from (
    select *,
      ${portion("fee_micros", "rate_e6")} as nominal_micros,
      ${portion("fee_micros", "ratio_e6")} as customer_micros
    from (
      select kind, broker_id, affiliate, account, wallet, rate_e6, ratio_e6, share_e6,
        sum(counted_micros)::bigint as fee_micros,
        -- The greatest array is that of the last fill; what is behind its place tells its terms.
        max(array[last_command, last_event, terms_version, rate_e6, ratio_e6, share_e6]) as last
      from fees
      where counted_micros > 0
      group by kind, broker_id, affiliate, account, wallet, rate_e6, ratio_e6, share_e6
    ) as summed
  ) as applied`;

/** The target sums of the day's records, one row for each (kind, owner, downline), with the rates of the last fill. */
const OWED = sql`
  select
    parts.kind,
    parts.broker_id,
    coalesce(parts.broker_id::text, parts.affiliate) as owner,
    parts.account,
    parts.wallet,
    parts.fee_micros,
    parts.nominal_micros,
    parts.customer_micros,
    parts.share_micros,
    parts.nominal_micros - parts.customer_micros - parts.share_micros as net_micros,
    parts.last[4]::int as rate_e6,
    parts.last[5]::int as ratio_e6,
    parts.last[6]::int as share_e6,
    coalesce(owner.wallet_address, parts.affiliate) as net_payee,
    parent.id as parent_broker_id,
    parent.wallet_address as share_payee
  from (
    select kind, broker_id, affiliate, account, wallet,
      sum(fee_micros)::bigint as fee_micros,
      sum(nominal_micros)::bigint as nominal_micros,
      sum(customer_micros)::bigint as customer_micros,
      sum(share_micros)::bigint as share_micros,
      max(last) as last
    from (${BY_TERMS}) as by_terms
    group by kind, broker_id, affiliate, account, wallet
  ) as parts
  join broker_terms t on t.terms_version = parts.last[3]
  left join broker owner on owner.id = parts.broker_id
  left join broker parent on parent.id = t.parent_broker_id and t.account <> parts.account`;

/** The locked sums of the day for each (kind, owner, downline), with the row of the highest revision. */
const locked = (period: string) => sql`
  select * from (
    select
      kind, broker_id, coalesce(broker_id::text, net_payee) as owner, downline_account as account,
      downline_wallet as wallet, revision, rate_e6, customer_ratio_e6 as ratio_e6, share_ratio_e6 as share_e6, net_payee,
      parent_broker_id, share_payee,
      (sum(fee_micros) over same)::bigint as fee_micros,
      (sum(nominal_micros) over same)::bigint as nominal_micros,
      (sum(customer_micros) over same)::bigint as customer_micros,
      (sum(share_micros) over same)::bigint as share_micros,
      (sum(net_micros) over same)::bigint as net_micros,
      row_number() over (partition by kind, broker_id, net_payee, downline_account order by revision desc) as place
    from rebate_record
    where period = ${period}::date and is_locked
    window same as (partition by kind, broker_id, net_payee, downline_account)
  ) as revisions
  where place = 1`;

const TERMS = ["rate_e6", "ratio_e6", "share_e6", "net_payee", "parent_broker_id", "share_payee"];

/** BRK-9: the target rows that may still change. Beside locked rows there is one adjustment with the difference, or none. */
const open = (period: string) => sql`
  select * from (
    select
      coalesce(o.kind, l.kind) as kind,
      coalesce(o.broker_id, l.broker_id) as broker_id,
      coalesce(o.owner, l.owner) as owner,
      coalesce(o.account, l.account) as downline_account,
      coalesce(o.wallet, l.wallet) as downline_wallet,
      coalesce(l.revision + 1, 0) as revision,
      ${columns(SUMS, (name) => `coalesce(o.${name}, 0) - coalesce(l.${name}, 0) as ${name}`)},
      ${columns(TERMS, (name) => `case when o.kind is null then l.${name} else o.${name} end as ${name}`)}
    from (${OWED}) as o
    full join (${locked(period)}) as l on l.kind = o.kind and l.owner = o.owner and l.account = o.account
  ) as differences
  where revision = 0 or (${columns(SUMS, (name) => name)}) <> (0, 0, 0, 0, 0)`;

/** BRK-17: the leaf's text, whose lines docs/rules/rebates.md lists, hashed after a zero byte. */
const leafOf = (period: string) => sql`sha256('\\x00'::bytea || convert_to(concat_ws(E'\\n',
  'bourse-rebate-v1', kind, ${period}::text, owner, downline_wallet, revision,
  ${sql.join([...SUMS, "rate_e6", "ratio_e6", "share_e6"].map(decimal6))}), 'UTF8'))`;

/** MD5 of the record's key, with the marks of a version 3 UUID. */
const idOf = (period: string) => sql`overlay(overlay(
  md5(concat_ws(':', 'rebate', ${period}::text, kind, owner, downline_wallet, revision))
  placing '3' from 13 for 1) placing '8' from 17 for 1)::uuid`;

/** The target rows that may still change, with their ids and leaves. */
const targets = (period: string) => sql`
  select
    ${idOf(period)} as id,
    ${leafOf(period)} as leaf,
    open.*
  from (${open(period)}) as open`;

/** Columns that a rerun may have to change; id, period, owner, downline and revision follow from each other. */
const COMPARED = [
  ...SUMS,
  ...["rate_e6", "customer_ratio_e6", "share_ratio_e6", "net_payee", "parent_broker_id", "share_payee", "leaf"],
];

/**
 * The changes that a settlement of the day must make: rows to insert (no `old_id`), to update (both ids), to delete (no `id`). It
 * only reads. The full join of both sides is never done row by row, however wrong the estimates are.
 */
export const changesOf = (period: string): RawBuilder<unknown> => sql`
  with fees as (${feesOf(period)}),
  -- Kept apart, so that ids and leaves are computed once.
  target as materialized (
    select id, kind, broker_id, downline_account, downline_wallet, revision, ${columns(SUMS, (name) => name)}, rate_e6,
      ratio_e6 as customer_ratio_e6, share_e6 as share_ratio_e6, net_payee, parent_broker_id, share_payee, leaf
    from (${targets(period)}) as computed
  ),
  kept as (
    select id, kind, broker_id, downline_account, ${columns(COMPARED, (name) => name)}
    from rebate_record where period = ${period}::date and not is_locked
  )
  select
    target.*,
    kept.id as old_id,
    coalesce(target.kind, kept.kind) as any_kind,
    coalesce(target.broker_id, kept.broker_id) as any_broker_id,
    coalesce(target.downline_account, kept.downline_account) as any_account,
    ${columns(SUMS, (name) => `coalesce(target.${name}, 0) - coalesce(kept.${name}, 0) as more_${name}`)}
  from target full join kept on kept.id = target.id
  where target.id is null or kept.id is null
    or (${columns(COMPARED, (name) => `target.${name}`)}) is distinct from (${columns(COMPARED, (name) => `kept.${name}`)})`;
