import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ChainEvent } from "../apps/server/src/chain/indexer/listener.ts";
import { createEarnListener } from "../apps/server/src/earn/listener.ts";
import { earnMigrations } from "../apps/server/src/earn/migrations.ts";
import { createVoucherSigner } from "../apps/server/src/earn/voucher-signer.ts";
import { systemClock } from "../apps/server/src/kernel/clock.ts";
import type { Database } from "../apps/server/src/kernel/database/database.ts";
import { openEmbedded } from "../apps/server/src/kernel/database/embedded/open.ts";
import { kernelMigrations } from "../apps/server/src/kernel/database/kernel-migrations.ts";
import { runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { subscribeTypedData } from "../contracts/src/index.ts";
import { atLeast, median, perSecond, type Row } from "./support/table.ts";

const KEY = `0x${"4c".repeat(32)}` as const;
const EARN = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512";
const WARM_UP_ROUNDS = 2;
const ROUNDS = 7;
const VOUCHERS = 1_000;
const EVENTS = 100_000;
/** The size of a range that the indexer delivers on a busy chain. */
const EVENTS_PER_RANGE = 5_000;
const DATABASE_ROUNDS = 3;

/** Vouchers against the signing of a common library, and the indexing of subscriptions against bare inserts. */
export async function benchEarn(): Promise<readonly Row[]> {
  return [await compareSigning(), await compareIndexing()];
}

const voucherOf = (place: number) => ({
  user: toHex(place + 1, { size: 20 }),
  productId: BigInt(place % 50),
  amount: BigInt(place) * 1_000_000n + 1n,
  deadline: BigInt(1_780_000_000 + place),
});

async function compareSigning(): Promise<Row> {
  const signer = createVoucherSigner({ chainId: 43_113, earn: EARN, key: KEY });
  const account = privateKeyToAccount(KEY);
  const vouchers = Array.from({ length: VOUCHERS }, (_, place) => voucherOf(place));
  const rates: number[] = [];
  const theirRates: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const begun_ms = performance.now();
    const ours = vouchers.map((voucher) => signer.sign(voucher).signature);
    const between_ms = performance.now();
    const theirs: string[] = [];
    for (const voucher of vouchers)
      theirs.push(await account.signTypedData(subscribeTypedData(signer.domain, voucher)));
    const ended_ms = performance.now();
    assert.deepEqual(ours, theirs, "both sign the same");
    if (round < 0) continue;
    rates.push((VOUCHERS * 1_000) / (between_ms - begun_ms));
    theirRates.push((VOUCHERS * 1_000) / (ended_ms - between_ms));
  }
  return {
    name: "earn voucher, hashed and signed",
    figure: perSecond(median(rates)),
    baseline: `${perSecond(median(theirRates))} signTypedData of viem`,
    ratio: median(rates.map((rate, round) => rate / theirRates[round]!)),
    aim: atLeast(2),
  };
}

/** One subscription per wallet to a few products, in the order of the chain. */
function makeEvents(): ChainEvent[] {
  const terms = {
    annualRateBps: 1_200,
    durationSeconds: 2_592_000,
    totalQuota: 10n ** 24n,
    minAmount: 1n,
    maxAmountPerUser: 10n ** 24n,
    subscribeStart: 1_780_000_000,
    subscribeEnd: 1_790_000_000,
  };
  const placed = (place: number) => ({
    contract: "earn" as const,
    blockNumber: place,
    blockHash: toHex(place, { size: 32 }),
    blockTime_ms: 1_780_000_000_000 + place,
    transactionHash: toHex(place, { size: 32 }),
    logIndex: 0,
    ordinal: 0,
  });
  const products = Array.from({ length: 10 }, (_, place): ChainEvent => {
    return { ...placed(place), name: "ProductCreated", args: { productId: BigInt(place), terms } };
  });
  const subscriptions = Array.from({ length: EVENTS }, (_, place): ChainEvent => {
    const user = toHex(place + 1, { size: 20 });
    const productId = BigInt(place % 10);
    const digest = toHex(place + 1, { size: 32 });
    const args = { user, productId, amount: 1_000_000n + BigInt(place), tokenId: BigInt(place + 1), digest };
    return { ...placed(place + 10), name: "Subscribed", args };
  });
  return [...products, ...subscriptions];
}

async function withDatabase<T>(action: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-"));
  const database = await openEmbedded({ folder: join(folder, "database") });
  try {
    await runMigrations(database.db, { ...kernelMigrations, ...earnMigrations });
    return await action(database);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareIndexing(): Promise<Row> {
  const events = makeEvents();
  const listener = createEarnListener({ clock: systemClock });
  const rates: number[] = [];
  const bareRates: number[] = [];
  for (let round = 0; round < DATABASE_ROUNDS; round += 1) {
    await withDatabase(async ({ db }) => {
      const begun_ms = performance.now();
      for (let at = 0; at < events.length; at += EVENTS_PER_RANGE) {
        await db.transaction().execute((tx) => listener.apply(tx, events.slice(at, at + EVENTS_PER_RANGE)));
      }
      const took_ms = performance.now() - begun_ms;
      const { rows } = await sql<{ count: bigint }>`select count(*) as count from earn_subscription`.execute(db);
      assert.equal(rows[0]!.count, BigInt(EVENTS));
      rates.push((EVENTS * 1_000) / took_ms);
      bareRates.push(await bareRate(db));
    });
  }
  return {
    name: "earn events indexed",
    figure: perSecond(median(rates)),
    baseline: `${perSecond(median(bareRates))} bare inserts of the same rows`,
    ratio: median(rates.map((rate, round) => rate / bareRates[round]!)),
    aim: atLeast(0.5),
  };
}

/** The same rows into an empty table with the same indexes, in statements of the same size. */
async function bareRate(db: Database["db"]): Promise<number> {
  await sql`create table bare (like earn_subscription including all)`.execute(db);
  const { rows } = await sql<Record<string, unknown>>`
    select * from earn_subscription order by nft_token_id`.execute(db);
  const types: Readonly<Record<string, string>> = {
    id: "uuid",
    chain_product_id: "bigint",
    user_address: "text",
    principal: "numeric",
    interest: "numeric",
    nft_token_id: "numeric",
    nft_status: "text",
    subscribe_tx_hash: "text",
    subscribed_ms: "bigint",
  };
  const names = sql.join(Object.keys(types).map((name) => sql.ref(name)));
  const begun_ms = performance.now();
  for (let at = 0; at < rows.length; at += EVENTS_PER_RANGE) {
    const chunk = rows.slice(at, at + EVENTS_PER_RANGE);
    const columns = Object.entries(types).map(([name, type]) => {
      return sql`${chunk.map((row) => row[name])}::${sql.raw(type)}[]`;
    });
    await db.transaction().execute(async (tx) => {
      await sql`insert into bare (${names}) select * from unnest(${sql.join(columns)})`.execute(tx);
    });
  }
  return (rows.length * 1_000) / (performance.now() - begun_ms);
}
