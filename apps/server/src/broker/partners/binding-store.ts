/** The SQL of binding. */
import { sql } from "kysely";
import { refusals } from "../refusals.ts";
import type { BrokerDb, BrokerStatus, BrokerTx, CodeStatus, CodeType } from "../tables.ts";

/** BRK-1: how long after its first sign-in a wallet that has traded can still be bound. */
const WINDOW_days = 14;

/** A code with its owner. */
export interface OfferedCode {
  readonly id: number;
  readonly code_type: CodeType;
  readonly share_ratio_e6: number;
  readonly rate_e6: number | null;
  readonly level: number | null;
  readonly status: CodeStatus;
  readonly expire_at: Date | null;
  /** For a BD's code: the current rate of its level's tier; null if the tier no longer exists. */
  readonly tier_rate_e6: number | null;
  readonly owner: CodeBroker | undefined;
  readonly bd: CodeBd | undefined;
}

interface CodeBroker {
  readonly id: string;
  readonly wallet: string;
  readonly nickname: string | null;
  readonly bd_owner_id: string | null;
  readonly status: BrokerStatus;
}

interface CodeBd {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "disabled";
}

export async function findCode(db: BrokerDb, code: string): Promise<boolean> {
  const row = await db.selectFrom("broker_invite_code").select("id").where("code", "=", code).executeTakeFirst();
  return row !== undefined;
}

type CodeColumns = Omit<OfferedCode, "owner" | "bd">;
interface OwnerColumns {
  readonly owner_id: string | null;
  readonly wallet: string;
  readonly nickname: string | null;
  readonly bd_owner_id: string | null;
  readonly owner_status: BrokerStatus;
  readonly bd_id: string | null;
  readonly bd_name: string;
  readonly bd_status: "active" | "disabled";
}

/** Reads the current code, and locks it if it can be used only once. */
export async function lockCode(tx: BrokerTx, text: string): Promise<OfferedCode> {
  const { rows } = await sql<CodeColumns & OwnerColumns>`
    select code.id, code.code_type, code.share_ratio_e6, code.rate_e6, code.level, code.status, code.expire_at,
           tier.rate_e6 as tier_rate_e6,
           owner.id as owner_id, owner.wallet_address as wallet, owner.nickname, owner.bd_owner_id,
           owner.status as owner_status,
           bd.id as bd_id, bd.display_name as bd_name, bd.status as bd_status
    from broker_invite_code as code
    left join broker_tier as tier on tier.level = code.level
    left join broker as owner on owner.id = code.broker_id
    left join staff as bd on bd.id = code.bd_id
    where code.code = ${text}
    for update of code`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw refusals.codeNotFound();
  const { owner_id, wallet, nickname, bd_owner_id, owner_status, bd_id, bd_name, bd_status, ...code } = row;
  const owner = { wallet, nickname, bd_owner_id, status: owner_status };
  return {
    ...code,
    owner: owner_id === null ? undefined : { id: owner_id, ...owner },
    bd: bd_id === null ? undefined : { id: bd_id, name: bd_name, status: bd_status },
  };
}

/** Whether the wallet is the broker itself or one of its ancestors. */
export async function isAbove(tx: BrokerTx, wallet: string, brokerId: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive chain as (
      select id, wallet_address, parent_broker_id from broker where id = ${brokerId}
      union
      select parent.id, parent.wallet_address, parent.parent_broker_id
      from chain join broker as parent on parent.id = chain.parent_broker_id
    )
    select from chain where wallet_address = ${wallet}`.execute(tx);
  return rows.length > 0;
}

/** The last moment at which the first sign-in allows a bind; undefined for a wallet that never signed in. */
export async function lastBindTime(db: BrokerDb, wallet: string): Promise<Date | undefined> {
  // SEC-11: a wallet may have been forgotten after its first sign-in.
  const { rows } = await sql<{ until: Date | null }>`
    select min(first_sign_in_at) + make_interval(days => ${WINDOW_days}) as until from (
      select first_sign_in_at from wallet where address = ${wallet}
      union all
      select first_sign_in_at from forgotten_wallet where address = decode(substr(${wallet}::text, 3), 'hex')) as seen`.execute(
    db,
  );
  return rows[0]?.until ?? undefined;
}

export async function hasTraded(tx: BrokerTx, account: number): Promise<boolean> {
  // LOG-8: fills that are too old to be kept have left their accounts in exchange_traded.
  const { rows } = await sql`
    select from exchange_traded where account = ${account}
    union all (select from exchange_fill where account = ${account} limit 1) limit 1`.execute(tx);
  return rows.length > 0;
}
