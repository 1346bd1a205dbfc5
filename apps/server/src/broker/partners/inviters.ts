import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { Inviters } from "../../points/options.ts";

export interface InvitersOptions {
  /** The on-chain referrers of wallets that no broker invited. */
  readonly referrersOf: (tx: Tx, wallets: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * What a fill's terms say: an affiliate's are of one trader; a broker's are its own and its customers'. A broker was
 * invited by its parent, if by anybody.
 */
const ofFills: Inviters["ofFills"] = async (tx, fills) => {
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
};

/** Those who came by a broker's code or are brokers; null where nobody invited a broker. */
async function inProgram(tx: Tx, addresses: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ address: string; inviter: string | null }>`
    select asked.address, inviter.wallet_address as inviter
    from unnest(${addresses}::text[]) as asked (address)
    left join broker as own on own.wallet_address = asked.address
    left join broker_bind as bind on bind.wallet_address = asked.address
    left join broker as inviter
      on inviter.id = case when own.id is null then bind.inviter_broker_id else own.parent_broker_id end
    where own.id is not null or bind.account is not null`.execute(tx);
  return new Map(rows.map(({ address, inviter }) => [address, inviter]));
}

/**
 * PTS-3: who invited wallets, by the terms of their fills or as of now. A frozen broker is the inviter all the same: points
 * are not paid out, and it may be active again by the time they are worth anything.
 */
export function createInviters({ referrersOf }: InvitersOptions): Inviters {
  return {
    ofFills,
    async ofWallets(tx, addresses) {
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
