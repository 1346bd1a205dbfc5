import type { AdminDashboard, BdDashboard } from "@bourse/api";
import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { amountText } from "../ratios.ts";
import { brokerDb } from "../tables.ts";

export interface DashboardsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
}

interface Sums {
  readonly fee_micros: string;
  readonly nominal_micros: string;
  readonly customer_micros: string;
  readonly share_micros: string;
  readonly net_micros: string;
}

type CountsOf<Dashboard> = Pick<Dashboard, Extract<keyof Dashboard, `${string}_count`>>;

const SUMS = sql.raw(
  ["fee", "nominal", "customer", "share", "net"]
    .map((part) => `coalesce(sum(${part}_micros), 0) as ${part}_micros`)
    .join(", "),
);

/** The figures of both dashboards. They are decimals because sums of many rows can exceed the range of a bigint column. */
function shownSums({ fee_micros, nominal_micros, customer_micros, share_micros, net_micros }: Sums) {
  const nominal = BigInt(nominal_micros);
  const net = BigInt(net_micros);
  return {
    total_fee: amountText(BigInt(fee_micros)),
    total_nominal_rebate: amountText(nominal),
    total_kol_rebate: amountText(net),
    platform_net_retention: amountText(nominal - net),
    total_customer_rebate: amountText(BigInt(customer_micros)),
    total_share: amountText(BigInt(share_micros)),
  };
}

/** The dashboards of the company and of a BD, read from the totals that settlement keeps, never from records. */
export class Dashboards {
  readonly #options: DashboardsOptions;

  constructor(options: DashboardsOptions) {
    this.#options = options;
  }

  /** Interface 4.1 and T6. */
  async admin(): Promise<AdminDashboard> {
    const { rows } = await sql<Sums & { affiliate_micros: string } & CountsOf<AdminDashboard>>`
      select ${SUMS}, coalesce(sum(affiliate_micros), 0) as affiliate_micros,
             (select count(*)::int from staff where role = 'bd' and status = 'active') as bd_count,
             (select count(*)::int from broker where status = 'active') as kol_count,
             (select count(*)::int from broker where status = 'active' and parent_broker_id is not null) as sub_kol_count
      from rebate_period`.execute(brokerDb(this.#options.database));
    const { affiliate_micros, bd_count, kol_count, sub_kol_count, ...sums } = rows[0]!;
    const affiliate = BigInt(affiliate_micros);
    return {
      bd_count,
      kol_count,
      sub_kol_count,
      ...shownSums(sums),
      total_affiliate_reward: amountText(affiliate),
      true_net_revenue: amountText(BigInt(sums.fee_micros) - BigInt(sums.nominal_micros) - affiliate),
    };
  }

  /** BRK-3: over the BD's own KOLs and their sub-KOLs. */
  async bd(bdId: string): Promise<BdDashboard> {
    const { database, clock } = this.#options;
    const now = new Date(clock.now());
    const { rows } = await sql<Sums & BdDashboard["codes"] & CountsOf<BdDashboard>>`
      with own as (select id, status, parent_broker_id from broker where bd_owner_id = ${bdId}),
      codes as (
        select case when status = 'active' and expire_at <= ${now} then 'expired' else status end as status
        from broker_invite_code where bd_id = ${bdId}
      )
      select ${SUMS},
             (select count(*)::int from own where status = 'active') as kol_count,
             (select count(*)::int from own where status = 'active' and parent_broker_id is not null) as sub_kol_count,
             (select count(*)::int from own where status = 'frozen') as frozen_kol_count,
             (select count(*)::int from broker_bind join own on own.id = broker_bind.inviter_broker_id
              where broker_bind.code_type = 'direct') as customer_count,
             (select count(*)::int from codes where status = 'active') as active,
             (select count(*)::int from codes where status = 'used') as used,
             (select count(*)::int from codes where status = 'expired') as expired,
             (select count(*)::int from codes where status = 'disabled') as disabled
      from own left join broker_total on broker_total.broker_id = own.id`.execute(brokerDb(database));
    const row = rows[0]!;
    const { kol_count, sub_kol_count, frozen_kol_count, customer_count, active, used, expired, disabled } = row;
    return {
      kol_count,
      sub_kol_count,
      frozen_kol_count,
      customer_count,
      ...shownSums(row),
      codes: { active, used, expired, disabled },
    };
  }
}
