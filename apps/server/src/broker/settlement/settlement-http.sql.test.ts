import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import type { CalculatedRebates, ExplainedRecord, RebateProof, SettlementRoot, SkippedFills } from "@bourse/api";
import { sql } from "kysely";
import { assertRefusesBadPages } from "../../testing/page-walk.ts";
import { accepted, assertRefused, type Partner } from "../partners/testing/scene.ts";
import { digestOf } from "./testing/digest.ts";
import { TradingFloor } from "./testing/floor.ts";

const DAY = "2026-06-01";
const SCRIPT = new URL("../../../../../scripts/verify-rebate.mjs", import.meta.url).pathname;

const verify = (proof: unknown, ...options: string[]) => {
  const input = typeof proof === "string" ? proof : JSON.stringify(proof);
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT, "-", ...options], { input, encoding: "utf8" });
  return { status, stdout };
};

describe("settlement of what was traded", () => {
  let floor: TradingFloor;
  let kol: Partner;
  let sub: Partner;
  let customer: Partner;
  let subCustomer: Partner;
  let stranger: { token: string };

  before(async () => {
    floor = await TradingFloor.open();
    const { scene } = floor;
    kol = await scene.kol(5);
    sub = await scene.subKol(kol, "0.3", "0.2");
    const join = async (inviter: Partner): Promise<Partner> => {
      const { code } = await scene.code(inviter.token, {
        code_type: "direct",
        share_ratio: "0",
        customer_rebate_ratio: "0.1",
      });
      const visitor = await scene.visitor();
      accepted(await scene.bind(visitor.token, code));
      return { ...visitor, id: "" };
    };
    customer = await join(kol);
    subCustomer = await join(sub);
    stranger = await scene.visitor();
    for (const trader of [kol, sub, customer, subCustomer]) await floor.fund(trader);
  });
  after(() => floor.close());

  const calculate = (period: unknown = DAY) => floor.scene.admin("POST", "/rebate/calculate", { period });
  const get = (who: { token: string } | undefined, path: string) => floor.scene.call(who?.token, "GET", path);
  const recordOf = async (downline: Partner) =>
    await floor.scene.db
      .selectFrom("rebate_record")
      .selectAll()
      .where("downline_wallet", "=", downline.address)
      .orderBy("revision")
      .executeTakeFirstOrThrow();
  const partsOf = async (downline: Partner) => {
    const { nominal_micros, customer_micros, share_micros, net_micros } = await recordOf(downline);
    return [nominal_micros, customer_micros, share_micros, net_micros].map((micros) => Number(micros) / 1e6);
  };

  it("BRK-10, BRK-12: a fee of 100 USDT in the exchange comes to the documented parts", async () => {
    for (const trader of [customer, subCustomer, sub, kol]) await floor.take(trader);
    const reply = accepted<CalculatedRebates>(await calculate());
    assert.deepEqual(
      { ...reply, root: "" },
      {
        period: DAY,
        total_brokers: 2,
        total_records: 4,
        total_fee: "400.00",
        total_nominal: "150.00",
        total_customer_rebate: "90.00",
        total_share: "4.00",
        total_kol_net: "56.00",
        total_affiliate_reward: "0.00",
        provisional: true,
        revision: 1,
        root: "",
      },
    );
    assert.match(reply.root, /^0x[0-9a-f]{64}$/);
    assert.deepEqual(await partsOf(customer), [40, 10, 0, 30]);
    assert.deepEqual(await partsOf(subCustomer), [30, 10, 4, 16]);
    assert.deepEqual(await partsOf(sub), [40, 30, 0, 10]);
    assert.deepEqual(await partsOf(kol), [40, 40, 0, 0]);
    assert.equal((await recordOf(sub)).broker_id, kol.id);
    assert.equal((await recordOf(subCustomer)).share_payee, kol.address);
  });

  it("SEC-8: the admin who settles is in the audit log, with what came of it", async () => {
    const entry = await floor.scene.lastAudit("rebate.calculate");
    assert.equal(entry!.role, "admin");
    assert.equal(entry!.target, DAY);
    const after = entry!.after as { total_nominal: string; changes: object };
    assert.deepEqual([after.total_nominal, after.changes], ["150.00", { inserted: 4, updated: 0, deleted: 0 }]);
  });

  it("BRK-9: settled again it is the same, and two at once both are answered", async () => {
    const before = await digestOf(floor.scene.platform.database.db);
    const replies = await Promise.all([calculate(), calculate(), calculate()]);
    const [first, ...others] = replies.map((reply) => accepted<CalculatedRebates>(reply));
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(await digestOf(floor.scene.platform.database.db), before);
  });

  it("BRK-16: what is no day, or has not begun, is refused and changes nothing", async () => {
    const db = floor.scene.platform.database.db;
    const before = [await digestOf(db), await floor.scene.fingerprint()];
    const bad = [
      "2026-02-30",
      "2026-2-3",
      "",
      "20260203",
      "2026-06-01T00:00:00Z",
      " 2026-06-01",
      "2026-13-01",
      "0000-01-01",
    ];
    const odd = [
      "yesterday",
      "2026-06-01\u0000",
      "\ud800",
      20260601,
      null,
      true,
      ["2026-06-01"],
      { period: DAY },
      1e300,
    ];
    for (const period of [...bad, ...odd]) {
      assertRefused(await calculate(period), 400, "INVALID_PERIOD", "period must be a date as YYYY-MM-DD");
    }
    assertRefused(await floor.scene.admin("POST", "/rebate/calculate", {}), 400, "INVALID_PERIOD");
    assertRefused(await calculate("2026-06-02"), 400, "INVALID_PERIOD", "period has not begun");
    assertRefused(await calculate("9999-12-31"), 400, "INVALID_PERIOD", "period has not begun");
    assert.deepEqual([await digestOf(db), await floor.scene.fingerprint()], before);
  });

  it("SEC-6: only an admin settles, and 401 and 403 come before 400", async () => {
    const path = "/admin/rebate/calculate";
    const bd = await floor.scene.bd();
    assertRefused(await floor.scene.call(undefined, "POST", path, { period: "x" }), 401, "UNAUTHORIZED");
    assertRefused(await floor.scene.call(kol.token, "POST", path, { period: "x" }), 403, "FORBIDDEN");
    assertRefused(await floor.scene.call(bd.token, "POST", path, { period: "x" }), 403, "FORBIDDEN");
    assertRefused(await get(undefined, "/settlements/x/root"), 401, "UNAUTHORIZED");
    assertRefused(await get(undefined, "/rebate-records/x/proof"), 401, "UNAUTHORIZED");
    assertRefused(await get(bd, "/rebate-records/x/proof"), 403, "FORBIDDEN");
    assertRefused(await get(bd, "/rebate-records/x/explain"), 403, "FORBIDDEN");
    assertRefused(await get(bd, "/skipped-fills"), 403, "FORBIDDEN");
    assert.equal((await get(bd, `/settlements/${DAY}/root`)).statusCode, 200);
  });

  it("interface 4.1: mode is reserved and ignored, whatever it is", async () => {
    for (const mode of ["full", 7, null, { a: 1 }]) {
      accepted(await floor.scene.admin("POST", "/rebate/calculate", { period: DAY, mode }));
    }
  });

  it("BRK-8: a rate that changes right after a fill does not touch it, whenever it is written", async () => {
    await floor.take(customer);
    accepted(await floor.scene.admin("PUT", `/kol/${kol.id}`, { rebate_rate: "0.5" }));
    await floor.take(customer);
    await floor.take(sub);
    accepted(await calculate());
    // 200 at 0.40 and 100 at 0.50.
    assert.deepEqual(await partsOf(customer), [130, 30, 0, 100]);
    assert.deepEqual(await partsOf(sub), [90, 60, 0, 30]);
    assert.equal((await recordOf(customer)).rate_e6, 500_000);
  });

  it("BRK-12: a parent lowered to 0.25 caps the sub-KOL and its customers: 25, 25, 0", async () => {
    accepted(await floor.scene.admin("PUT", `/kol/${kol.id}`, { rebate_rate: "0.25" }));
    const before = [await partsOf(sub), await partsOf(subCustomer)];
    await floor.take(sub);
    await floor.take(subCustomer);
    accepted(await calculate());
    const grown = [await partsOf(sub), await partsOf(subCustomer)].map((parts, place) =>
      parts.map((part, at) => part - before[place]![at]!),
    );
    // The customer's record: nominal 25, customer 10, share 0.2 × 15, net 12.
    assert.deepEqual(grown, [
      [25, 25, 0, 0],
      [25, 10, 3, 12],
    ]);
  });

  it("BRK-7: a self-trade does not count, and the broker reads why", async () => {
    const before = await recordOf(customer);
    const key = await floor.scene.platform.makeApiKey(customer.wallet);
    for (const side of ["SELL", "BUY"]) {
      const limit = `symbol=BTCUSDT&side=${side}&type=LIMIT&timeInForce=GTC&quantity=1&price=50000`;
      const text = `${limit}&selfTradePreventionMode=NONE`;
      const reply = await floor.scene.platform.signedCall("POST", "/fapi/v1/order", key, text);
      assert.equal(reply.statusCode, 200, reply.body);
    }
    accepted(await calculate());
    assert.deepEqual(await recordOf(customer), before);
    const { items: fills } = accepted<SkippedFills>(await get(kol, "/skipped-fills"));
    assert.equal(fills.length, 2);
    for (const fill of fills) {
      assert.deepEqual(
        [fill.symbol, fill.downline_wallet, fill.reason, fill.counted],
        ["BTCUSDT", customer.address, "self_trade", "0.00"],
      );
      assert.equal(fill.reason_text, "The wallet traded with itself; such fees do not count.");
    }
    assert.deepEqual(
      fills.map(({ fee }) => Number(fee)).sort((a, b) => a - b),
      [10, 25],
    );
    assert.equal(accepted<SkippedFills>(await get(kol, "/skipped-fills?limit=1")).items.length, 1);
    assert.equal(accepted<SkippedFills>(await get(kol, "/skipped-fills?limit=99999")).items.length, 2);
    assert.deepEqual(accepted<SkippedFills>(await get(sub, "/skipped-fills")).items, []);
    assert.deepEqual(accepted<SkippedFills>(await get(kol, "/skipped-fills?to=2026-05-31")).items, []);
    const read = async (query: string) => {
      const reply = await get(kol, `/skipped-fills?${query}`);
      return { status: reply.statusCode, body: reply.json() };
    };
    await assertRefusesBadPages({ read }, { cursor: "INVALID_CURSOR", limit: "INVALID_FIELD" });
    // Both sides of one trade: a page ends between them.
    const first = accepted<SkippedFills>(await get(kol, "/skipped-fills?limit=1"));
    const second = accepted<SkippedFills>(await get(kol, `/skipped-fills?limit=1&cursor=${first.next_cursor}`));
    assert.deepEqual([...first.items, ...second.items], fills);
    assert.deepEqual([first.total, second.total, second.next_cursor], [2, -1, null]);
    for (const query of ["from=2026-02-30", "to=x", "from=2026-06-02&to=2026-06-01"]) {
      assertRefused(await get(kol, `/skipped-fills?${query}`), 400, "INVALID_PERIOD");
    }
    assertRefused(await get(customer, "/skipped-fills?limit=x"), 404, "NOT_A_BROKER", "not a broker");
  });

  it("BRK-17: who has a part in a record sees its proof and how it comes about; to others it is not there", async () => {
    const { id } = await recordOf(subCustomer);
    const admin = { token: (await floor.scene.platform.adminSignIn()).access_token };
    for (const what of ["proof", "explain"]) {
      const path = `/rebate-records/${id}/${what}`;
      const bodies: string[] = [];
      for (const who of [sub, subCustomer, kol, admin]) {
        const reply = await get(who, path);
        accepted(reply);
        bodies.push(reply.body);
      }
      assert.equal(new Set(bodies).size, 1);
      for (const who of [customer, stranger])
        assertRefused(await get(who, path), 404, "NOT_FOUND", "rebate record not found");
      assertRefused(await get(admin, `/rebate-records/${id.replace(/^./, "x")}/${what}`), 400, "INVALID_ID");
      assertRefused(await get(admin, `/rebate-records/00000000-0000-4000-8000-000000000000/${what}`), 404, "NOT_FOUND");
      assert.equal((await get(sub, `/rebate-records/${id.toUpperCase()}/${what}`)).statusCode, 200);
    }
  });

  it("BRK-15: a frozen broker sees what it traded itself and no other record", async () => {
    const [own, others] = [await recordOf(sub), await recordOf(subCustomer)];
    accepted(await floor.scene.admin("PUT", `/kol/${sub.id}`, { status: "frozen" }));
    assert.equal((await get(sub, `/rebate-records/${own.id}/proof`)).statusCode, 200);
    assertRefused(await get(sub, `/rebate-records/${others.id}/proof`), 404, "NOT_FOUND");
    assertRefused(await get(sub, "/skipped-fills"), 404, "NOT_A_BROKER");
    accepted(await floor.scene.admin("PUT", `/kol/${sub.id}`, { status: "active" }));
  });

  it("BRK-17: explain lists each set of terms, and its numbers add up to the record", async () => {
    const record = await recordOf(customer);
    const explained = accepted<ExplainedRecord>(await get(customer, `/rebate-records/${record.id}/explain`));
    assert.deepEqual(
      explained.groups.map(({ scenario, rate, cap, customer_ratio, fee, nominal, customer: part, share, net }) => [
        scenario,
        rate,
        cap,
        customer_ratio,
        fee,
        nominal,
        part,
        share,
        net,
      ]),
      [
        ["customer", "0.4", "0.4", "0.1", "200.00", "80.00", "20.00", "0.00", "60.00"],
        ["customer", "0.5", "0.5", "0.1", "100.00", "50.00", "10.00", "0.00", "40.00"],
      ],
    );
    assert.equal(
      explained.groups[0]!.formula,
      "nominal = floor6(200.00 × 0.4) = 80.00; customer = floor6(200.00 × 0.1) = 20.00; " +
        "share = floor6((80.00 − 20.00) × 0) = 0.00; net = 80.00 − 20.00 − 0.00 = 60.00",
    );
    assert.match(
      explained.formula,
      /^fee = 300\.00 of all groups = 300\.00; nominal = 130\.00 of all groups = 130\.00;/,
    );
    assert.deepEqual(explained.groups[0]!.chain, [{ wallet: kol.address, role: "kol", rate: "0.4" }]);
    assert.deepEqual(
      [explained.record.fee, explained.record.net, explained.record.status],
      ["300.00", "100.00", "provisional"],
    );
    assert.deepEqual(explained.unsettled, {
      fee: "0.00",
      nominal: "0.00",
      customer: "0.00",
      share: "0.00",
      net: "0.00",
    });
    // Three fills that count, and two sides of a self-trade.
    assert.equal(explained.fills_total, 5);
    const counted = explained.fills.map((fill) => Number(fill.counted));
    assert.equal(
      counted.reduce((a, b) => a + b),
      300,
    );
    assert.deepEqual(explained.lines, [
      { kind: "customer", payee: customer.address, amount: "30.00", status: "pending" },
      { kind: "kol", payee: kol.address, amount: "100.00", status: "pending" },
    ]);

    const other = await recordOf(subCustomer);
    const shared = accepted<ExplainedRecord>(await get(kol, `/rebate-records/${other.id}/explain`));
    assert.deepEqual(
      shared.groups.map((group) => [
        group.scenario,
        group.cap,
        group.share_ratio,
        group.share_ratio_from,
        group.chain.length,
      ]),
      [
        ["customer_of_sub_kol", "0.3", "0.2", "sub_kol_code", 2],
        ["customer_of_sub_kol", "0.25", "0.2", "sub_kol_code", 2],
      ],
    );
    assert.deepEqual(
      shared.lines.map(({ kind, amount }) => [kind, amount]),
      [
        ["customer", "20.00"],
        ["kol", "28.00"],
        ["share", "7.00"],
      ],
    );
  });

  it("BRK-17: explain tells what was traded since the last settlement", async () => {
    await floor.take(customer);
    const { id } = await recordOf(customer);
    await floor.scene.platform.get("/api/v1/account/trades", customer.token);
    const explained = accepted<ExplainedRecord>(await get(customer, `/rebate-records/${id}/explain`));
    assert.deepEqual(
      [explained.record.fee, explained.unsettled.fee, explained.unsettled.net],
      ["300.00", "100.00", "15.00"],
    );
    assert.match(explained.formula, /fee = 400\.00 of all groups − 100\.00 not settled yet = 300\.00/);
  });

  it("BRK-9: at 00:10 the day is closed and rolled up, and stays so", async () => {
    const moved = await floor.scene.platform.post("/api/v1/dev/clock", { now: "2026-06-02T00:30:00.000Z" });
    assert.equal(moved.statusCode, 200, moved.body);
    await renewTokens();
    const root = accepted<SettlementRoot>(await get(stranger, `/settlements/${DAY}/root`));
    assert.deepEqual([root.status, root.leaf_count, root.calculated_at], ["closed", 4, "2026-06-02T00:10:00.000Z"]);
    assert.deepEqual(root.history.at(-1), {
      revision: root.revision,
      root: root.root,
      leaf_count: 4,
      created_at: root.history.at(-1)!.created_at,
    });
    assert.deepEqual(
      root.history.map(({ revision }) => revision),
      root.history.map((_, place) => place + 1),
    );
    const { rows } = await sql<{ is_rolled_up: boolean; totals: number }>`
      select is_rolled_up, (select count(*)::int from broker_downline_total) as totals from rebate_period
      where period = ${DAY}`.execute(floor.scene.db);
    assert.deepEqual(rows, [{ is_rolled_up: true, totals: 4 }]);
    const before = await digestOf(floor.scene.platform.database.db);
    const again = accepted<CalculatedRebates>(await calculate());
    assert.deepEqual([again.provisional, again.revision, again.root], [false, root.revision, root.root]);
    assert.equal(await digestOf(floor.scene.platform.database.db), before);
  });

  it("RUN-6: the job run by hand closes what is over and looks at today", async () => {
    const reply = await floor.scene.platform.post("/api/v1/dev/jobs/settlement/run");
    assert.equal(reply.statusCode, 200, reply.body);
    const { days } = reply.json().result as { days: CalculatedRebates[] };
    assert.deepEqual(
      days.map(({ period, provisional }) => [period, provisional]),
      [
        [DAY, false],
        ["2026-06-02", true],
      ],
    );
  });

  it("an unknown day has no root, a malformed one is refused", async () => {
    assertRefused(await get(stranger, "/settlements/2026-01-01/root"), 404, "NOT_FOUND", "settlement not found");
    for (const period of ["2026-02-30", "x", "20260601"]) {
      assertRefused(await get(stranger, `/settlements/${period}/root`), 400, "INVALID_PERIOD");
    }
  });

  it("BRK-17: the script proves every record against the day's root, without the server", async () => {
    const { root } = accepted<SettlementRoot>(await get(stranger, `/settlements/${DAY}/root`));
    for (const downline of [kol, sub, customer, subCustomer]) {
      const proof = accepted<RebateProof>(
        await get(downline, `/rebate-records/${(await recordOf(downline)).id}/proof`),
      );
      assert.equal(proof.root, root);
      for (const options of [[], ["--root", root]]) {
        const { status, stdout } = verify(proof, ...options);
        assert.equal(status, 0, stdout);
        assert.match(stdout, /VALID\n$/);
      }
      const elsewhere = `0x${"ab".repeat(32)}`;
      assert.equal(verify(proof, "--root", elsewhere).status, 1);
    }
  });

  it("BRK-17: a proof in which any field is off by one unit is not valid", async () => {
    const proof = accepted<RebateProof>(await get(kol, `/rebate-records/${(await recordOf(subCustomer)).id}/proof`));
    const others: Record<keyof RebateProof["record"], unknown> = {
      version: "bourse-rebate-v2",
      kind: "affiliate",
      period: "2026-06-02",
      owner: kol.id,
      downline_wallet: customer.address,
      revision: 1,
      fee: up(proof.record.fee),
      nominal: up(proof.record.nominal),
      customer: up(proof.record.customer),
      share: up(proof.record.share),
      net: up(proof.record.net),
      rate: up(proof.record.rate),
      customer_ratio: up(proof.record.customer_ratio),
      share_ratio: up(proof.record.share_ratio),
    };
    assert.deepEqual(Object.keys(others), Object.keys(proof.record));
    for (const [name, value] of Object.entries(others)) {
      const { status, stdout } = verify({ ...proof, record: { ...proof.record, [name]: value } });
      assert.equal(status, 1, `${name}: ${stdout}`);
      assert.match(stdout, /INVALID/);
    }
    const [sibling, ...siblings] = proof.siblings;
    const position = sibling!.position === "left" ? "right" : "left";
    const broken: unknown[] = [
      { ...proof, siblings },
      { ...proof, siblings: [{ ...sibling, position }, ...siblings] },
      { ...proof, siblings: [{ ...sibling, hash: up32(sibling!.hash) }, ...siblings] },
      { ...proof, leaf: up32(proof.leaf) },
      { ...proof, root: up32(proof.root) },
      { ...proof, siblings: "none" },
      { ...proof, record: null },
      {},
      null,
      "no json",
    ];
    for (const [place, wrong] of broken.entries()) {
      const { status, stdout } = verify(wrong);
      assert.deepEqual([status, /(^|\n)VALID/.test(stdout)], [1, false], `${place}: ${stdout}`);
    }
    assert.equal(verify("", "--help").status, 0);
    assert.equal(verify(proof, "--nonsense").status, 1);
  });

  it("INV-4: holds", async () => {
    const token = (await floor.scene.platform.adminSignIn()).access_token;
    const { invariants } = (await floor.scene.platform.get("/api/v1/admin/invariants", token)).json();
    const found = invariants.find(({ code }: { code: string }) => code === "INV-4");
    assert.equal(found.ok, true, found.detail);
  });

  async function renewTokens(): Promise<void> {
    await floor.scene.renewAdmin();
    const renew = async (partner: Partner): Promise<Partner> => ({
      ...partner,
      token: await floor.scene.token(partner.wallet),
    });
    [kol, sub, customer, subCustomer] = [
      await renew(kol),
      await renew(sub),
      await renew(customer),
      await renew(subCustomer),
    ];
    stranger = await floor.scene.visitor();
  }
});

/** Adds one unit in the last decimal. */
const up = (text: string) =>
  text.replace(/\.(\d+)$/, (_, digits: string) => `.${String(Number(digits) + 1).padStart(6, "0")}`);
const up32 = (hash: string) => `0x${((BigInt(hash) + 1n) % 2n ** 256n).toString(16).padStart(64, "0")}`;
