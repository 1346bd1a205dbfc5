import { sql } from "kysely";
import type { BrokerDb } from "../tables.ts";
import { type DownlineRow, downlinesText } from "./downlines-text.ts";
import { TextCache } from "./text-cache.ts";

export type DownlineType = "direct" | "sub_kol";

/** The size of all cached texts; the text of 10,000 downlines has 3.5 MB. */
const CACHE_LIMIT_BYTES = 64_000_000;
/** Shorter texts are not cached: making them is as fast as a lookup. */
const WORTH_KEEPING_BYTES = 100_000;

const SUMS = ["fee_micros", "customer_micros", "nominal_micros", "net_micros"] as const;
const list = (text: (name: string) => string) => sql.raw(SUMS.map(text).join(", "));

/**
 * The newest bind first. Totals of rolled-up days are stored by downline; those of the other days (usually today) are summed from
 * their records. A sub-KOL's totals are those of its own trades, whose records belong to the parent.
 */
export const downlinesQuery = (brokerId: string, type: DownlineType | undefined) => sql<DownlineRow>`
  select b.wallet_address, b.bind_time::text as bind_time, b.code_type, b.share_ratio_e6, b.customer_ratio_e6,
    case b.code_type when 'direct' then b.customer_ratio_e6
      else (select rate_e6 from broker k where k.wallet_address = b.wallet_address) end as rate_e6,
    ${list((name) => `(coalesce(t.${name}, 0) + coalesce(r.${name}, 0))::text as ${name}`)}
  from broker_bind b
  left join broker_downline_total t on t.broker_id = ${brokerId} and t.downline_account = b.account
  left join (
    select downline_account, ${list((name) => `sum(${name})::bigint as ${name}`)}
    from rebate_record
    where kind = 'broker' and broker_id = ${brokerId}
      and period = any(array(select period from rebate_period where not is_rolled_up))
    group by downline_account
  ) as r on r.downline_account = b.account
  where b.inviter_broker_id = ${brokerId} ${type === undefined ? sql`` : sql`and b.code_type = ${type}`}
  order by b.bind_time desc, b.account, b.wallet_address`;

export const bdDownlinesQuery = (bdId: string) => sql<DownlineRow>`
  select b.wallet_address, b.bind_time::text as bind_time, b.code_type, b.share_ratio_e6, b.customer_ratio_e6,
    k.rate_e6, ${list((name) => `coalesce(t.${name}, 0)::text as ${name}`)}
  from broker_bind b
  join broker k on k.wallet_address = b.wallet_address
  left join broker_total t on t.broker_id = k.id
  where b.bd_id = ${bdId}
  order by b.bind_time desc, b.account, b.wallet_address`;

/**
 * A number that rises with every change of a broker's downline list. Records change with their day's root, whose revision only
 * rises; binds are added and never changed; a sub-KOL's rate is fixed by its code.
 */
const stateQuery = (brokerId: string) => sql<{ state: string }>`
  select (select coalesce(sum(revision), 0) from rebate_period) || ':' ||
    (select count(*) from broker_bind where inviter_broker_id = ${brokerId}) as state`;

/** Interface 2.5, as JSON text. */
export class Downlines {
  readonly #db: BrokerDb;
  readonly #texts = new TextCache({ limit_bytes: CACHE_LIMIT_BYTES, worthKeeping_bytes: WORTH_KEEPING_BYTES });

  constructor(db: BrokerDb) {
    this.#db = db;
  }

  async ofBroker(brokerId: string, type: DownlineType | undefined): Promise<Buffer> {
    // Read before the rows: after a change in between, the text is newer than its state, so the next call makes it again.
    const { rows } = await stateQuery(brokerId).execute(this.#db);
    const state = rows[0]?.state ?? "";
    return await this.#texts.get(`${brokerId}:${type ?? "all"}`, state, async () => {
      return downlinesText((await downlinesQuery(brokerId, type).execute(this.#db)).rows);
    });
  }

  /** BRK-15: the KOLs that a BD's codes made, each with the totals of its whole network. */
  async ofBd(bdId: string): Promise<Buffer> {
    return downlinesText((await bdDownlinesQuery(bdId).execute(this.#db)).rows);
  }
}
