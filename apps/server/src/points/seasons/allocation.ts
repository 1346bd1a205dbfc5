import { sql } from "kysely";
import { MerkleTree } from "../../kernel/merkle.ts";
import { readPacked } from "../packed-pages.ts";
import { type PointsDb, type PointsTx, SCOPES } from "../tables.ts";
import { LEAF_VERSION } from "./leaf.ts";
import type { Season } from "./season-store.ts";

/** What came of a season's pools; what nobody has a claim to stays where it is. */
export interface AllocatedTokens {
  readonly leaf_count: number;
  readonly user_tokens: bigint;
  readonly maker_tokens: bigint;
  readonly root: Buffer;
}

/**
 * Who has a claim to what: those who scored by points times the weight of their level (T10: by whole points), listed market
 * makers by what their resting orders traded. A wallet without a level is an error that the table refuses.
 */
const claims = ({ season_no, start_epoch, end_epoch }: Season) => sql`
  select w.address, w.points_micros, w.volume_micros, l.level, l.weight, w.points_micros::numeric * l.weight as claim
  from (
    select coalesce(s.address, m.address) as address, coalesce(s.points_micros, 0) as points_micros,
      coalesce(m.volume_micros, 0) as volume_micros
    from (
      select address, points_micros from points_total
      where scope = ${SCOPES.season}::smallint and period = ${season_no}::int
    ) as s
    full join (
      select v.address, sum(v.volume_micros)::bigint as volume_micros
      from points_maker_volume v join points_maker using (address)
      where v.epoch between ${start_epoch}::int and ${end_epoch}::int
      group by v.address having sum(v.volume_micros) > 0
    ) as m on m.address = s.address
  ) as w
  left join points_level l on w.points_micros / 1000000 >= l.points_min
    and (l.points_max is null or w.points_micros / 1000000 <= l.points_max)`;

/** PTS-5: each share rounded down, with what was cut off. Without any claim there is nothing to share. */
const shares = (season: Season) => sql`
  select c.*, sum(claim) over () as claims, sum(volume_micros) over () as volumes,
    coalesce(div(${season.user_pool_tokens}::numeric * claim, nullif(sum(claim) over (), 0)), 0) as user_part,
    coalesce(mod(${season.user_pool_tokens}::numeric * claim, nullif(sum(claim) over (), 0)), 0) as user_rest,
    coalesce(div(${season.mm_pool_tokens}::numeric * volume_micros, nullif(sum(volume_micros) over (), 0)), 0) as maker_part,
    coalesce(mod(${season.mm_pool_tokens}::numeric * volume_micros, nullif(sum(volume_micros) over (), 0)), 0) as maker_rest
  from (${claims(season)}) as c`;

/** The tokens left over go one each to the largest remainders, of equal ones to the lower address. */
const tokens = (season: Season) => sql`
  select address, points_micros, volume_micros, level, weight,
    (user_part + case when claims > 0 and row_number() over (order by user_rest desc, address)
      <= ${season.user_pool_tokens}::numeric - sum(user_part) over () then 1 else 0 end)::bigint as user_tokens,
    (maker_part + case when volumes > 0 and row_number() over (order by maker_rest desc, address)
      <= ${season.mm_pool_tokens}::numeric - sum(maker_part) over () then 1 else 0 end)::bigint as maker_tokens
  from (${shares(season)}) as s`;

const decimal6 = (column: string) =>
  sql.raw(`(${column} / 1000000)::text || '.' || lpad((${column} % 1000000)::text, 6, '0')`);

/** PTS-6: the leaf's text as `leafText` writes it, hashed behind a zero byte. */
const leafOf = ({ id }: Season) => sql`sha256('\\x00'::bytea || convert_to(concat_ws(E'\\n',
  ${LEAF_VERSION}::text, ${id}::text, address, ${decimal6("points_micros")}, level, weight, user_tokens,
  ${decimal6("volume_micros")}, maker_tokens), 'UTF8'))`;

/** PTS-5: splits a season's pools among its wallets and makes the tree of what each gets. */
export async function allocate(tx: PointsTx, season: Season): Promise<AllocatedTokens> {
  // For this transaction: a million wallets stay in memory as far as possible, and nothing is compiled for one run.
  await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(tx);
  await sql`
    insert into points_allocation (season_no, address, points_micros, level, weight, user_tokens, maker_volume_micros,
      maker_tokens, leaf)
    select ${season.season_no}::int, address, points_micros, level, weight, user_tokens, volume_micros, maker_tokens,
      ${leafOf(season)}
    from (${tokens(season)}) as t
    order by address`.execute(tx);
  const { rows } = await sql<{ user_tokens: bigint; maker_tokens: bigint }>`
    select coalesce(sum(user_tokens), 0)::bigint as user_tokens, coalesce(sum(maker_tokens), 0)::bigint as maker_tokens
    from points_allocation where season_no = ${season.season_no}::int`.execute(tx);
  const [sums] = rows;
  if (sums === undefined) throw new Error("a sum over a season's allocations gave no row");
  const { tree } = await readTree(tx, season);
  return { ...sums, leaf_count: tree.leafCount, root: tree.root };
}

export interface AllocationTree {
  readonly tree: MerkleTree;
  /** In the order of the leaves, which is their own. */
  readonly addresses: Buffer;
}

/** The tree over a season's allocations in the order of addresses. */
export async function readTree(
  db: PointsDb | PointsTx,
  { season_no, id }: Pick<Season, "season_no" | "id">,
): Promise<AllocationTree> {
  const leaves: Buffer[] = [];
  const addresses: Buffer[] = [];
  const pages = readPacked(db, (after, limit) => ({
    rows: sql`
      select address, leaf from points_allocation
      where season_no = ${season_no}::int and address > ${after} order by address limit ${limit}::int`,
    columns: [sql`leaf`],
  }));
  for await (const page of pages) {
    addresses.push(page.addresses);
    leaves.push(...page.columns);
  }
  return { tree: await MerkleTree.build(id, Buffer.concat(leaves)), addresses: Buffer.concat(addresses) };
}
