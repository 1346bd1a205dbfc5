import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { BadCursor, PageCursors } from "../../kernel/page-cursor.ts";
import { type Random, randomUuid } from "../../kernel/random.ts";
import { parseUuid } from "../../kernel/uuid.ts";
import { WindowTooLong } from "../../kernel/windows.ts";
import type { Markets } from "../fapi/markets.ts";
import { type Content, contentsOf, type DownloadHistory, type DownloadKind } from "./contents.ts";
import { type Download, DownloadStore } from "./store.ts";

/** A calendar year, the longest. */
const MAX_WINDOW_ms = 366 * DAY_ms;
/** For each account. */
const MAX_A_DAY = 5;
const MAX_ROWS = 1_000_000;
const KEPT_ms = DAY_ms;
const AVERAGED_ms = 30 * DAY_ms;
/** What the token of a URL is valid for. */
const SIGNED_AS = ["download"];

export type DownloadRefusalReason = "busy" | "too_many" | "too_large";

/** The account cannot have this file now. */
export class DownloadRefused extends Error {
  readonly reason: DownloadRefusalReason;
  readonly limit: number;
  /** When a repeated request can succeed, from now on. */
  readonly retryAfter_ms: number | undefined;

  constructor(reason: DownloadRefusalReason, limit: number, retryAfter_ms?: number) {
    super(`no download: ${reason}`);
    this.name = "DownloadRefused";
    this.reason = reason;
    this.limit = limit;
    this.retryAfter_ms = retryAfter_ms;
  }
}

export interface DownloadsOptions {
  readonly database: Pick<Database, "db">;
  readonly history: DownloadHistory;
  readonly markets: Pick<Markets, "at">;
  readonly clock: Clock;
  readonly random: Random;
  /** Signs the URLs of files. */
  readonly key: Uint8Array;
  /** `PUBLIC_URL`. */
  readonly publicUrl: string;
}

export interface DownloadRequest {
  readonly kind: DownloadKind;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Where a file is, and until when; undefined while it is being made. */
export interface DownloadFile {
  readonly url: string;
  readonly expires_ms: number;
  readonly isExpired: boolean;
}

export interface OpenedFile {
  readonly name: string;
  readonly content: AsyncIterable<string>;
}

/** FUT-20: an account's histories as CSV files. A job makes them (`jobs.ts`); they are kept for a day. */
export class Downloads {
  readonly store: DownloadStore;
  readonly contents: Readonly<Record<DownloadKind, Content>>;
  readonly #options: DownloadsOptions;
  readonly #tokens: PageCursors;

  constructor(options: DownloadsOptions) {
    this.#options = options;
    this.#tokens = new PageCursors(options.key);
    this.store = new DownloadStore(options.database);
    this.contents = contentsOf(options.history, options.markets);
  }

  /** Asks for a file. While it is being made the same request leads to the same file, and another one is refused. */
  async request(account: number, { kind, start_ms, end_ms }: DownloadRequest) {
    if (end_ms - start_ms > MAX_WINDOW_ms) throw new WindowTooLong(MAX_WINDOW_ms);
    const now_ms = this.#options.clock.now();
    const recent = await this.store.of(account, now_ms - DAY_ms);
    const running = recent.find(({ completed_ms }) => completed_ms === null);
    // What happens later is not in the file, so that its content does not depend on when it is made.
    const wanted = { account, kind, from_ms: start_ms, to_ms: Math.min(end_ms, now_ms) };
    if (running !== undefined) return await this.#answer(this.#sameOrBusy(running, wanted), now_ms);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= MAX_A_DAY) {
      throw new DownloadRefused("too_many", MAX_A_DAY, oldest.requested_ms + DAY_ms - now_ms);
    }
    const { total } = await this.contents[kind].read(account, { start_ms, end_ms: wanted.to_ms, limit: 1 });
    if (total > MAX_ROWS) throw new DownloadRefused("too_large", MAX_ROWS);
    const download_id = randomUuid(this.#options.random);
    const isAdded = await this.store.add({ ...wanted, download_id, requested_ms: now_ms });
    // Another request of the account came first.
    if (!isAdded) throw new DownloadRefused("busy", 1);
    return await this.#answer(download_id, now_ms);
  }

  /** Undefined if the account has not asked for such a file. `file` is undefined while it is being made. */
  async find(
    account: number,
    kind: DownloadKind,
    id: string,
  ): Promise<{ readonly file: DownloadFile | undefined } | undefined> {
    const download = await this.#named(id);
    if (download === undefined || download.account !== account || download.kind !== kind) return undefined;
    return { file: this.#fileOf(download) };
  }

  /** The file of a URL. Undefined if the token is not ours, and if there is no such file any more. */
  async open(token: string): Promise<OpenedFile | undefined> {
    const download = await this.#named(this.#idOf(token));
    if (download === undefined || this.#fileOf(download)?.isExpired !== false) return undefined;
    return { name: `${download.kind}-${download.download_id}.csv`, content: this.store.contentOf(download) };
  }

  /** Removes what has expired, and what could not be made within the time for which a file is kept. */
  async removeOld(): Promise<number> {
    const now_ms = this.#options.clock.now();
    return await this.store.removeOld({ kept_ms: now_ms - KEPT_ms, known_ms: now_ms - AVERAGED_ms });
  }

  #sameOrBusy(running: Download, wanted: Pick<Download, "kind" | "from_ms" | "to_ms">): string {
    // An end in the future was lowered to the time of the first request.
    const isSame =
      running.kind === wanted.kind &&
      running.from_ms === wanted.from_ms &&
      (running.to_ms === wanted.to_ms || running.to_ms === running.requested_ms);
    if (!isSame) throw new DownloadRefused("busy", 1);
    return running.download_id;
  }

  async #answer(id: string, now_ms: number) {
    return { id, averageTime_ms: (await this.store.averageTime_ms(now_ms - AVERAGED_ms)) ?? 0 };
  }

  async #named(id: string): Promise<Download | undefined> {
    const download_id = parseUuid(id);
    return download_id === undefined ? undefined : await this.store.find(download_id);
  }

  #fileOf({ download_id, completed_ms }: Download): DownloadFile | undefined {
    if (completed_ms === null) return undefined;
    const expires_ms = completed_ms + KEPT_ms;
    const isExpired = expires_ms <= this.#options.clock.now();
    const path = `/fapi/v1/download?token=${this.#tokens.encode(SIGNED_AS, [download_id])}`;
    return { url: isExpired ? "" : new URL(path, this.#options.publicUrl).href, expires_ms, isExpired };
  }

  /** "" for a token that this server has not made. */
  #idOf(token: string): string {
    try {
      return this.#tokens.decode(SIGNED_AS, token)[0] ?? "";
    } catch (error) {
      if (error instanceof BadCursor) return "";
      throw error;
    }
  }
}
