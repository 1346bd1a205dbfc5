import { type ContractAddresses, contributionPurposes, vaultAbi } from "@bourse/contracts";
import type { Audit } from "@bourse/engine";
import { sql } from "kysely";
import { erc20Abi } from "viem";
import { blockAt, type ChainClient } from "../chain/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { moneyText } from "../kernel/units.ts";

export interface BackingOptions {
  readonly client: ChainClient;
  readonly contracts: Pick<ContractAddresses, "usdt" | "vault">;
  readonly database: Pick<Database, "db">;
}

/** The engine's sums at one moment, and the number of the last outbox command that they include. */
export interface EngineMoment {
  readonly audit: Pick<Audit, "sums">;
  readonly externalNumber: number;
}

/** All in micros, at the block up to which the chain's events are applied. */
export interface Backing {
  readonly block: number;
  /** The Vault's balance. */
  readonly vault: bigint;
  /** The amount that bonus accounts have consumed and the bonus pool has not paid in yet. */
  readonly owedByPool: bigint;
  /** INV-8, right side: principal − cost + fund + fee account. The fund is one of the accounts. */
  readonly owed: bigint;
  /** Seen on chain and not credited yet. */
  readonly depositsInFlight: bigint;
  /** Taken out of accounts and not paid by the Vault yet. */
  readonly withdrawalsInFlight: bigint;
  /** The rest after everything is covered; negative if tokens are missing. */
  readonly surplus: bigint;
}

interface Books {
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly deposits: bigint;
  readonly payments: bigint;
}

/**
 * The cursor and the amounts in flight, of one moment: deposits whose command the engine has not applied, and withdrawals that the
 * Vault has paid and the engine has not settled.
 */
async function readBooks({ db }: Pick<Database, "db">, chainId: number, externalNumber: number): Promise<Books> {
  const { rows } = await sql<Books>`
    with coming as (
      select ref from outbox
      where (dispatch_seq is null or dispatch_seq > ${BigInt(externalNumber)})
        and (ref like 'deposit:%' or ref like 'withdrawal-settle:%')
    )
    select block_number, block_hash,
      coalesce((select sum(amount_micros) from deposit where 'deposit:' || ref in (select ref from coming)), 0)::bigint
        as deposits,
      coalesce((select sum(amount_micros) from withdrawal
        where paid_block is not null and 'withdrawal-settle:' || id in (select ref from coming)), 0)::bigint as payments
    from chain_cursor where chain_id = ${BigInt(chainId)}`.execute(db);
  const [books] = rows;
  if (books === undefined) throw new Error("the chain's events were not read yet");
  return books;
}

async function readVault({ client, contracts }: BackingOptions, blockNumber: bigint) {
  const [vault, contributed] = await Promise.all([
    client.public.readContract({
      address: contracts.usdt,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [contracts.vault],
      blockNumber,
    }),
    client.public.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: "contributedFor",
      args: [contributionPurposes.bonus],
      blockNumber,
    }),
  ]);
  return { vault, contributed };
}

/**
 * INV-8. The engine is read first, then the database: the database contains every chain event that the engine has, so that all
 * figures can be brought to the cursor's block. Amounts in flight are owed too, to their depositors and withdrawers.
 */
export async function computeBacking(options: BackingOptions, engine: EngineMoment): Promise<Backing> {
  const { client, database } = options;
  const { audit, externalNumber } = engine;
  const { sums } = audit;
  const books = await readBooks(database, client.chainId, externalNumber);
  const { vault, contributed } = await readVault(options, books.block_number);
  const block = await blockAt(client, Number(books.block_number));
  if (block?.hash !== books.block_hash) throw new Error("the chain was reorganised while it was asked");
  const unpaidBonus = sums.consumed - contributed;
  const owedByPool = unpaidBonus > 0n ? unpaidBonus : 0n;
  const owed = sums.principal - sums.cost + sums.feeAccount;
  const withdrawalsInFlight = sums.inFlight - books.payments;
  const surplus = vault + owedByPool - owed - books.deposits - withdrawalsInFlight;
  return {
    block: Number(books.block_number),
    vault,
    owedByPool,
    owed,
    depositsInFlight: books.deposits,
    withdrawalsInFlight,
    surplus,
  };
}

/** The verdict on INV-8 as a text. */
export function judgeBacking(backing: Backing): { readonly ok: boolean; readonly detail: string } {
  const { block, vault, owedByPool, owed, depositsInFlight, withdrawalsInFlight, surplus } = backing;
  const figures = [
    `vault ${moneyText(vault)}`,
    `owed by the bonus pool ${moneyText(owedByPool)}`,
    `owed to accounts, fund and fees ${moneyText(owed)}`,
    `deposits in flight ${moneyText(depositsInFlight)}`,
    `withdrawals in flight ${moneyText(withdrawalsInFlight)}`,
  ].join(", ");
  const verdict = surplus < 0n ? `${moneyText(-surplus)} missing` : `${moneyText(surplus)} more than owed`;
  return { ok: surplus >= 0n, detail: `at block ${block}, in USDT: ${figures}: ${verdict}` };
}
