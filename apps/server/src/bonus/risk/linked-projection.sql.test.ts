import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import type { Applied } from "../../exchange/host/exchange.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { findRequest } from "../requests.ts";
import { bonusDb, bonusTx } from "../tables.ts";
import { linkedRef, parseRecallRef } from "./linked-plan.ts";
import { projectLinked } from "./linked-projection.ts";
import { keepPlan, LINKED_ENDPOINT } from "./linked-store.ts";
import { emptyBooks, insertBonus } from "./testing/funding-world.ts";

const AT_ms = Date.UTC(2026, 5, 1);
/** Request ids may contain any character but spaces. */
const REQUEST = "a:7:recall:b";
const key = { endpoint: LINKED_ENDPOINT, request_id: REQUEST };
const wallet = (number: number) => `0x${String(number).repeat(40)}`;

/** The engine's answer to the message of that number: a recalled amount, or the locked part. */
function answerTo(number: number, said: { recalled: number } | { locked: number }): Applied {
  const events =
    "recalled" in said
      ? [{ kind: "bonus_line", account: number, line: "RECALL", amount_micros: said.recalled }]
      : [{ kind: "refused", account: number, reason: "bonus_locked", limit: 0, actual: said.locked }];
  const command = { kind: "recall_bonus", account: number, number };
  return { number: 100 + number, time_ms: AT_ms, command, events } as unknown as Applied;
}

describe("what becomes of linked wallets", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  const inTransaction = <T>(action: (tx: Tx) => Promise<T>) => database.db.transaction().execute(action);
  const project = (...applied: readonly Applied[]) =>
    inTransaction((tx) => projectLinked(tx, { applied, first: 1, last: 1, units_micros: new Map() }));
  const request = async () => {
    const row = await findRequest(bonusDb(database), key);
    assert.ok(row !== undefined);
    return row;
  };

  beforeEach(async () => {
    await emptyBooks(database);
    await sql`truncate bonus_request, outbox restart identity`.execute(database.db);
    const ids = [await insertBonus(database, wallet(1), AT_ms), await insertBonus(database, wallet(2), AT_ms)].map(
      String,
    );
    const wallets = ids.map((bonus_account_id, at) => ({ address: wallet(at + 1), bonus_account_id, outcome: null }));
    await sql`
      insert into bonus_request (endpoint, request_id, body_hash, created_at)
      values (${LINKED_ENDPOINT}, ${REQUEST}, 'hash', now())`.execute(database.db);
    await inTransaction((tx) => keepPlan(bonusTx(tx), key, { target_address: wallet(1), wallets }));
    for (const [at, id] of ids.entries()) {
      await sql`
        insert into outbox (topic, ref, payload, created_at, dispatch_seq)
        values ('exchange', ${linkedRef(REQUEST, id, "recall")}, '{}', now(), ${at + 1})`.execute(database.db);
    }
  });

  it("BON-4: names of requests of any look lead back to them", () => {
    assert.deepEqual(parseRecallRef(linkedRef(REQUEST, "12", "recall")), {
      request_id: REQUEST,
      bonus_account_id: "12",
    });
    assert.equal(parseRecallRef(linkedRef(REQUEST, "12", "freeze")), undefined);
    assert.equal(parseRecallRef("bonus:recall:x"), undefined);
  });

  it("BON-12: the request is answered with the last wallet, in one batch of commands or in several", async () => {
    await sql`update bonus_account set status = 'recalled', ended_at = now() where address = ${wallet(1)}`.execute(
      database.db,
    );
    await sql`update bonus_account set status = 'frozen' where address = ${wallet(2)}`.execute(database.db);
    const expected = {
      target_address: wallet(1),
      wallets: [
        { address: wallet(1), status: "recalled", recalled_amount: "1.50", still_locked_amount: "0.00" },
        { address: wallet(2), status: "frozen", recalled_amount: "0.00", still_locked_amount: "0.25" },
      ],
    };
    await project(answerTo(1, { recalled: 1_500_000 }));
    assert.equal((await request()).status, null);
    await project(answerTo(2, { locked: 250_000 }));
    assert.deepEqual([(await request()).status, (await request()).response], [200, expected]);
    // The first answer stays.
    await project(answerTo(2, { locked: 1 }));
    assert.deepEqual((await request()).response, expected);
  });

  it("BON-12: all in one batch", async () => {
    await project(answerTo(1, { locked: 1 }), answerTo(2, { locked: 2 }));
    const { status, response } = await request();
    assert.equal(status, 200);
    assert.deepEqual(
      (response as { wallets: { still_locked_amount: string }[] }).wallets.map((one) => one.still_locked_amount),
      ["0.000001", "0.000002"],
    );
  });

  it("BON-12: commands of others are none of its business", async () => {
    await sql`update outbox set ref = 'bonus:recall:' || id`.execute(database.db);
    await project(answerTo(1, { recalled: 1 }), answerTo(2, { locked: 2 }));
    assert.equal((await request()).status, null);
  });
});
