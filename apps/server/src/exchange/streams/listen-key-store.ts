import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { ListenKeyStore } from "./listen-keys.ts";
import { streamsDb } from "./tables.ts";

export function createListenKeyStore(database: Pick<Database, "db">): ListenKeyStore {
  const db = streamsDb(database);
  return {
    async load(now_ms) {
      await db.deleteFrom("listen_key").where("expires_at", "<=", new Date(now_ms)).execute();
      const rows = await db.selectFrom("listen_key").selectAll().orderBy("expires_at").execute();
      return rows.map(({ address, nonce, expires_at }) => ({ address, nonce, expires_ms: expires_at.getTime() }));
    },

    async find(address) {
      const row = await db.selectFrom("listen_key").selectAll().where("address", "=", address).executeTakeFirst();
      return row && { address, nonce: row.nonce, expires_ms: row.expires_at.getTime() };
    },

    async put({ address, nonce, expires_ms }, now_ms) {
      const expires_at = new Date(expires_ms);
      const liveNonce = sql<string>`case when listen_key.expires_at > ${new Date(now_ms)} then listen_key.nonce else ${nonce} end`;
      const stored = await db
        .insertInto("listen_key")
        .values({ address, nonce, expires_at })
        .onConflict((conflict) => conflict.column("address").doUpdateSet({ nonce: liveNonce, expires_at }))
        .returning("nonce")
        .executeTakeFirstOrThrow();
      return { address, nonce: stored.nonce, expires_ms };
    },

    async remove({ address, nonce }) {
      await db.deleteFrom("listen_key").where("address", "=", address).where("nonce", "=", nonce).execute();
    },
  };
}
