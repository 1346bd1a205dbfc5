import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { GrantBatchRequest } from "@bourse/api";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { SYSTEM } from "../callers.ts";
import { createEngineRoom } from "./testing/engine-room.ts";
import { OPERATOR, strangeWallet } from "./testing/grants-platform.ts";

async function unlessNotReady<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string }).code !== "not_ready") throw error;
    return undefined;
  }
}

describe("grants while the engine is away", () => {
  let database: Database;
  let room: ReturnType<typeof createEngineRoom>;
  let wallets = 0;

  before(async () => {
    database = await openTestDatabase(migrations);
    room = createEngineRoom(database, { wait_ms: 50 });
    await room.grants.campaigns.seed();
  });
  afterEach(() => room.dispatcher.stop());
  after(() => database.close());

  const request = (request_id: string, count = 1): GrantBatchRequest => ({
    batch_name: "Demo",
    grant_tier: "COMMUNITY",
    per_address_amount: "10",
    max_leverage: 5,
    recipients: Array.from({ length: count }, () => strangeWallet(++wallets)),
    operator_addr: OPERATOR,
    request_id,
  });
  const bonusOf = (address: string) => {
    const account = room.directory.numberOf(address);
    return account === undefined ? undefined : room.exchange.engine.state.accounts.bonus(account);
  };
  /** The wait is short here, and a busy machine is slow: what is late is asked for again when it is applied, as a client does. */
  const grantApplied = async (body: GrantBatchRequest) => {
    room.dispatcher.start();
    await unlessNotReady(room.grants.batches.grant(body, SYSTEM));
    await room.dispatcher.idle();
    return await room.grants.batches.grant(body, SYSTEM);
  };
  const notReady = { code: "not_ready", status: 503 };

  it("BON-4: what is decided and not applied is 503, and the same request answers once it is", async () => {
    const body = request("late", 3);
    await assert.rejects(room.grants.batches.grant(body, SYSTEM), notReady);
    await assert.rejects(room.grants.batches.grant(body, SYSTEM), notReady);
    for (const address of body.recipients) assert.equal(bonusOf(address), undefined);
    room.dispatcher.start();
    await room.dispatcher.idle();
    const { created, replayed } = await room.grants.batches.grant(body, SYSTEM);
    assert.deepEqual([created, replayed], [3, true]);
    for (const address of body.recipients) assert.equal(bonusOf(address), 10_000_000);
  });

  it("BON-1: a redemption that is not applied in time is 503, done once, and then a bonus that the wallet has", async () => {
    const { grant_batch_id } = await grantApplied(request("for-codes"));
    await room.dispatcher.stop();
    const codes = await room.grants.codes.generate(
      { grant_batch_id, amount: "7", count: 1, ttl_days: 1, operator_addr: OPERATOR, request_id: "codes" },
      SYSTEM,
    );
    const redeemer = { wallet: strangeWallet(++wallets), address: "10.0.0.1" };
    const redeem = () => room.grants.redemptions.redeem(redeemer, codes.codes[0]!);
    await assert.rejects(redeem(), notReady);
    await assert.rejects(redeem(), { code: "already_has_bonus" });
    room.dispatcher.start();
    await room.dispatcher.idle();
    assert.equal(bonusOf(redeemer.wallet), 7_000_000);
  });

  it("BON-4: a request of long ago, whose message is gone, is answered at once", async () => {
    const body = request("long-ago");
    await grantApplied(body);
    await sql`delete from outbox`.execute(database.db);
    const { created, replayed } = await room.grants.batches.grant(body, SYSTEM);
    assert.deepEqual([created, replayed], [1, true]);
  });

  it("BON-2: leverage and expiry come to the engine as they were granted", async () => {
    const body = request("terms");
    await grantApplied(body);
    const account = room.directory.numberOf(body.recipients[0]!)!;
    const { accounts } = room.exchange.engine.state;
    assert.deepEqual(
      [accounts.bonus(account), accounts.bonusLeverage(account), accounts.expires_ms(account)],
      [10_000_000, 5, room.clock.now() + 7 * 86_400_000],
    );
  });
});

describe("grants of two processes", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  it("BON-2, BON-4: share one pool and one list of requests", async () => {
    // Each has its own queue; they share the database.
    const rooms = ["one", "two"].map((seed) => createEngineRoom(database, { bonusPoolCap: "100", wait_ms: 1, seed }));
    await Promise.all(rooms.map(({ grants }) => grants.campaigns.seed()));
    const outcomes = rooms.flatMap(({ grants }, room) =>
      Array.from({ length: 12 }, async (_, at) => {
        const own = strangeWallet(1_000 * (room + 1) + at);
        const body = {
          batch_name: "Race",
          grant_tier: "KOL",
          per_address_amount: "10",
          max_leverage: 5,
          recipients: at < 4 ? [strangeWallet(at)] : [own],
          operator_addr: OPERATOR,
          request_id: at < 4 ? `same-${at}` : `own-${room}-${at}`,
        };
        return await grants.batches.grant(body, SYSTEM).then(
          () => "granted",
          (error: { code?: string }) => error.code ?? String(error),
        );
      }),
    );
    const seen = new Set(await Promise.all(outcomes));
    // No dispatcher runs here, so decided grants are never applied.
    assert.deepEqual(seen, new Set(["not_ready", "pool_cap_exceeded"]));
    const { rows } = await sql<{ granted: bigint; bonuses: bigint; batches: bigint }>`
      select granted_micros as granted, (select count(*) from bonus_account) as bonuses,
        (select count(*) from bonus_batch) as batches from bonus_pool`.execute(database.db);
    assert.deepEqual(rows[0], { granted: 100_000_000n, bonuses: 10n, batches: 10n });
  });
});
