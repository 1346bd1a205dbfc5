import type { InviteCode } from "@bourse/api";
import { sql } from "kysely";
import type { Random } from "../../kernel/random.ts";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb, BrokerStatus, CodeStatus, CodeType } from "../tables.ts";

/** BRK-4: Crockford's base 32, without I, L, O and U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_chars = 8;

/** 256 is a multiple of 32, so every character is equally likely. */
export const randomCode = (random: Random): string =>
  [...random.bytes(CODE_chars)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** The owner of codes: a broker or a BD. */
export type CodeOwner = { readonly broker_id: string } | { readonly bd_id: string };

interface CodeRow {
  readonly id: number;
  readonly code: string;
  readonly code_type: CodeType;
  readonly share_ratio_e6: number;
  readonly rate_e6: number;
  readonly level: number | null;
  readonly note: string | null;
  readonly status: CodeStatus;
  readonly used_count: number;
  readonly expire_at: Date | null;
  readonly bound_wallet: string | null;
  readonly nickname: string | null;
  readonly bind_time: Date;
  readonly bound_status: BrokerStatus;
  readonly fee_micros: bigint;
  readonly net_micros: bigint;
}

/** BRK-2: a code is expired from its time on, whether or not the sweep has marked it. */
export function statusAt(
  { status, expire_at }: { readonly status: CodeStatus; readonly expire_at: Date | null },
  now_ms: number,
): CodeStatus {
  return status === "active" && expire_at !== null && expire_at.getTime() <= now_ms ? "expired" : status;
}

const shownCode = (row: CodeRow, now_ms: number): InviteCode => ({
  id: row.id,
  code: row.code,
  code_type: row.code_type,
  share_ratio: ratioText(row.share_ratio_e6),
  rebate_rate: ratioText(row.rate_e6),
  level: row.level,
  note: row.note,
  cached_used_count: row.used_count,
  status: statusAt(row, now_ms),
  expire_at: row.expire_at?.toISOString() ?? null,
  bound_broker:
    row.bound_wallet === null
      ? null
      : {
          wallet_address: row.bound_wallet,
          nickname: row.nickname,
          bind_time: row.bind_time.toISOString(),
          total_fee: amountText(row.fee_micros),
          total_commission: amountText(row.net_micros),
          total_volume: "0",
          status: row.bound_status,
        },
});

/**
 * Interface 2.3, newest first. The totals of a bound broker (BRK-15) are those of its own records; for a sub-KOL also those of its
 * own trades, which are in its parent's records. Rolled-up days come from the totals by downline, the few other days from records.
 */
export async function readCodes(
  db: BrokerDb,
  owner: CodeOwner,
  now_ms: number,
  { codeType, id }: { readonly codeType?: "direct" | "sub_kol"; readonly id?: number } = {},
): Promise<InviteCode[]> {
  const brokerId = "broker_id" in owner ? owner.broker_id : null;
  const isOwned = "broker_id" in owner ? sql`code.broker_id = ${owner.broker_id}` : sql`code.bd_id = ${owner.bd_id}`;
  const { rows } = await sql<CodeRow>`
    with open_fee as (
      select record.downline_account, sum(record.fee_micros) as fee_micros
      from rebate_period as period
      join rebate_record as record on record.period = period.period and record.kind = 'broker'
        and record.broker_id = ${brokerId}
      join broker as sub_kol on sub_kol.account = record.downline_account and sub_kol.parent_broker_id = ${brokerId}
      where not period.is_rolled_up
      group by record.downline_account
    )
    select code.id, code.code, code.code_type, code.share_ratio_e6, code.level, code.note, code.status, code.used_count,
           code.expire_at, coalesce(code.rate_e6, tier.rate_e6, 0) as rate_e6,
           bound.wallet_address as bound_wallet, bound.nickname, bind.bind_time, bound.status as bound_status,
           (coalesce(total.fee_micros, 0) + coalesce(own.fee_micros, 0) + coalesce(open_fee.fee_micros, 0))::bigint
             as fee_micros,
           coalesce(total.net_micros, 0) as net_micros
    from broker_invite_code as code
    left join broker_tier as tier on tier.level = code.level
    left join broker_bind as bind on bind.code_id = code.id and code.code_type <> 'direct'
    left join broker as bound on bound.wallet_address = bind.wallet_address
    left join broker_total as total on total.broker_id = bound.id
    left join broker_downline_total as own
      on own.broker_id = bound.parent_broker_id and own.downline_account = bound.account
    left join open_fee on open_fee.downline_account = bound.account
    where ${isOwned}
      and (${codeType ?? null}::text is null or code.code_type = ${codeType ?? null})
      and (${id ?? null}::int is null or code.id = ${id ?? null})
    order by code.created_at desc, code.id desc`.execute(db);
  return rows.map((row) => shownCode(row, now_ms));
}
