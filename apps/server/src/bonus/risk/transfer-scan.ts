import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient } from "../../chain/client.ts";
import { MOST_BLOCKS } from "../../chain/indexer/indexer.ts";
import { KEPT_BLOCKS } from "../../chain/indexer/store.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { type BonusDb, bonusDb } from "../tables.ts";
import { replaceTransfers } from "./funding-store.ts";
import { readProgress, type ScanProgress, writeProgress } from "./scan-progress.ts";
import { blockFrom, readTransfers } from "./transfer-logs.ts";
import { walletsBetween } from "./wallet-store.ts";

export interface TransferScanOptions {
  readonly client: ChainClient;
  readonly contracts: Pick<ContractAddresses, "usdt">;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly platform: ReadonlySet<string>;
}

/** So long before its grant a wallet's transfers are looked at. */
const LOOKBACK_ms = 14 * 86_400_000;

export interface ScanReport {
  /** Everything up to this block has been looked at; null before the first look. */
  readonly block: number | null;
  /** Whether that was all there is. */
  readonly isCurrent: boolean;
}

/**
 * BON-12: asks the node who has sent tokens to bonus wallets. How far it has come is in the database, moved with the rows,
 * so a crash repeats at most one range; the last blocks are looked at again each time, and what is no longer in them goes.
 */
export class TransferScan {
  readonly #options: TransferScanOptions;
  readonly #db: BonusDb;
  #running: Promise<ScanReport> | undefined;
  #isStopped = false;

  constructor(options: TransferScanOptions) {
    this.#options = options;
    this.#db = bonusDb(options.database);
  }

  /** Looks at all that is new. Those who ask meanwhile share the look. Rejects as the node does. */
  run(): Promise<ScanReport> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends the look under way after its range, and begins no other. */
  stop(): void {
    this.#isStopped = true;
  }

  /** How far it has come, without asking the node. */
  async block(): Promise<number | null> {
    return (await readProgress(this.#db))?.block ?? null;
  }

  async #run(): Promise<ScanReport> {
    const { client } = this.#options;
    const end = (await client.head()).number - client.confirmations;
    let progress = await this.#begin(end);
    while (!this.#isStopped && progress !== undefined) {
      const next: ScanProgress | undefined = await this.#step(progress, end);
      if (next === undefined) return { block: end, isCurrent: true };
      progress = next;
    }
    return { block: progress?.block ?? null, isCurrent: false };
  }

  /** The last blocks may have been replaced since; and a chain may have become shorter. */
  async #begin(end: number): Promise<ScanProgress> {
    const known = await readProgress(this.#db);
    if (known === undefined) return { last_id: 0n, block: end, newcomers: null };
    const back = Math.min(known.block, end) - KEPT_BLOCKS;
    const { newcomers } = known;
    const block = Math.max(back, -1);
    return { ...known, block, newcomers: newcomers && { ...newcomers, block: Math.min(newcomers.block, block) } };
  }

  /** One range for one set of wallets; undefined once nothing is left to be looked at. */
  async #step(progress: ScanProgress, end: number): Promise<ScanProgress | undefined> {
    const { last_id, block, newcomers } = progress;
    if (newcomers !== null && newcomers.block < block) {
      const to = Math.min(newcomers.block + MOST_BLOCKS, block);
      const next = { ...progress, newcomers: { ...newcomers, block: to } };
      return await this.#look(next, { after: last_id, upTo: newcomers.last_id, from: newcomers.block + 1, to, end });
    }
    // They are where the others are, and go on with them.
    if (newcomers !== null) return { last_id: newcomers.last_id, block, newcomers: null };
    const found = await walletsBetween(this.#db, last_id);
    if (found.length > 0) return { ...progress, newcomers: await this.#welcome(found, block) };
    if (block >= end) return undefined;
    const to = Math.min(block + MOST_BLOCKS, end);
    return await this.#look({ ...progress, block: to }, { after: 0n, upTo: last_id, from: block + 1, to, end });
  }

  async #welcome(found: readonly { readonly id: bigint; readonly granted_at: Date }[], block: number) {
    const last_id = found.reduce((highest, { id }) => (id > highest ? id : highest), 0n);
    const earliest_ms = Math.min(...found.map(({ granted_at }) => granted_at.getTime()));
    const first = await blockFrom(this.#options.client, earliest_ms - LOOKBACK_ms, Math.max(block, 0));
    return { last_id, block: Math.min(first - 1, block) };
  }

  async #look(
    next: ScanProgress,
    range: { after: bigint; upTo: bigint; from: number; to: number; end: number },
  ): Promise<ScanProgress> {
    const { client, contracts, platform, clock } = this.#options;
    const { after, upTo, from, to } = range;
    const found = await walletsBetween(this.#db, after, upTo);
    const wallets = [...new Set(found.map(({ address }) => address))];
    const question = { usdt: contracts.usdt, wallets, from, to, platform };
    const rows = await readTransfers(client, question);
    await this.#db.transaction().execute(async (tx) => {
      await replaceTransfers(tx, range, wallets, rows);
      await writeProgress(tx, next, new Date(clock.now()));
    });
    return next;
  }
}
