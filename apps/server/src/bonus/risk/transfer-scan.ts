import type { ContractAddresses } from "@bourse/contracts";
import { type ChainClient, KEPT_BLOCKS, MAX_BLOCKS } from "../../chain/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_ms } from "../../kernel/dates.ts";
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

/** How long before its grant the scan of a wallet's transfers begins. */
const LOOKBACK_ms = 14 * DAY_ms;

export interface ScanReport {
  /** Every block up to this one is scanned; null before the first scan. */
  readonly block: number | null;
  /** Whether the scan reached the head of the chain. */
  readonly isCurrent: boolean;
}

/**
 * BON-12: queries the node for token transfers to bonus wallets. The progress is stored with the rows, so a crash repeats at most
 * one range. Each scan repeats the last blocks and removes transfers that are no longer in them.
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

  /** Scans all new blocks. Concurrent calls share one scan. Rejects if the node does. */
  run(): Promise<ScanReport> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends the current scan after its range, and starts no other. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The progress, without querying the node. */
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

  /** The last blocks may have been replaced, and the chain may have become shorter. */
  async #begin(end: number): Promise<ScanProgress> {
    const known = await readProgress(this.#db);
    if (known === undefined) return { last_id: 0n, block: end, newcomers: null };
    const back = Math.min(known.block, end) - KEPT_BLOCKS;
    const { newcomers } = known;
    const block = Math.max(back, -1);
    return { ...known, block, newcomers: newcomers && { ...newcomers, block: Math.min(newcomers.block, block) } };
  }

  /** Scans one range for one set of wallets; undefined when nothing is left. */
  async #step(progress: ScanProgress, end: number): Promise<ScanProgress | undefined> {
    const { last_id, block, newcomers } = progress;
    if (newcomers !== null && newcomers.block < block) {
      const to = Math.min(newcomers.block + MAX_BLOCKS, block);
      const next = { ...progress, newcomers: { ...newcomers, block: to } };
      return await this.#look(next, { after: last_id, upTo: newcomers.last_id, from: newcomers.block + 1, to, end });
    }
    // The newcomers have reached the others; both continue together.
    if (newcomers !== null) return { last_id: newcomers.last_id, block, newcomers: null };
    const found = await walletsBetween(this.#db, last_id);
    if (found.length > 0) return { ...progress, newcomers: await this.#welcome(found, block) };
    if (block >= end) return undefined;
    const to = Math.min(block + MAX_BLOCKS, end);
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
