import type { RebateProof, SettlementRoot } from "@bourse/api";
import { sql } from "kysely";
import { MerkleTree } from "../../kernel/merkle.ts";
import { refusals } from "../refusals.ts";
import type { BrokerDb } from "../tables.ts";
import { leafFields, leafText } from "./leaf.ts";
import { findRecord, type Viewer } from "./record-access.ts";
import { rootText } from "./settlement-service.ts";

/** A tree of 100,000 records takes about 7 MB. */
const MAX_TREES = 4;
const MAX_TRIES = 3;

interface PeriodLeaves {
  readonly status: "provisional" | "closed";
  readonly revision: number;
  readonly root: Buffer;
  readonly leaves: Buffer;
}

/** BRK-17: the roots of settled days and the proofs of their records. */
export class SettlementRoots {
  readonly #db: BrokerDb;
  /** By period and revision, the most recently used last. */
  readonly #trees = new Map<string, MerkleTree>();

  constructor(db: BrokerDb) {
    this.#db = db;
  }

  async root(period: string): Promise<SettlementRoot> {
    const day = await this.#db
      .selectFrom("rebate_period")
      .select(["status", "revision", "root", "leaf_count", "calculated_at"])
      .where("period", "=", period)
      .executeTakeFirst();
    if (day === undefined) throw refusals.notFound("settlement");
    const roots = this.#db.selectFrom("rebate_root").selectAll().where("period", "=", period).orderBy("revision");
    const history = (await roots.execute()).map(({ revision, root, leaf_count, created_at }) => ({
      revision,
      root: rootText(root),
      leaf_count,
      created_at: created_at.toISOString(),
    }));
    const { status, revision, root, leaf_count, calculated_at } = day;
    const times = { calculated_at: calculated_at.toISOString() };
    return { period, status, revision, root: rootText(root), leaf_count, ...times, history };
  }

  /** A concurrent settlement may change record and tree: then the proof is made again. */
  async proof(id: string, viewer: Viewer): Promise<RebateProof> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const record = await findRecord(this.#db, id, viewer);
      const { tree, status, revision, root } = await this.#treeOf(record.period);
      const index = tree.indexOf(record.leaf);
      if (index === -1) continue;
      const fields = leafFields(record);
      const siblings = tree.prove(index).map(({ position, hash }) => ({ position, hash: rootText(hash) }));
      return {
        record_id: record.id,
        period: record.period,
        status,
        record: fields,
        leaf_text: leafText(fields),
        leaf: rootText(record.leaf),
        index,
        siblings,
        root: rootText(root),
        revision,
      };
    }
    throw refusals.projectorBehind();
  }

  async #treeOf(period: string): Promise<Omit<PeriodLeaves, "leaves"> & { tree: MerkleTree }> {
    const day = this.#db.selectFrom("rebate_period").select(["status", "revision", "root"]);
    const known = await day.where("period", "=", period).executeTakeFirstOrThrow();
    const kept = this.#trees.get(keyOf(period, known.revision));
    if (kept !== undefined) {
      this.#remember(keyOf(period, known.revision), kept);
      return { ...known, tree: kept };
    }
    const { leaves, ...read } = await readLeaves(this.#db, period);
    const tree = await MerkleTree.build(period, leaves);
    this.#remember(keyOf(period, read.revision), tree);
    return { ...read, tree };
  }

  #remember(key: string, tree: MerkleTree): void {
    this.#trees.delete(key);
    this.#trees.set(key, tree);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > MAX_TREES && oldest !== undefined) this.#trees.delete(oldest);
  }
}

const keyOf = (period: string, revision: number) => `${period} ${revision}`;

/** Revision and leaves, read by one statement so that they match. */
async function readLeaves(db: BrokerDb, period: string): Promise<PeriodLeaves> {
  const { rows } = await sql<PeriodLeaves>`
    select status, revision, root,
      (select coalesce(string_agg(leaf, ''::bytea order by id), ''::bytea)
        from rebate_record where rebate_record.period = day.period) as leaves
    from rebate_period day where period = ${period}::date`.execute(db);
  const [day] = rows;
  if (day === undefined) throw refusals.notFound("settlement");
  return day;
}
