import type { SeasonAllocation } from "@bourse/api";
import { decimalText } from "../../kernel/units.ts";
import { indexOfAddress } from "../packed-pages.ts";
import { refusals } from "../refusals.ts";
import type { PointsDb } from "../tables.ts";
import { type AllocationTree, readTree } from "./allocation.ts";
import { leafText } from "./leaf.ts";
import { findSeason, type Season } from "./season-store.ts";
import { hashText } from "./views.ts";

/** A tree of a million wallets takes about 85 MB. */
const MAX_TREES = 3;

const fixed6 = (micros: bigint) => decimalText(micros, 6, 6);

/** PTS-6: a wallet's allocation of a season, with the proof against the season's root. */
export class AllocationProofs {
  readonly #db: PointsDb;
  /** By season, the most recently used last. Allocations and their trees never change. */
  readonly #trees = new Map<number, Promise<AllocationTree>>();

  constructor(db: PointsDb) {
    this.#db = db;
  }

  async proof(id: string, address: string): Promise<SeasonAllocation> {
    const season = await findSeason(this.#db, id);
    if (season === undefined) throw refusals.seasonNotFound();
    const { season_no, status, root } = season;
    if (root === null) throw refusals.seasonNotSnapshotted(status);
    const row = await this.#db
      .selectFrom("points_allocation")
      .selectAll()
      .where("season_no", "=", season_no)
      .where("address", "=", address)
      .executeTakeFirst();
    if (row === undefined) throw refusals.allocationNotFound();
    const { tree, addresses } = await this.#treeOf(season);
    const index = indexOfAddress(addresses, address);
    const allocation = {
      season_id: id,
      season_no,
      status,
      address,
      points: fixed6(row.points_micros),
      level: row.level,
      weight: row.weight,
      user_tokens: Number(row.user_tokens),
      maker_volume: fixed6(row.maker_volume_micros),
      mm_tokens: Number(row.maker_tokens),
      tokens: Number(row.user_tokens + row.maker_tokens),
    };
    const siblings = tree.prove(index).map(({ position, hash }) => ({ position, hash: hashText(hash) }));
    const leaf = { leaf_text: leafText(allocation), leaf: hashText(row.leaf) };
    return { ...allocation, ...leaf, index, siblings, root: hashText(root) };
  }

  /** Concurrent callers share one read. */
  async #treeOf(season: Season): Promise<AllocationTree> {
    const { season_no } = season;
    const tree = this.#trees.get(season_no) ?? readTree(this.#db, season);
    this.#trees.delete(season_no);
    this.#trees.set(season_no, tree);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > MAX_TREES && oldest !== undefined) this.#trees.delete(oldest);
    try {
      return await tree;
    } catch (error) {
      if (this.#trees.get(season_no) === tree) this.#trees.delete(season_no);
      throw error;
    }
  }
}
