import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";

export interface InvitersOptions {
  /** The on-chain referrers of wallets that no broker invited. */
  readonly referrersOf: (tx: Tx, wallets: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Whose fill it is, and the terms version that it carries. */
interface TermsOfFill {
  readonly account: number;
  readonly termsVersion: number;
}

/**
 * The inviters by the terms of fills. Affiliate terms belong to one trader; a broker's terms belong to itself and its customers. A
 * broker's inviter is its parent, if it has one.
 */
async function ofFills(tx: Tx, fills: readonly TermsOfFill[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ account: number; version: bigint; inviter: string }>`
    select asked.account, asked.version, inviter
    from unnest(${fills.map(({ account }) => account)}::int[], ${fills.map(({ termsVersion }) => termsVersion)}::bigint[])
      as asked (account, version)
    join broker_terms as terms on terms.terms_version = asked.version
    left join broker as parent on parent.id = terms.parent_broker_id
    cross join lateral (
      select case
        when terms.kind = 'affiliate' then case when terms.rate_e6 > 0 then terms.affiliate end
        when terms.account <> asked.account then terms.wallet_address
        else parent.wallet_address
      end as inviter
    ) as found
    where inviter is not null`.execute(tx);
  return new Map(rows.map(({ account, version, inviter }) => [`${account}:${version}`, inviter]));
}

/** The inviters of bound wallets and of brokers; null for a broker without an inviter. */
async function inProgram(tx: Tx, addresses: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ address: string; inviter: string | null }>`
    select asked.address, inviter.wallet_address as inviter
    from unnest(${addresses}::text[]) as asked (address)
    left join broker as own on own.wallet_address = asked.address
    left join broker_bind as bind on bind.wallet_address = asked.address
    left join broker as inviter
      on inviter.id = case when own.id is null then bind.inviter_broker_id else own.parent_broker_id end
    where own.id is not null or bind.wallet_address is not null`.execute(tx);
  return new Map(rows.map(({ address, inviter }) => [address, inviter]));
}

/**
 * PTS-3: the inviters of wallets, by the terms of their fills or at this moment. A frozen broker is still the inviter: points are
 * not paid out, and the broker may be active again when they become tokens.
 */
export function createInviters({ referrersOf }: InvitersOptions) {
  return {
    ofFills,
    async ofWallets(tx: Tx, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const brokers = await inProgram(tx, addresses);
      const referrers = await referrersOf(
        tx,
        addresses.filter((address) => !brokers.has(address)),
      );
      const inviters = new Map(referrers);
      for (const [address, inviter] of brokers) if (inviter !== null) inviters.set(address, inviter);
      return inviters;
    },
  };
}
