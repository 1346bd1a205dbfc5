import assert from "node:assert/strict";
import { sql } from "kysely";
import { SYSTEM } from "../apps/server/src/bonus/callers.ts";
import { createEngineRoom } from "../apps/server/src/bonus/grants/testing/engine-room.ts";
import { migrations } from "../apps/server/src/compose/migrations.ts";
import type { Database, Db } from "../apps/server/src/kernel/database/database.ts";
import { runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { openPostgresql } from "../apps/server/src/kernel/database/postgresql.ts";
import { createPostgresqlDatabase } from "../apps/server/src/kernel/database/testing.ts";
import { Discounts } from "../apps/server/src/referral/discounts.ts";
import { referralTx } from "../apps/server/src/referral/tables.ts";
import { createBareTables, insertBareCodes, insertBareGrants } from "./support/bonus-bare.ts";
import { atMost, figureAtMost, median, type Row } from "./support/table.ts";

const WARM_UP_ROUNDS = 3;
const ROUNDS = 15;
const RECIPIENTS = 500;
const CODES = 5_000;
const GRANT_AIM_ms = 100;
const OPERATOR = `0x${"52".repeat(20)}`;

const ms = (value: number) => `${value.toFixed(1)} ms`;

/**
 * The largest grant and the largest number of codes of one call, against bare statements that write the same rows. On a
 * PostgreSQL server (TEST_DATABASE_URL), in a database that is dropped afterwards.
 */
export async function benchBonus(): Promise<readonly Row[]> {
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  try {
    const database = await openPostgresql(databaseUrl);
    try {
      return await measure(database);
    } finally {
      await database.close();
    }
  } finally {
    await drop();
  }
}

/** Grants, with everything that the platform does for every account that it opens. */
function createRoom(database: Database, onDecided: () => void) {
  const room = createEngineRoom(database, { bonusPoolCap: "100000000", onDecided });
  const discounts = new Discounts(room);
  room.directory.atOpening((tx, opened) => discounts.tellOpened(referralTx(tx), opened));
  return room;
}

const walletsOf = (round: number): string[] =>
  Array.from({ length: RECIPIENTS }, (_, at) => `0x${(round * RECIPIENTS + at + 1).toString(16).padStart(40, "0")}`);

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun_ms = performance.now();
  await action();
  return performance.now() - begun_ms;
}

async function countOf(db: Db, table: string): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`select count(*) from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0n;
}

async function measure(database: Database): Promise<readonly Row[]> {
  const { db } = database;
  await runMigrations(db, migrations);
  let decided_ms = 0;
  const room = createRoom(database, () => {
    decided_ms = performance.now();
  });
  await room.grants.campaigns.seed();
  await createBareTables(db);
  room.dispatcher.start();
  const taken = { decided: [] as number[], answered: [] as number[], bare: [] as number[] };
  const codes = { ours: [] as number[], bare: [] as number[] };
  for (let round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const bareGrant_ms = await timed(() => insertBareGrants(db, round, RECIPIENTS));
    const begun_ms = performance.now();
    const batch = await grant(room, round);
    const answered_ms = performance.now() - begun_ms;
    await room.dispatcher.idle();
    const bareCodes_ms = await timed(() => insertBareCodes(db, round, CODES));
    const codes_ms = await timed(() => generate(room, batch, round));
    if (round <= WARM_UP_ROUNDS) continue;
    taken.bare.push(bareGrant_ms);
    taken.decided.push(decided_ms - begun_ms);
    taken.answered.push(answered_ms);
    codes.bare.push(bareCodes_ms);
    codes.ours.push(codes_ms);
  }
  await room.dispatcher.stop();
  for (const table of ["bonus_account", "bonus_pool_line", "bonus_code", "exchange_account", "outbox"]) {
    assert.equal(await countOf(db, table), await countOf(db, `bare_${table}`), `both have written as many ${table}`);
  }
  return rowsOf(taken, codes);
}

async function grant({ grants }: ReturnType<typeof createRoom>, round: number): Promise<string> {
  const request = {
    batch_name: "bench",
    grant_tier: "COMMUNITY",
    per_address_amount: "10",
    max_leverage: 10,
    recipients: walletsOf(round),
    operator_addr: OPERATOR,
    request_id: `grant-${round}`,
  };
  const { created, grant_batch_id } = await grants.batches.grant(request, SYSTEM);
  assert.equal(created, RECIPIENTS);
  return grant_batch_id;
}

async function generate(
  { grants }: ReturnType<typeof createRoom>,
  grant_batch_id: string,
  round: number,
): Promise<void> {
  const request = { grant_batch_id, amount: "0.000001", count: CODES, ttl_days: 30, operator_addr: OPERATOR };
  const { codes } = await grants.codes.generate({ ...request, request_id: `codes-${round}` }, SYSTEM);
  assert.equal(codes.length, CODES);
}

const ratioOf = (ours: readonly number[], theirs: readonly number[]) =>
  median(ours.map((value_ms, round) => value_ms / (theirs[round] ?? value_ms)));

function rowsOf(
  taken: Readonly<Record<"decided" | "answered" | "bare", readonly number[]>>,
  codes: Readonly<Record<"ours" | "bare", readonly number[]>>,
): readonly Row[] {
  const baseline = `${ms(median(taken.bare))} bare statements`;
  return [
    {
      name: `grant to ${RECIPIENTS} new wallets, decided`,
      figure: ms(median(taken.decided)),
      baseline,
      ratio: ratioOf(taken.decided, taken.bare),
      aim: figureAtMost(GRANT_AIM_ms, median(taken.decided), "ms"),
    },
    {
      name: "the same, in the engine (log in memory)",
      figure: ms(median(taken.answered)),
      baseline,
      ratio: ratioOf(taken.answered, taken.bare),
      aim: null,
    },
    {
      name: `${CODES.toLocaleString("en-US")} codes`,
      figure: ms(median(codes.ours)),
      baseline: `${ms(median(codes.bare))} one bare INSERT … SELECT`,
      ratio: ratioOf(codes.ours, codes.bare),
      aim: atMost(2),
    },
  ];
}
