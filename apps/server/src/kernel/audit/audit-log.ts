import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../database/database.ts";
import { lockInTransaction } from "../database/locks.ts";
import type { AuditLogRow, JsonValue } from "../database/tables.ts";
import { canonicalJson, storableText } from "./canonical-json.ts";

export type { AuditLogRow };

export interface AuditEntry {
  /** The actor: a wallet, an administrator, "system". */
  readonly actor: string;
  readonly role: string;
  readonly ip?: string | null | undefined;
  /** The action, such as "api-key.revoke". */
  readonly action: string;
  readonly target?: string | null | undefined;
  /** The state before and after: JSON values with integers only; amounts are strings. */
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  readonly reason?: string | null | undefined;
  readonly request_id?: string | null | undefined;
}

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
}

export interface AuditQuery extends AuditFilter {
  readonly limit: number;
  readonly before_seq?: bigint | undefined;
}

export interface AuditVerdict {
  readonly ok: boolean;
  readonly checked: number;
  /** The first invalid entry, and what is wrong with it. */
  readonly firstBad?: bigint;
  readonly problem?: string;
  /**
   * The last entry seen. Removing entries at the end leaves a valid chain; to detect that, store this value elsewhere and compare.
   */
  readonly head?: { readonly seq: bigint; readonly hash: string };
}

export interface AuditLog {
  /** Adds an entry in the transaction of its change. Other appends wait until the transaction ends, so append last. */
  append(tx: Tx, entry: AuditEntry): Promise<{ seq: bigint; hash: string }>;
  /** Newest first. */
  list(db: Db, query: AuditQuery): Promise<AuditLogRow[]>;
  count(db: Db, filter: AuditFilter): Promise<number>;
  /** Recomputes the chain from the first entry, or from the given one (then the entry before it is trusted). */
  verify(db: Db, range?: { readonly from_seq?: bigint }): Promise<AuditVerdict>;
}

interface Link {
  readonly seq: bigint;
  readonly hash: string;
}

const GENESIS: Link = { seq: 0n, hash: "0".repeat(64) };
const PAGE_SIZE = 500;

type HashedFields = Omit<AuditLogRow, "hash">;

/** SHA-256 of the canonical JSON of every other column, including the hash of the previous entry. */
function hashOf(row: HashedFields): string {
  const { seq, at, actor, role, ip, action, target, before, after, reason, request_id, prev_hash } = row;
  const fields = { actor, role, ip, action, target, before, after, reason, request_id, prev_hash };
  const text = canonicalJson({ ...fields, seq: String(seq), at: at.toISOString() });
  return createHash("sha256").update(text).digest("hex");
}

function problemOf(row: AuditLogRow, previous: Link): string | undefined {
  if (row.seq !== previous.seq + 1n) return `entry ${previous.seq + 1n} is missing before it`;
  if (row.prev_hash !== previous.hash) return "it does not follow from the entry before it";
  try {
    return row.hash === hashOf(row) ? undefined : "its content does not match its hash";
  } catch (error) {
    if (error instanceof TypeError) return `its content cannot have been written here: ${error.message}`;
    throw error;
  }
}

const storable = (text: string | null | undefined) => (typeof text === "string" ? storableText(text) : null);
const asJsonText = (value: JsonValue) => (value === null ? null : canonicalJson(value));

function entriesOf(db: Db, { actor, action }: AuditFilter) {
  let query = db.selectFrom("audit_log");
  if (actor !== undefined) query = query.where("actor", "=", actor);
  if (action !== undefined) query = query.where("action", "=", action);
  return query;
}

async function lastLink(db: Db): Promise<Link> {
  const query = db.selectFrom("audit_log").select(["seq", "hash"]).orderBy("seq", "desc").limit(1);
  return (await query.executeTakeFirst()) ?? GENESIS;
}

async function linkBefore(db: Db, seq: bigint): Promise<Link | undefined> {
  if (seq <= 1n) return GENESIS;
  return await db
    .selectFrom("audit_log")
    .select(["seq", "hash"])
    .where("seq", "=", seq - 1n)
    .executeTakeFirst();
}

/** The audit log. Each entry contains the hash of the previous one, so that a change anywhere is detected. */
export function createAuditLog({ clock }: { readonly clock: Clock }): AuditLog {
  return {
    async append(tx, entry) {
      // Serialised, so that two entries never follow the same one.
      await lockInTransaction(tx, "audit-log");
      const previous = await lastLink(tx);
      const fields: HashedFields = {
        seq: previous.seq + 1n,
        at: new Date(clock.now()),
        actor: storableText(entry.actor),
        role: storableText(entry.role),
        ip: storable(entry.ip),
        action: storableText(entry.action),
        target: storable(entry.target),
        before: entry.before ?? null,
        after: entry.after ?? null,
        reason: storable(entry.reason),
        request_id: storable(entry.request_id),
        prev_hash: previous.hash,
      };
      const hash = hashOf(fields);
      const { before, after } = fields;
      const row = { ...fields, before: asJsonText(before), after: asJsonText(after), hash };
      await tx.insertInto("audit_log").values(row).execute();
      return { seq: fields.seq, hash };
    },

    async list(db, { limit, before_seq, actor, action }) {
      let query = entriesOf(db, { actor, action }).selectAll().orderBy("seq", "desc").limit(limit);
      if (before_seq !== undefined) query = query.where("seq", "<", before_seq);
      return await query.execute();
    },

    async count(db, filter) {
      const query = entriesOf(db, filter).select(({ fn }) => fn.countAll<bigint>().as("count"));
      return Number((await query.executeTakeFirstOrThrow()).count);
    },

    async verify(db, { from_seq = 1n } = {}) {
      const start = await linkBefore(db, from_seq);
      if (start === undefined) {
        return { ok: false, checked: 0, firstBad: from_seq - 1n, problem: "it is missing" };
      }
      let previous = start;
      for (let checked = 0; ; ) {
        const page = await db
          .selectFrom("audit_log")
          .selectAll()
          .where("seq", ">", previous.seq)
          .orderBy("seq")
          .limit(PAGE_SIZE)
          .execute();
        for (const row of page) {
          const problem = problemOf(row, previous);
          if (problem !== undefined) return { ok: false, checked, firstBad: row.seq, problem };
          previous = { seq: row.seq, hash: row.hash };
          checked += 1;
        }
        if (page.length < PAGE_SIZE) return { ok: true, checked, head: previous };
      }
    },
  };
}
