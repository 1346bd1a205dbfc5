import { type ContractAddresses, contributionPurposes, vaultAbi } from "@bourse/contracts";
import type { Audit } from "@bourse/engine";
import { sql } from "kysely";
import { erc20Abi } from "viem";
import type { ChainClient } from "../chain/client.ts";
import { blockAt } from "../chain/indexer/block-range.ts";
import { moneyText } from "../exchange/units.ts";
import type { Database } from "../kernel/database/database.ts";

export interface BackingOptions {
  readonly client: ChainClient;
  readonly contracts: Pick<ContractAddresses, "usdt" | "vault">;
  readonly database: Pick<Database, "db">;
}

/** The engine's sums and the number of the last command from the outbox that is in them, of one moment. */
export interface EngineMoment {
  readonly audit: Pick<Audit, "sums">;
  readonly externalNumber: number;
}

/** All in micros, at the block up to which the chain's events are applied. */
export interface Backing {
  readonly block: number;
  /** What the Vault holds. */
  readonly vault: bigint;
  /** What bonus accounts have consumed and the bonus pool has not paid in yet. */
  readonly owedByPool: bigint;
  /** INV-8, right side: principal − cost + fund + fee account. The fund is one of the accounts. */
  readonly owed: bigint;
  /** Seen on the chain and not credited yet. */
  readonly depositsInFlight: bigint;
  /** Taken out of accounts and not paid by the Vault yet. */
  readonly withdrawalsInFlight: bigint;
  /** What is left when everything is covered; negative when tokens are missing. */
  readonly surplus: bigint;
}

interface Books {
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly deposits: bigint;
  readonly payments: bigint;
}

/**
 * The cursor and what is under way, of one moment: deposits whose command is not among those the engine has applied, and
 * withdrawals that the Vault has paid and the engine has not heard of.
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
 * INV-8. The engine's moment was first, then comes the database: whatever the engine has of the chain, the database has as well, so that all
 * figures are brought to the cursor's block. What is in flight is owed too, to those who deposited or withdraw it.
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

/** INV-8 in words. */
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
