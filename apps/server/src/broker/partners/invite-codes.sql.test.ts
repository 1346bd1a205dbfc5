import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { InviteCode, ReferralInfo } from "@bourse/api";
import { sql } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import type { Random } from "../../kernel/random.ts";
import { InviteCodes } from "./invite-codes.ts";
import { accepted, assertRefused, DIRECT, type Partner, PartnersScene } from "./testing/scene.ts";

const SUB_KOL = { code_type: "sub_kol", share_ratio: "0.2", sub_kol_rebate_rate: "0.3" };

describe("invite codes", () => {
  let scene: PartnersScene;
  let kol: Partner;
  before(async () => {
    scene = await PartnersScene.open();
    kol = await scene.kol(5, { nickname: "Moon Li" });
  });
  after(() => scene.close());

  const post = (body: object, token = kol.token) => scene.call(token, "POST", "/invite-code", body);
  const put = (id: unknown, status: unknown, token = kol.token) =>
    scene.call(token, "PUT", `/invite-code/${id}`, { status });
  const list = async (token: string, query = "") =>
    accepted<InviteCode[]>(await scene.call(token, "GET", `/invite-codes${query}`));

  it("BRK-4: a direct code never expires and shows the customer's ratio", async () => {
    const code = accepted<InviteCode>(await post({ ...DIRECT, customer_rebate_ratio: 0.4, note: "spring" }));
    assert.match(code.code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
    assert.deepEqual(code, {
      id: code.id,
      code: code.code,
      code_type: "direct",
      share_ratio: "0.2",
      rebate_rate: "0.4",
      level: null,
      note: "spring",
      cached_used_count: 0,
      status: "active",
      expire_at: null,
      bound_broker: null,
    });
  });

  it("BRK-5: a sub_kol code expires after 7 days and shows the sub-KOL's rate", async () => {
    const code = accepted<InviteCode>(await post({ ...SUB_KOL, share_ratio: 1, sub_kol_rebate_rate: "0.400" }));
    assert.deepEqual([code.code_type, code.share_ratio, code.rebate_rate], ["sub_kol", "1", "0.4"]);
    assert.equal(code.expire_at, new Date(scene.platform.clock.now() + 7 * DAY_ms).toISOString());
  });

  it("BRK-5, WIRE-2: ratios are exact decimals from 0 to 1, as numbers or text", async () => {
    for (const [share_ratio, shown] of [
      [0, "0"],
      ["0", "0"],
      ["1.000000", "1"],
      ["0.123456", "0.123456"],
      [0.000001, "0.000001"],
    ] as const) {
      assert.equal(accepted<InviteCode>(await post({ ...DIRECT, share_ratio })).share_ratio, shown);
    }
    for (const bad of [
      -0.1,
      "-0.1",
      1.1,
      "1.000001",
      "1e-1",
      "NaN",
      "Infinity",
      "0.1234567",
      "",
      " ",
      "0,1",
      "0.1 ",
      true,
      {},
      [],
    ]) {
      for (const name of ["share_ratio", "customer_rebate_ratio"]) {
        await scene.refuses(() => post({ ...DIRECT, [name]: bad }), 400, "RATIO_OUT_OF_RANGE");
      }
      await scene.refuses(() => post({ ...SUB_KOL, sub_kol_rebate_rate: bad }), 400, "RATIO_OUT_OF_RANGE");
    }
  });

  it("BRK-16: what is wrong is said in the documented order", async () => {
    const refuses = (body: object, code: string, error?: string, token = kol.token) =>
      scene.refuses(() => post(body, token), 400, code, error);
    await refuses({}, "FIELD_REQUIRED", "code_type is required");
    await refuses({ code_type: null }, "FIELD_REQUIRED", "code_type is required");
    for (const code_type of ["bd", "DIRECT", "", 5, {}]) await refuses({ ...DIRECT, code_type }, "INVALID_FIELD");
    await refuses({ code_type: "direct" }, "FIELD_REQUIRED", "share_ratio is required");
    await refuses({ code_type: "direct", share_ratio: 2 }, "RATIO_OUT_OF_RANGE");
    await refuses({ code_type: "direct", share_ratio: 0 }, "FIELD_REQUIRED", "customer_rebate_ratio is required");
    await refuses({ code_type: "sub_kol", share_ratio: 0 }, "FIELD_REQUIRED", "sub_kol_rebate_rate is required");
    await refuses({ ...SUB_KOL, sub_kol_rebate_rate: null }, "FIELD_REQUIRED", "sub_kol_rebate_rate is required");
    await refuses({ ...DIRECT, customer_rebate_ratio: "0.400001" }, "RATIO_EXCEEDS_RATE");
    await refuses({ ...SUB_KOL, sub_kol_rebate_rate: "0.41" }, "RATIO_EXCEEDS_RATE");
    for (const note of ["x".repeat(201), "a\u0000b", "half\ud800", 5, {}]) {
      await refuses({ ...DIRECT, note }, "INVALID_FIELD");
    }
    const subKol = await scene.subKol(kol, "0.3");
    await refuses({ ...SUB_KOL, sub_kol_rebate_rate: 7 }, "RATIO_OUT_OF_RANGE", undefined, subKol.token);
    await refuses({ ...SUB_KOL, sub_kol_rebate_rate: 1 }, "SUB_KOL_CANNOT_CREATE_SUB_KOL", undefined, subKol.token);
  });

  it("BRK-5: a sub-KOL's customer gets at most the lowest rate on the chain", async () => {
    const parent = await scene.kol(5);
    const subKol = await scene.subKol(parent, "0.3");
    const exceeds = (customer_rebate_ratio: string, limit: string) =>
      scene
        .refuses(() => post({ ...DIRECT, customer_rebate_ratio }, subKol.token), 400, "RATIO_EXCEEDS_RATE")
        .then((reply) =>
          assert.deepEqual((reply.json() as { details: unknown }).details, {
            rule: "customer_rebate_ratio",
            limit,
            actual: customer_rebate_ratio,
          }),
        );
    await exceeds("0.31", "0.3");
    accepted(await post({ ...DIRECT, customer_rebate_ratio: "0.3" }, subKol.token));
    accepted(await scene.admin("PUT", `/kol/${parent.id}`, { rebate_rate: "0.25" }));
    await exceeds("0.3", "0.25");
    accepted(await post({ ...DIRECT, customer_rebate_ratio: "0.25" }, subKol.token));
  });

  it("BRK-15: who is no active broker gets 404 before anything else", async () => {
    const { token } = await scene.visitor();
    const frozen = await scene.kol();
    const made = await scene.code(frozen.token);
    accepted(await scene.admin("PUT", `/kol/${frozen.id}`, { status: "frozen" }));
    for (const who of [token, frozen.token]) {
      await scene.refuses(() => post({ code_type: 5 }, who), 404, "NOT_A_BROKER", "not a broker");
      await scene.refuses(() => post({}, who), 404, "NOT_A_BROKER", "not a broker");
      await scene.refuses(() => put(made.id, "disabled", who), 404, "NOT_A_BROKER", "not a broker");
      for (const path of ["/invite-codes", "/referral-info"]) {
        assertRefused(await scene.call(who, "GET", path), 404, "NOT_A_BROKER", "not a broker");
      }
    }
  });

  it("interface 4.2: codes are listed newest first, by type; the newest active one is the code to share", async () => {
    const owner = await scene.kol();
    const info = async () => accepted<ReferralInfo>(await scene.call(owner.token, "GET", "/referral-info"));
    assert.deepEqual(await info(), { referral_code: "", invite_codes: [] });
    const codes: InviteCode[] = [];
    for (const body of [DIRECT, SUB_KOL, DIRECT]) {
      codes.unshift(await scene.code(owner.token, body));
      scene.platform.realTime.advance(1_000);
    }
    assert.deepEqual(await list(owner.token), codes);
    assert.deepEqual(await list(owner.token, "?code_type=all"), codes);
    assert.deepEqual(await list(owner.token, "?code_type=sub_kol"), [codes[1]]);
    assert.deepEqual(await list(owner.token, "?code_type=direct"), [codes[0], codes[2]]);
    for (const query of ["?code_type=bd", "?code_type=", "?code_type=direct&code_type=sub_kol"]) {
      assertRefused(await scene.call(owner.token, "GET", `/invite-codes${query}`), 400, "INVALID_FIELD");
    }
    assert.deepEqual(await info(), { referral_code: codes[0]!.code, invite_codes: codes });
    accepted(await put(codes[0]!.id, "disabled", owner.token));
    assert.equal((await info()).referral_code, codes[1]!.code);
  });

  it("BRK-2: an owner closes a code and opens it again; used and expired ones stay so", async () => {
    const owner = await scene.kol();
    const code = await scene.code(owner.token);
    const change = async (status: string) => accepted<InviteCode>(await put(code.id, status, owner.token)).status;
    assert.equal(await change("disabled"), "disabled");
    assert.equal(await change("disabled"), "disabled");
    const visitor = await scene.visitor();
    await scene.refuses(() => scene.bind(visitor.token, code.code), 410, "CODE_EXPIRED", "code expired");
    assert.equal(await change("active"), "active");
    accepted(await scene.bind(visitor.token, code.code));
    assert.equal((await list(owner.token))[0]?.cached_used_count, 1);
    assert.equal((await list(owner.token))[0]?.status, "active", "a direct code is for many");

    const single = await scene.code(owner.token, SUB_KOL);
    accepted(await scene.bind((await scene.visitor()).token, single.code));
    for (const status of ["active", "disabled"]) {
      await scene.refuses(() => put(single.id, status, owner.token), 409, "INVALID_STATE");
    }
  });

  it("BRK-16: bad input for a code's status", async () => {
    const code = await scene.code(kol.token);
    for (const status of ["used", "expired", "", null, 5, {}]) {
      await scene.refuses(() => put(code.id, status), 400, "INVALID_FIELD");
    }
    await scene.refuses(() => put(code.id, undefined), 400, "FIELD_REQUIRED", "status is required");
    for (const id of ["x", "0", "-1", "1.5", "1e3", "99999999999", "2147483648", "%F0%9F%98%80"]) {
      await scene.refuses(() => put(id, "disabled"), 400, "INVALID_ID");
    }
    await scene.refuses(() => put(2_147_483_647, "disabled"), 404, "NOT_FOUND");
    const other = await scene.kol();
    await scene.refuses(() => put(code.id, "disabled", other.token), 404, "NOT_FOUND");
  });

  it("BRK-2: expiry is judged on read, and written down by the sweeper", async () => {
    const owner = await scene.kol();
    const [code, closed] = [await scene.code(owner.token, SUB_KOL), await scene.code(owner.token, SUB_KOL)];
    accepted(await put(closed.id, "disabled", owner.token));
    const visitor = scene.newWallet();
    const stored = async () => {
      const rows = await scene.db.selectFrom("broker_invite_code").selectAll().where("id", "=", code.id).execute();
      return rows[0]!.status;
    };
    // Only real time moves on, so the platform's jobs do not run.
    scene.platform.realTime.advance(7 * DAY_ms - 1);
    let token = await scene.token(owner.wallet);
    const status = async () => (await list(token)).map((one) => one.status);
    assert.deepEqual(await status(), ["disabled", "active"]);
    scene.platform.realTime.advance(1);
    token = await scene.token(owner.wallet);
    assert.equal(await stored(), "active");
    assert.deepEqual(await status(), ["disabled", "expired"]);
    const bind = async () => scene.bind(await scene.token(visitor), code.code);
    assertRefused(await bind(), 410, "CODE_EXPIRED", "code expired");
    for (const { id } of [code, closed]) assertRefused(await put(id, "active", token), 409, "INVALID_STATE");
    const run = await scene.platform.post("/api/v1/dev/jobs/broker-codes/run");
    assert.ok(accepted<{ result: { expired: number } }>(run).result.expired >= 1, run.body);
    assert.equal(await stored(), "expired");
    assertRefused(await bind(), 410, "CODE_EXPIRED", "code expired");
    await scene.renewAdmin();
    kol = { ...kol, token: await scene.token(kol.wallet) };
  });

  it("BRK-15: a bound sub-KOL's totals cover its own trades and its customers', rolled up or not", async () => {
    const parent = await scene.kol();
    const subKol = await scene.subKol(parent);
    await scene.fund(subKol);
    const account = await scene.accountOf(subKol.address);
    const sums = (fee: number, net: number) => ({
      fee_micros: fee,
      nominal_micros: net,
      customer_micros: 0,
      share_micros: 0,
      net_micros: net,
    });
    await scene.db
      .insertInto("broker_total")
      .values({ broker_id: subKol.id, records: 1, ...sums(5_000_000, 700_000), share_income_micros: 0 })
      .execute();
    await scene.db
      .insertInto("broker_downline_total")
      .values({ broker_id: parent.id, downline_account: account, ...sums(2_000_000, 9) })
      .execute();
    for (const [period, isRolledUp] of [
      ["2026-05-01", true],
      ["2026-05-02", false],
    ] as const) {
      await sql`
        insert into rebate_period (period, status, revision, root, leaf_count, broker_count, record_count, fee_micros,
          nominal_micros, customer_micros, share_micros, net_micros, affiliate_micros, is_rolled_up, calculated_at)
        values (${period}, 'closed', 1, '\\x00', 0, 0, 0, 0, 0, 0, 0, 0, 0, ${isRolledUp}, now())`.execute(scene.db);
      for (const downline of [account, account + 50_000]) {
        await sql`
          insert into rebate_record (id, period, kind, broker_id, downline_account, downline_wallet, revision, fee_micros,
            nominal_micros, customer_micros, share_micros, net_micros, rate_e6, customer_ratio_e6, share_ratio_e6,
            net_payee, leaf)
          values (gen_random_uuid(), ${period}, 'broker', ${parent.id}, ${downline}, ${subKol.address}, 0, 300000, 3, 0, 0,
            3, 0, 0, 0, ${parent.address}, '\\x00')`.execute(scene.db);
      }
    }
    const [code] = await list(parent.token, "?code_type=sub_kol");
    assert.deepEqual(code?.bound_broker, {
      wallet_address: subKol.address,
      nickname: null,
      bind_time: code?.bound_broker?.bind_time,
      total_fee: "7.30",
      total_commission: "0.70",
      total_volume: "0",
      status: "active",
    });
    accepted(await scene.admin("PUT", `/kol/${subKol.id}`, { status: "frozen" }));
    assert.equal((await list(parent.token))[0]?.bound_broker?.status, "frozen");
  });

  it("BRK-4: a code that is taken is drawn again", async () => {
    const taken = await scene.code(kol.token);
    const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const bytesOf = (code: string) => Buffer.from([...code].map((character) => alphabet.indexOf(character)));
    const draws = [bytesOf(taken.code), bytesOf(taken.code), bytesOf("ZZZZZZZ0")];
    const random: Random = { bytes: () => draws.shift()! };
    const { database, clock } = scene.platform;
    const audit = { append: assert.fail, list: assert.fail, count: assert.fail, verify: assert.fail };
    const codes = new InviteCodes({ database, clock, random, audit });
    assert.equal((await codes.create(kol.address, DIRECT)).code, "ZZZZZZZ0");
    const always: Random = { bytes: () => bytesOf(taken.code) };
    const broken = new InviteCodes({ database, clock, random: always, audit });
    await assert.rejects(broken.create(kol.address, DIRECT), /in a row/);
  });
});
