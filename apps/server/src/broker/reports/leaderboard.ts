import type { BrokerLeaderboard } from "@bourse/api";
import { sql } from "kysely";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb } from "../tables.ts";

const USUAL_LIMIT = 20;
const MAX_LIMIT = 100;

interface Place {
  readonly id: string;
  readonly wallet_address: string;
  readonly nickname: string | null;
  readonly level: number | null;
  readonly rate_e6: number;
  readonly fee_micros: bigint;
  readonly nominal_micros: bigint;
  readonly net_micros: bigint;
  readonly volume_micros: bigint;
  readonly downlines: number;
}

/** The ranks in the order of an index over the totals; downlines are counted only for the brokers shown. */
export const placesQuery = (limit: number, offset: number) => sql<Place>`
  select b.id, b.wallet_address, b.nickname, b.level, b.rate_e6, t.fee_micros, t.nominal_micros, t.net_micros,
    t.volume_micros, (select count(*)::int from broker_bind i where i.inviter_broker_id = b.id) as downlines
  from (
    select * from broker_total where records > 0
    order by net_micros desc, fee_micros desc, broker_id limit ${limit} offset ${offset}
  ) as t
  join broker b on b.id = t.broker_id
  order by t.net_micros desc, t.fee_micros desc, t.broker_id`;

/** Interface 2.10. */
export async function readLeaderboard(
  db: BrokerDb,
  { limit = USUAL_LIMIT, offset = 0 }: { readonly limit?: number; readonly offset?: number },
): Promise<BrokerLeaderboard> {
  const { rows } = await placesQuery(Math.min(limit, MAX_LIMIT), offset).execute(db);
  const { total } = await db
    .selectFrom("broker_total")
    .select(({ fn }) => fn.countAll<bigint>().as("total"))
    .where("records", ">", 0n)
    .executeTakeFirstOrThrow();
  return {
    total: Number(total),
    leaderboard: rows.map((place, index) => ({
      rank: offset + index + 1,
      broker_id: place.id,
      wallet_address: place.wallet_address,
      nickname: place.nickname,
      level: place.level,
      rebate_rate: ratioText(place.rate_e6),
      total_fee: amountText(place.fee_micros),
      total_nominal_rebate: amountText(place.nominal_micros),
      total_kol_net_rebate: amountText(place.net_micros),
      downline_count: place.downlines,
      traded_volume: amountText(place.volume_micros),
    })),
  };
}
