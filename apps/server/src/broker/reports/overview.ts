import type { BrokerOverview } from "@bourse/api";
import { type Selectable, sql } from "kysely";
import type { DayRange } from "../days.ts";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb, BrokerTierTable } from "../tables.ts";

type Tier = Selectable<BrokerTierTable>;

interface OverviewRow {
  readonly id: string;
  readonly wallet_address: string;
  readonly nickname: string | null;
  readonly level: number | null;
  readonly rate_e6: number;
  readonly parent_broker: string | null;
  readonly downlines: number;
  readonly fee_micros: bigint;
  readonly nominal_micros: bigint;
  readonly customer_micros: bigint;
  readonly share_micros: bigint;
  readonly net_micros: bigint;
  readonly share_income_micros: bigint;
  readonly fee_30d_micros: bigint;
  readonly volume_micros: bigint;
}

/** A broker's tier and the next one. A level that is not configured has no name and no next tier. */
function standing(level: number | null, tiers: readonly Tier[]) {
  if (level === null) return { label: "Sub-KOL", next: undefined };
  const own = tiers.find((tier) => tier.level === level);
  if (own === undefined) return { label: `Level ${level}`, next: undefined };
  return { label: own.label, next: tiers.find((tier) => tier.level > level) };
}

export const overviewQuery = (brokerId: string, { from, to }: DayRange) => sql<OverviewRow>`
  select b.id, b.wallet_address, b.nickname, b.level, b.rate_e6, parent.wallet_address as parent_broker,
    (select count(*)::int from broker_bind i where i.inviter_broker_id = b.id) as downlines,
    coalesce(t.fee_micros, 0) as fee_micros,
    coalesce(t.nominal_micros, 0) as nominal_micros,
    coalesce(t.customer_micros, 0) as customer_micros,
    coalesce(t.share_micros, 0) as share_micros,
    coalesce(t.net_micros, 0) as net_micros,
    coalesce(t.share_income_micros, 0) as share_income_micros,
    coalesce(t.volume_micros, 0) as volume_micros,
    (select coalesce(sum(d.fee_micros), 0)::bigint from broker_day_total d
      where d.broker_id = b.id and d.period between ${from}::date and ${to}::date) as fee_30d_micros
  from broker b
  left join broker parent on parent.id = b.parent_broker_id
  left join broker_total t on t.broker_id = b.id
  where b.id = ${brokerId}`;

/** Interface 2.6. `last30Days` ends today. */
export async function readOverview(db: BrokerDb, brokerId: string, last30Days: DayRange): Promise<BrokerOverview> {
  const [row] = (await overviewQuery(brokerId, last30Days).execute(db)).rows;
  if (row === undefined) throw new Error(`there is no broker ${brokerId}`);
  // A sub-KOL's rate is that of its code; it has no tiers.
  const tiers = row.level === null ? [] : await db.selectFrom("broker_tier").selectAll().orderBy("level").execute();
  const { label, next } = standing(row.level, tiers);
  return {
    broker_id: row.id,
    wallet_address: row.wallet_address,
    nickname: row.nickname,
    level: row.level,
    rebate_rate: ratioText(row.rate_e6),
    parent_broker: row.parent_broker,
    total_invited: row.downlines,
    total_volume: "0",
    total_fee: amountText(row.fee_micros),
    total_rebate: amountText(row.net_micros),
    current_level_label: label,
    next_level_label: next?.label ?? null,
    traded_volume: amountText(row.volume_micros),
    total_nominal_rebate: amountText(row.nominal_micros),
    total_customer_rebate: amountText(row.customer_micros),
    total_share: amountText(row.share_micros),
    share_income: amountText(row.share_income_micros),
    fee_30d: amountText(row.fee_30d_micros),
    next_level_min_fee: next === undefined ? null : amountText(next.min_fee_30d_micros),
    tiers: tiers.map((tier) => ({
      level: tier.level,
      label: tier.label,
      rebate_rate: ratioText(tier.rate_e6),
      min_fee_30d: amountText(tier.min_fee_30d_micros),
    })),
  };
}
