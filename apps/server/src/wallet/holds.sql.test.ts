import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { assertAudit, BUY, PLAIN_ORDER, SELL } from "@bourse/engine";
import type { OperatorCall, OperatorOutcome } from "../chain/operator/operator.ts";
import { type Bench, createBench, testAddress } from "../exchange/account/testing.ts";
import { DAY_ms, HOUR_ms } from "../kernel/dates.ts";
import { replaceHolds, setHolds } from "./holds.ts";
import { Payments } from "./payments.ts";
import { walletDb } from "./tables.ts";

const usdt = (amount: number) => amount * 1_000_000;
const HASH = `0x${"cd".repeat(32)}` as const;

describe("holds on withdrawals (BON-12, VLT-4)", () => {
  let bench: Bench;
  let number = 700;
  let sentRefs: string[] = [];
  /** The withdrawals of the test that runs: others may go meanwhile. */
  let asked: string[] = [];
  before(async () => {
    bench = await createBench();
  });
  after(async () => {
    assertAudit(bench.exchange.engine);
    await bench.close();
  });

  /** As after a start: nothing is remembered but what the database says. */
  const payments = () =>
    new Payments({
      ...bench,
      vault: testAddress(1) as `0x${string}`,
      operator: {
        submit: async ({ ref }: OperatorCall): Promise<OperatorOutcome> => {
          sentRefs.push(ref);
          return { state: "unknown", hash: HASH, reason: null };
        },
        outcomeOf: async () => undefined,
      },
      projected: () => bench.projector.waitForAll(),
      onError: (error) => assert.fail(String(error)),
    });
  const round = async () => {
    sentRefs = [];
    await payments().run();
    return sentRefs.filter((ref) => asked.some((id) => ref.includes(id))).length;
  };

  async function rich(amount: number) {
    number += 1;
    asked = [];
    const address = testAddress(number);
    await bench.deposits.credit(address, usdt(amount), `holds:${number}`);
    return { address, token: await bench.tokenOf(address), account: bench.directory.numberOf(address)! };
  }
  type Rich = Awaited<ReturnType<typeof rich>>;

  const hold = ({ account }: Rich, amount: number, terms: { wait_ms?: number; ends_at?: Date | null } = {}) =>
    bench.database.db.transaction().execute((tx) =>
      setHolds(tx, [{ ref: `test:${account}`, account, amount_micros: BigInt(usdt(amount)), note: "a test" }], {
        reason: "linked_bonus",
        wait_ms: 3 * DAY_ms,
        set_at: new Date(bench.clock.now()),
        ends_at: null,
        ...terms,
      }),
    );
  async function withdraw({ address }: Rich, amount: string, more: object = {}): Promise<string> {
    const token = await bench.tokenOf(address);
    const { status, body } = await bench.call("POST", "/withdraw/request", token, { amount, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    await bench.projector.waitForAll();
    asked.push(body.id);
    return body.id;
  }
  const row = (id: string) =>
    walletDb(bench.database).selectFrom("withdrawal").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const statuses = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await row(id)).status));
  const list = async ({ token }: Rich) => (await bench.call("GET", "/withdraw/list", token)).body.items;
  const reviewOf = async (what: "release" | "refuse", id: string, reason: unknown = "looked at it") =>
    bench.call("POST", `/api/v1/admin/withdrawals/${id}/${what}`, await bench.adminToken(), { reason } as object);
  const principal = ({ account }: Rich) => bench.exchange.engine.state.accounts.principal(account);

  it("what leaves the held amount behind goes; what touches it waits, with reason and time, and is out of the account", async () => {
    const who = await rich(1_000);
    await hold(who, 300);
    const clean = await withdraw(who, "700");
    assert.equal(await round(), 1);
    const touching = await withdraw(who, "0.000001");
    assert.equal(await round(), 0);
    assert.deepEqual(await statuses(clean, touching), ["sent", "in_review"]);
    const shown = (await list(who)).find(({ id }: { id: string }) => id === touching);
    const until = bench.clock.now() + 3 * DAY_ms;
    assert.deepEqual([shown.status, shown.reason, shown.review_until], ["in_review", "linked_bonus", until]);
    assert.equal(principal(who), usdt(300) - 1);
    const { body } = await bench.call("GET", "/withdraw/holds", who.token);
    assert.deepEqual(body.items, [
      { reason: "linked_bonus", amount: "300.00", until: null, longest_wait_ms: 3 * DAY_ms },
    ]);
  });

  it("several small withdrawals keep back no less than one large one", async () => {
    const who = await rich(500);
    await hold(who, 400);
    const ids: string[] = [];
    for (let piece = 0; piece < 10; piece += 1) {
      await bench.clock.advance(1);
      ids.push(await withdraw(who, "50"));
    }
    assert.equal(await round(), 2, "100 of 500 were free");
    assert.deepEqual(await statuses(...ids), ["sent", "sent", ...Array(8).fill("in_review")]);
    assert.equal(await round(), 0);
  });

  it("a withdrawal asked for before the hold was set waits, if it was not sent; one that was sent goes on", async () => {
    const who = await rich(100);
    const sent = await withdraw(who, "40");
    await round();
    const later = await withdraw(who, "60");
    await hold(who, 60);
    assert.equal(await round(), 0);
    assert.deepEqual(await statuses(sent, later), ["sent", "in_review"]);
  });

  it("another recipient changes nothing, and neither does money that is deposited and taken out again", async () => {
    const who = await rich(100);
    await hold(who, 100);
    const away = await withdraw(who, "100", { to: testAddress(9_999) });
    assert.equal(await round(), 0);
    await bench.deposits.credit(who.address, usdt(50), `again:${number}`);
    const own = await withdraw(who, "50");
    assert.equal(await round(), 1, "the held amount is in the withdrawal that waits");
    assert.deepEqual(await statuses(away, own), ["in_review", "sent"]);
  });

  it("money in margin does not count as left behind", async () => {
    const who = await rich(1_000);
    const maker = await rich(100_000);
    await hold(who, 300);
    const order = { ...PLAIN_ORDER, kind: "place_order", market: 0, lots: 100, ticks: 600_000 } as const;
    await bench.submit({ ...order, account: maker.account, side: SELL });
    await bench.submit({ ...order, account: who.account, side: BUY });
    const id = await withdraw(who, "200");
    assert.equal(await round(), 0);
    assert.deepEqual(await statuses(id), ["in_review"]);
    await bench.submit({ ...order, account: maker.account, side: BUY });
    await bench.submit({ ...order, account: who.account, side: SELL, isReduceOnly: true });
  });

  it("it goes by itself when its time is over, once, also after a start, and does not wait again", async () => {
    const who = await rich(100);
    await hold(who, 100);
    const id = await withdraw(who, "60");
    await round();
    await bench.clock.advance(3 * DAY_ms - 1);
    assert.equal(await round(), 0);
    await bench.clock.advance(1);
    assert.equal(await round(), 1);
    assert.equal(await round(), 0);
    assert.deepEqual(await statuses(id), ["sent"]);
    const { body } = await reviewOf("release", id);
    assert.equal(body.code, "NOT_IN_REVIEW");
    // What has passed a review is no longer held: 40 of the 100 are.
    await bench.deposits.credit(who.address, usdt(60), `passed:${number}`);
    const more = await withdraw(who, "60");
    assert.equal(await round(), 1);
    assert.deepEqual(await statuses(more), ["sent"]);
  });

  it("a hold with an end holds nothing after it, and ends the waiting with it", async () => {
    const who = await rich(100);
    const ends_at = new Date(bench.clock.now() + HOUR_ms);
    await hold(who, 100, { wait_ms: DAY_ms, ends_at });
    const id = await withdraw(who, "10");
    await round();
    assert.deepEqual((await row(id)).review_until, ends_at);
    await bench.clock.advance(HOUR_ms);
    const other = await withdraw(who, "20");
    assert.equal(await round(), 2);
    assert.deepEqual(await statuses(id, other), ["sent", "sent"]);
  });

  it("staff releases it once: it is sent, audited, and a second release or refusal is refused with 409", async () => {
    const who = await rich(100);
    await hold(who, 100);
    const id = await withdraw(who, "30");
    await round();
    const answers = await Promise.all([reviewOf("release", id), reviewOf("release", id), reviewOf("refuse", id)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    const [first] = answers.filter(({ status }) => status === 200);
    if (first!.body.status === "rejected") assert.equal(await round(), 0);
    else assert.equal(await round(), 1);
    const audited = await bench.database.db
      .selectFrom("audit_log")
      .select(["action", "target"])
      .where("target", "=", id)
      .execute();
    assert.equal(audited.length, 1);
  });

  it("staff refuses it: the amount is back in the account, once", async () => {
    const who = await rich(100);
    await hold(who, 100);
    const id = await withdraw(who, "30");
    await round();
    assert.equal(principal(who), usdt(70));
    const { status, body } = await reviewOf("refuse", id);
    assert.deepEqual(
      [status, body.status, body.reason, body.address],
      [200, "rejected", "review_refused", who.address],
    );
    await bench.dispatcher.idle();
    assert.equal(principal(who), usdt(100));
    assert.equal((await reviewOf("refuse", id)).status, 409);
    await bench.dispatcher.idle();
    assert.equal(principal(who), usdt(100));
    assert.equal(await round(), 0);
  });

  it("a hold whose cause is gone is lifted: what is asked for next goes", async () => {
    const who = await rich(100);
    await hold(who, 100);
    const terms = {
      reason: "linked_bonus",
      wait_ms: DAY_ms,
      set_at: new Date(bench.clock.now()),
      ends_at: null,
    } as const;
    await bench.database.db.transaction().execute((tx) => replaceHolds(tx, [], terms));
    await withdraw(who, "100");
    assert.equal(await round(), 1);
  });

  it("reviews are listed for staff only; malformed requests are refused", async () => {
    const who = await rich(10);
    await hold(who, 10);
    const id = await withdraw(who, "10");
    await round();
    const admin = await bench.adminToken();
    const reviews = await bench.call("GET", "/api/v1/admin/withdrawals/reviews?limit=500", admin);
    assert.ok(reviews.body.items.some((item: { id: string }) => item.id === id));
    const path = `/api/v1/admin/withdrawals/${id}/release`;
    assert.equal((await bench.call("GET", "/api/v1/admin/withdrawals/reviews", who.token)).status, 403);
    assert.equal((await bench.call("POST", path, who.token, { reason: "me" })).status, 403);
    assert.equal((await bench.call("POST", path, undefined, { reason: "me" })).status, 401);
    assert.equal((await bench.call("GET", "/withdraw/holds")).status, 401);
    for (const reason of ["", "x".repeat(501), {}, null]) {
      assert.equal((await reviewOf("release", id, reason)).status, 400, JSON.stringify(reason));
      assert.equal((await reviewOf("refuse", id, reason)).status, 400, JSON.stringify(reason));
    }
    assert.equal((await bench.call("POST", path, admin, {})).status, 400);
    assert.equal((await reviewOf("release", "no-uuid")).status, 400);
    assert.equal((await reviewOf("release", randomUUID())).body.code, "WITHDRAWAL_NOT_FOUND");
    for (const query of ["limit=0", "cursor=nonsense"]) {
      assert.equal((await bench.call("GET", `/api/v1/admin/withdrawals/reviews?${query}`, admin)).status, 400, query);
    }
    assert.deepEqual(await statuses(id), ["in_review"]);
  });
});
