import { RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import { sql } from "kysely";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import type { EngineRequest, EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { writeGrants } from "../pool.ts";
import type { GrantDetails } from "../rebuild.ts";
import type { BonusDb, BonusTx } from "../tables.ts";
import type { CampaignRow } from "./campaign-rules.ts";

export interface IssuerOptions {
  readonly directory: Pick<AccountDirectory, "decideAll">;
  readonly engineRequests: Pick<EngineRequests, "tellAll">;
}

/** A decision to give each of these wallets the same bonus. */
export interface Issue {
  readonly campaign: CampaignRow;
  readonly batch_id: string;
  readonly amount_micros: bigint;
  readonly max_leverage: number;
  readonly grant_tier: string;
  /** Lower case, without duplicates. */
  readonly addresses: readonly string[];
  /** The redeemed code. */
  readonly code_hash?: Buffer;
  readonly now: Date;
}

/** A bonus that was written and is on its way to the engine. */
export interface IssuedBonus {
  readonly bonus_account_id: bigint;
  readonly account: number;
}

export const grantRef = (bonus_account_id: bigint): string => `bonus-grant:${bonus_account_id}`;

/**
 * The wallets among these that had a bonus of this campaign, or have a running one of an earlier campaign. A grant that was refused
 * because the account was in debt is none (BON-15).
 */
export async function walletsWithBonus(
  db: BonusDb,
  campaign_id: number,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from bonus_account
    where address = any(${addresses}::text[]) and (campaign_id = ${campaign_id}::int or ended_at is null)
      and refusal is distinct from 'account_in_debt'`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** BON-15: the wallets among these whose principal is below zero; none before rules version 5. */
export function walletsInDebt(
  { engine }: Pick<Exchange, "engine">,
  directory: Pick<AccountDirectory, "numberOf">,
  addresses: readonly string[],
): ReadonlySet<string> {
  const { rulesVersion, accounts } = engine.state;
  if (rulesVersion < RULES_WITH_FAIR_MARKETS) return new Set();
  return new Set(
    addresses.filter((address) => {
      const account = directory.numberOf(address);
      return account !== undefined && accounts.isAccount(account) && accounts.principal(account) < 0;
    }),
  );
}

/**
 * Writes bonuses and their engine commands in the deciding transaction, by a constant number of statements. The caller holds the
 * lock BONUS_GRANTS and has checked the pool's headroom.
 */
export class Issuer {
  readonly #options: IssuerOptions;

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /** Returns the bonuses in the order in which the engine gets them. */
  async issue(tx: BonusTx, issue: Issue): Promise<readonly IssuedBonus[]> {
    const { campaign, amount_micros, max_leverage, addresses, now } = issue;
    if (addresses.length === 0) return [];
    const numbers = await this.#options.directory.decideAll(tx, addresses);
    const accounts = addresses.map((address) => numbers.get(address)!);
    const expires_at = expiryOf(campaign, now);
    const issued = await insertBonuses(tx, issue, accounts, expires_at);
    await writeGrants(
      tx,
      issued.map((bonus) => ({ ...bonus, amount_micros })),
      now.getTime(),
    );
    const terms = { amount_micros: Number(amount_micros), maxLeverage: max_leverage, expires_ms: expires_at.getTime() };
    const details: GrantDetails = { campaign_id: campaign.id, batch_id: issue.batch_id, grant_tier: issue.grant_tier };
    const requests = issued.map(({ bonus_account_id, account }): EngineRequest => {
      const command = { kind: "grant_bonus", account, ...terms } as const;
      return { ref: grantRef(bonus_account_id), command, details };
    });
    await this.#options.engineRequests.tellAll(tx, requests);
    return issued;
  }
}

export const expiryOf = ({ validity_days }: CampaignRow, now: Date): Date =>
  new Date(now.getTime() + validity_days * DAY_ms);

async function insertBonuses(
  tx: BonusTx,
  issue: Issue,
  accounts: readonly number[],
  expires_at: Date,
): Promise<IssuedBonus[]> {
  const { campaign, batch_id, amount_micros, max_leverage, grant_tier, addresses, code_hash = null, now } = issue;
  const { rows } = await sql<IssuedBonus>`
    insert into bonus_account (campaign_id, address, account, batch_id, code_hash, amount_micros, max_leverage,
      grant_tier, granted_at, expires_at, status)
    select ${campaign.id}::int, address, account, ${batch_id}::uuid, ${code_hash}::bytea, ${amount_micros}::bigint,
      ${max_leverage}::int, ${grant_tier}, ${now}::timestamptz, ${expires_at}::timestamptz, 'active'
    from unnest(${addresses}::text[], ${accounts}::int[]) with ordinality as wallet (address, account, place)
    order by place
    returning id as bonus_account_id, account`.execute(tx);
  return rows.toSorted((a, b) => (a.bonus_account_id < b.bonus_account_id ? -1 : 1));
}
