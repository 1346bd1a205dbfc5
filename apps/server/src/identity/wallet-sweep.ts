import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Tx } from "../kernel/database/database.ts";
import { DAY_ms } from "../kernel/dates.ts";
import type { IdentityDb, IdentityTx } from "./tables.ts";

/** What a module has of wallets. Called in the transaction that forgets them, with many at once (lower case). */
export interface WalletHolding {
  /** Those of these wallets that stay because of what the module has of them. */
  keeps?(tx: Tx, addresses: readonly string[]): Promise<Iterable<string>>;
  /** Removes what the module has of wallets that go. */
  forget?(tx: Tx, addresses: readonly string[]): Promise<void>;
}

export interface WalletSweepReport {
  readonly forgotten: number;
  readonly kept: number;
}

const IDLE_ms = 30 * DAY_ms;
const BATCH_wallets = 500;

/**
 * SEC-11: a wallet that has signed in and left nothing behind is forgotten 30 days after its last sign-in, once its sessions have
 * ended. Only the time of its first sign-in stays. Who has a stake is marked and not asked about again.
 */
export class WalletSweep {
  readonly #db: IdentityDb;
  readonly #clock: Clock;

  constructor({ db, clock }: { readonly db: IdentityDb; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Goes on until no wallet is left; each batch is a transaction of its own, so that a run can be repeated at any point. */
  async run(holdings: readonly WalletHolding[]): Promise<WalletSweepReport> {
    const now = new Date(this.#clock.now());
    let [forgotten, kept] = [0, 0];
    for (;;) {
      const batch = await this.#db.transaction().execute((tx) => sweepBatch(tx, now, holdings));
      forgotten += batch.forgotten;
      kept += batch.kept;
      if (batch.forgotten + batch.kept < BATCH_wallets) return { forgotten, kept };
    }
  }
}

async function sweepBatch(tx: IdentityTx, now: Date, holdings: readonly WalletHolding[]): Promise<WalletSweepReport> {
  const { rows } = await sql<{ address: string }>`
    select address from wallet
    where not is_kept and last_sign_in_at <= ${new Date(now.getTime() - IDLE_ms)}
      and not exists (select from session join refresh_token on refresh_token.session_id = session.id
        where session.subject = wallet.address and refresh_token.expires_at > ${now})
    order by last_sign_in_at limit ${BATCH_wallets}
    for update`.execute(tx);
  const addresses = rows.map(({ address }) => address);
  if (addresses.length === 0) return { forgotten: 0, kept: 0 };
  const kept = new Set(await walletsWithKey(tx, addresses));
  for (const { keeps } of holdings) for (const address of (await keeps?.(tx, addresses)) ?? []) kept.add(address);
  const going = addresses.filter((address) => !kept.has(address));
  for (const { forget } of holdings) await forget?.(tx, going);
  await sql`update wallet set is_kept = true where address = any(${[...kept]}::text[])`.execute(tx);
  await sql`
    insert into forgotten_wallet (address, first_sign_in_at)
    select decode(substr(address, 3), 'hex'), first_sign_in_at from wallet where address = any(${going}::text[])
    on conflict (address) do nothing`.execute(tx);
  await sql`delete from wallet where address = any(${going}::text[])`.execute(tx);
  return { forgotten: going.length, kept: kept.size };
}

async function walletsWithKey(tx: IdentityTx, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    select distinct wallet from api_key where wallet = any(${addresses}::text[]) and revoked_at is null`.execute(tx);
  return rows.map(({ wallet }) => wallet);
}
