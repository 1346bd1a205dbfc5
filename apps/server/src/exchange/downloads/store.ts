import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { plain } from "../../kernel/database/plain-rows.ts";
import type { DownloadKind } from "./contents.ts";

/** A file that somebody asked for. */
export interface Download {
  readonly download_id: string;
  readonly account: number;
  readonly kind: DownloadKind;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly requested_ms: number;
  /** How many are written, of a file that is not expired. */
  readonly parts: number;
  /** Behind the last part; null before the first. */
  readonly next_cursor: string | null;
  readonly completed_ms: number | null;
}

export interface WrittenPart {
  readonly content: string;
  readonly next_cursor: string | null;
  /** Set with the last part. */
  readonly completed_ms: number | null;
}

/** The tables of downloads. */
export class DownloadStore {
  readonly #database: Pick<Database, "db">;

  constructor(database: Pick<Database, "db">) {
    this.#database = database;
  }

  /** False if the account has one that is being made. */
  async add(download: Omit<Download, "parts" | "next_cursor" | "completed_ms">): Promise<boolean> {
    const { download_id, account, kind, from_ms, to_ms, requested_ms } = download;
    const { numAffectedRows = 0n } = await sql`
      insert into exchange_download (download_id, account, kind, from_ms, to_ms, requested_ms)
      values (${download_id}, ${account}, ${kind}, ${from_ms}, ${to_ms}, ${requested_ms})
      on conflict (account) where completed_ms is null do nothing`.execute(this.#database.db);
    return numAffectedRows > 0n;
  }

  async find(download_id: string): Promise<Download | undefined> {
    return (await this.#select(sql`download_id = ${download_id}`))[0];
  }

  /** Those of an account that were asked for since then, oldest first. */
  of(account: number, since_ms: number): Promise<Download[]> {
    return this.#select(sql`account = ${account} and requested_ms > ${since_ms}`);
  }

  /** Those that are not complete, oldest first. */
  async processed(limit: number): Promise<Download[]> {
    return await this.#select(sql`completed_ms is null`, limit);
  }

  /** Adds the next part, once: false if another process has added it. */
  async addPart({ download_id, parts }: Download, part: WrittenPart): Promise<boolean> {
    return await this.#database.db.transaction().execute(async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        update exchange_download
        set parts = parts + 1, next_cursor = ${part.next_cursor}, completed_ms = ${part.completed_ms}
        where download_id = ${download_id} and parts = ${parts} and completed_ms is null`.execute(tx);
      if (numAffectedRows === 0n) return false;
      await sql`
        insert into exchange_download_part (download_id, part, content)
        values (${download_id}, ${parts}, ${part.content})`.execute(tx);
      return true;
    });
  }

  /** Part by part, so that a large file is never in memory. */
  async *contentOf({ download_id, parts }: Download): AsyncGenerator<string> {
    for (let part = 0; part < parts; part += 1) {
      const { rows } = await sql<{ content: string }>`
        select content from exchange_download_part
        where download_id = ${download_id} and part = ${part}`.execute(this.#database.db);
      // It ends in an error rather than as a file that looks complete.
      if (rows[0] === undefined) throw new Error("the file has expired while it was read");
      yield rows[0].content;
    }
  }

  /** Forgets one with its parts. */
  async remove(download_id: string): Promise<void> {
    await sql`delete from exchange_download where download_id = ${download_id}`.execute(this.#database.db);
  }

  /** Removes the contents of files, files that were not completed, and at last what is known of them. */
  async removeOld({ kept_ms, known_ms }: { readonly kept_ms: number; readonly known_ms: number }): Promise<number> {
    const { db } = this.#database;
    const { rows } = await sql<{ count: bigint }>`
      with expired as (
        update exchange_download set parts = 0
        where parts > 0 and completed_ms <= ${kept_ms} returning download_id),
      gone as (
        delete from exchange_download_part as part using expired
        where part.download_id = expired.download_id)
      select count(*) as count from expired`.execute(db);
    await sql`
      delete from exchange_download
      where requested_ms <= ${known_ms} or (completed_ms is null and requested_ms <= ${kept_ms})`.execute(db);
    return Number(rows[0]?.count ?? 0);
  }

  /** How long files took that were asked for since then; undefined if there was none. */
  async averageTime_ms(since_ms: number): Promise<number | undefined> {
    const { rows } = await sql<{ average: string | null }>`
      select round(avg(completed_ms - requested_ms)) as average from exchange_download
      where requested_ms > ${since_ms} and completed_ms is not null`.execute(this.#database.db);
    const average = rows[0]?.average ?? null;
    return average === null ? undefined : Number(average);
  }

  async #select(condition: ReturnType<typeof sql>, limit = 1_000): Promise<Download[]> {
    const { rows } = await sql<Download>`
      select * from exchange_download where ${condition}
      order by requested_ms, download_id limit ${limit}`.execute(this.#database.db);
    return rows.map((row) => plain(row) as Download);
  }
}
