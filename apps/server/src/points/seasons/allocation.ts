import { type RawBuilder, sql } from "kysely";
import { MerkleTree } from "../../kernel/merkle.ts";
import { joined, readPacked } from "../packed-pages.ts";
import { type PointsDb, type PointsTx, SCOPES } from "../tables.ts";
import { LEAF_VERSION } from "./leaf.ts";
import type { Season } from "./season-store.ts";

/** The allocated tokens of a season's pools; a pool without claims is not distributed. */
export interface AllocatedTokens {
  readonly leaf_count: number;
  readonly user_tokens: bigint;
  readonly maker_tokens: bigint;
  readonly root: Buffer;
}

/** Without claims the division gives nothing. */
const share = (pool: bigint, claim: string, claims: bigint) => {
  const product = sql`${pool}::numeric * ${sql.raw(claim)}`;
  const divisor = sql`nullif(${claims}::numeric, 0)`;
  return {
    part: sql`coalesce(div(${product}, ${divisor}), 0)::bigint`,
    rest: sql`coalesce(mod(${product}, ${divisor}), 0)`,
  };
};

/**
 * The claims: points times the weight of the level (T10: of whole points) for wallets that scored, volume of resting orders for
 * market makers. The table refuses a wallet without a level.
 */
async function gatherClaims(tx: PointsTx, { season_no, start_epoch, end_epoch }: Season): Promise<void> {
  await sql`
    create temporary table points_claim on commit drop as
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
        where is_in_force and v.epoch between ${start_epoch}::int and ${end_epoch}::int
        group by v.address having sum(v.volume_micros) > 0
      ) as m on m.address = s.address
    ) as w
    left join points_level l on w.points_micros / 1000000 >= l.points_min
      and (l.points_max is null or w.points_micros / 1000000 <= l.points_max)`.execute(tx);
}

/** PTS-5: each share rounded down, with its remainder. */
async function roundDown(tx: PointsTx, { user_pool_tokens, mm_pool_tokens }: Season): Promise<void> {
  const { rows } = await sql<{ claims: string; volumes: string }>`
    select coalesce(sum(claim), 0) as claims, coalesce(sum(volume_micros), 0) as volumes from points_claim`.execute(tx);
  const { claims = "0", volumes = "0" } = rows[0] ?? {};
  const user = share(user_pool_tokens, "claim", BigInt(claims));
  const maker = share(mm_pool_tokens, "volume_micros", BigInt(volumes));
  await sql`
    create temporary table points_share on commit drop as
    select address, points_micros, volume_micros, level, weight, ${user.part} as user_part, ${user.rest} as user_rest,
      ${maker.part} as maker_part, ${maker.rest} as maker_rest
    from points_claim`.execute(tx);
}

/**
 * PTS-5: the remaining tokens go one each to the largest remainders, among equal ones to the lower address. Returns a condition on
 * rows: whether the row is not after the last one that gets a token.
 */
async function leftOver(tx: PointsTx, kind: "user" | "maker", pool: bigint): Promise<RawBuilder<boolean>> {
  const [part, rest] = [sql.ref(`${kind}_part`), sql.ref(`${kind}_rest`)];
  const { rows: sums } = await sql<{ parts: string; rests: string }>`
    select coalesce(sum(${part}), 0) as parts, coalesce(sum(${rest}), 0) as rests from points_share`.execute(tx);
  const { parts = "0", rests = "0" } = sums[0] ?? {};
  // No remainders: the whole pool is shared, or there are no claims.
  if (BigInt(rests) === 0n) return sql<boolean>`false`;
  const { rows } = await sql<{ rest: string; address: string }>`
    select ${rest} as rest, address from points_share
    order by ${rest} desc, address offset ${pool - BigInt(parts) - 1n}::bigint limit 1`.execute(tx);
  const [last] = rows;
  if (last === undefined) throw new Error("more tokens are left over than there are wallets");
  return sql<boolean>`(${rest} > ${last.rest}::numeric or (${rest} = ${last.rest}::numeric and address <= ${last.address}))`;
}

const decimal6 = (column: string) =>
  sql.raw(`(${column} / 1000000)::text || '.' || lpad((${column} % 1000000)::text, 6, '0')`);

/** PTS-6: the leaf's text as `leafText` writes it, hashed after a zero byte. */
const leafOf = ({ id }: Season) => sql`sha256('\\x00'::bytea || convert_to(concat_ws(E'\\n',
  ${LEAF_VERSION}::text, ${id}::text, address, ${decimal6("points_micros")}, level, weight, user_tokens,
  ${decimal6("volume_micros")}, maker_tokens), 'UTF8'))`;

const HEX_DIGITS = [..."0123456789abcdef"];

/** In portions: one statement over a million wallets could exceed the time limit of statements. */
async function writeAllocations(tx: PointsTx, season: Season): Promise<void> {
  const userGetsOne = await leftOver(tx, "user", season.user_pool_tokens);
  const makerGetsOne = await leftOver(tx, "maker", season.mm_pool_tokens);
  for (const digit of HEX_DIGITS) {
    await sql`
      insert into points_allocation (season_no, address, points_micros, level, weight, user_tokens, maker_volume_micros,
        maker_tokens, leaf)
      select ${season.season_no}::int, address, points_micros, level, weight, user_tokens, volume_micros, maker_tokens,
        ${leafOf(season)}
      from (
        select *, user_part + ${userGetsOne}::int as user_tokens, maker_part + ${makerGetsOne}::int as maker_tokens
        from points_share where substr(address, 3, 1) = ${digit}
      ) as given
      order by address`.execute(tx);
  }
}

/** PTS-5: splits a season's pools among its wallets and builds the tree of allocations. */
export async function allocate(tx: PointsTx, season: Season): Promise<AllocatedTokens> {
  // For this transaction: keep as much as possible in memory, and do not compile statements that run once.
  await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(tx);
  await gatherClaims(tx, season);
  await roundDown(tx, season);
  await writeAllocations(tx, season);
  await sql`drop table points_claim, points_share`.execute(tx);
  const { rows } = await sql<{ user_tokens: bigint; maker_tokens: bigint }>`
    select coalesce(sum(user_tokens), 0)::bigint as user_tokens, coalesce(sum(maker_tokens), 0)::bigint as maker_tokens
    from points_allocation where season_no = ${season.season_no}::int`.execute(tx);
  const [sums] = rows;
  if (sums === undefined) throw new Error("a sum over a season's allocations gave no row");
  assertShared(season, sums);
  const { tree } = await readTree(tx, season);
  return { ...sums, leaf_count: tree.leafCount, root: tree.root };
}

/** Checks that the totals used for the allocation are still current. The caller prevents scoring meanwhile. */
export async function assertStillSame(tx: PointsTx, { season_no }: Season): Promise<void> {
  const { rows } = await sql<{ isSame: boolean }>`
    select (select (count(*), coalesce(sum(points_micros), 0)) from points_total
        where scope = ${SCOPES.season}::smallint and period = ${season_no}::int)
      = (select (count(*), coalesce(sum(points_micros), 0)) from points_allocation
        where season_no = ${season_no}::int and points_micros > 0) as "isSame"`.execute(tx);
  if (rows[0]?.isSame !== true) throw new Error(`season ${season_no}: points were scored while its tokens were split`);
}

/** A pool must be distributed completely or not at all: anything else is an error that must not be published. */
function assertShared(
  season: Season,
  { user_tokens, maker_tokens }: Pick<AllocatedTokens, "user_tokens" | "maker_tokens">,
) {
  for (const [pool, given] of [
    [season.user_pool_tokens, user_tokens],
    [season.mm_pool_tokens, maker_tokens],
  ] as const) {
    if (given !== 0n && given !== pool)
      throw new Error(`season ${season.season_no}: ${given} of ${pool} tokens were shared`);
  }
}

export interface AllocationTree {
  readonly tree: MerkleTree;
  /** In the order of the leaves. */
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
      where (season_no, address) > (${season_no}::int, ${after}) and season_no <= ${season_no}::int
      order by season_no, address limit ${limit}::int`,
    columns: [sql`leaf`],
  }));
  for await (const page of pages) {
    addresses.push(page.addresses);
    leaves.push(...page.columns);
  }
  return { tree: await MerkleTree.build(id, await joined(leaves)), addresses: await joined(addresses) };
}
