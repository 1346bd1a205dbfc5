import { sql } from "kysely";
import type { Database } from "../kernel/database/database.ts";

/** Wallets (lower case) that signed in from the same IP. */
export interface SharedIp {
  readonly ip: string;
  readonly wallets: readonly string[];
}

/** IPs from which several of these wallets signed in, as far as their sessions are stored. */
export async function sharedIps({ db }: Pick<Database, "db">, wallets: readonly string[]): Promise<SharedIp[]> {
  const { rows } = await sql<SharedIp>`
    select ip, array_agg(distinct subject order by subject) as wallets
    from session where subject = any(${wallets}::text[]) and role = 'wallet' and ip is not null
    group by ip having count(distinct subject) > 1 order by ip`.execute(db);
  return rows;
}
