import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BdAccount, BulkReassignReply, InviteCode } from "@bourse/api";
import { accepted, assertRefused, PASSWORD, PartnersScene } from "./testing/scene.ts";

const UNKNOWN = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("BD accounts", () => {
  let scene: PartnersScene;
  before(async () => {
    scene = await PartnersScene.open();
  });
  after(() => scene.close());

  const create = (body: object) => scene.admin("POST", "/bd", body);
  const owners = async () =>
    accepted<{ broker_id: string; bd_owner_id: string | null }[]>(await scene.admin("GET", "/kols"));
  const ownerOf = async (id: string) => (await owners()).find(({ broker_id }) => broker_id === id)?.bd_owner_id;

  it("BRK-3: an admin makes a BD, who signs in with the initial password", async () => {
    const bd = accepted<BdAccount>(
      await create({ username: "Asia-Desk", display_name: "Asia desk", initial_password: PASSWORD }),
    );
    const { id, ...rest } = bd;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { username: "Asia-Desk", display_name: "Asia desk", role: "bd", status: "active" });
    const login = await scene.platform.post("/api/v1/broker/auth/login", { username: "asia-desk", password: PASSWORD });
    assert.equal(accepted<{ role: string }>(login).role, "bd");
    const audit = await scene.lastAudit("broker.bd.create");
    assert.deepEqual([audit?.actor, audit?.role, audit?.target], [await scene.adminId(), "admin", id]);
    assert.deepEqual(audit?.after, rest);
    assert.doesNotMatch(JSON.stringify(audit), /password|argon2/);
  });

  it("BRK-3: without a display name the username is shown", async () => {
    const bd = accepted<BdAccount>(await create({ username: "plain", initial_password: "12345678" }));
    assert.equal(bd.display_name, "plain");
  });

  it("BRK-16: a username exists once, ignoring case, also against admins", async () => {
    for (const username of ["asia-desk", "ASIA-DESK", scene.platform.settings.adminUsername]) {
      const call = () => create({ username, initial_password: PASSWORD });
      await scene.refuses(call, 400, "USERNAME_TAKEN", "username already exists");
    }
  });

  it("BRK-16: of two creations at once exactly one passes", async () => {
    const replies = await Promise.all(
      ["Twin", "twin"].map((username) => create({ username, initial_password: PASSWORD })),
    );
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 400]);
    assertRefused(replies.find(({ statusCode }) => statusCode === 400)!, 400, "USERNAME_TAKEN");
  });

  it("interface 4.1: BDs are listed newest first, admins are not among them", async () => {
    scene.platform.realTime.advance(1_000);
    const newest = await scene.bd();
    const list = accepted<BdAccount[]>(await scene.admin("GET", "/bds"));
    const { token: _token, ...shown } = newest;
    assert.deepEqual(list[0], shown);
    assert.equal(list.at(-1)?.role, "bd");
    assert.ok(!list.some(({ username }) => username === scene.platform.settings.adminUsername));
    assert.deepEqual(new Set(list.map(({ role }) => role)), new Set(["bd"]));
  });

  it("BRK-16: bad input for a new BD", async () => {
    const good = { username: "someone", initial_password: PASSWORD };
    for (const [change, code] of [
      [{ username: undefined }, "FIELD_REQUIRED"],
      [{ username: "" }, "INVALID_FIELD"],
      [{ username: "two words" }, "INVALID_FIELD"],
      [{ username: "x".repeat(65) }, "INVALID_FIELD"],
      [{ username: "nul\u0000" }, "INVALID_FIELD"],
      [{ username: "half\ud800" }, "INVALID_FIELD"],
      [{ username: 5 }, "INVALID_FIELD"],
      [{ username: null }, "INVALID_FIELD"],
      [{ display_name: "" }, "INVALID_FIELD"],
      [{ display_name: "x".repeat(65) }, "INVALID_FIELD"],
      [{ display_name: "a\u0007b" }, "INVALID_FIELD"],
      [{ display_name: 7 }, "INVALID_FIELD"],
      [{ initial_password: undefined }, "FIELD_REQUIRED"],
      [{ initial_password: "1234567" }, "INVALID_FIELD"],
      [{ initial_password: "x".repeat(257) }, "INVALID_FIELD"],
      [{ initial_password: {} }, "INVALID_FIELD"],
    ] as const) {
      await scene.refuses(() => create({ ...good, ...change }), 400, code);
    }
    await scene.refuses(() => create({}), 400, "FIELD_REQUIRED", "username is required");
  });

  it("SEC-2, SEC-3: disabling a BD ends its sessions at once, refresh tokens as well", async () => {
    const bd = await scene.bd();
    const login = { username: bd.username, password: PASSWORD };
    const { refresh_token } = accepted<{ refresh_token: string }>(
      await scene.platform.post("/api/v1/broker/auth/login", login),
    );
    assert.equal((await scene.call(bd.token, "GET", "/bd/kols")).statusCode, 200);
    assert.deepEqual(accepted(await scene.admin("PUT", `/bd/${bd.id}`, { status: "disabled" })), { id: bd.id });
    assertRefused(await scene.call(bd.token, "GET", "/bd/kols"), 401, "UNAUTHORIZED");
    assertRefused(await scene.platform.post("/api/v1/auth/refresh", { refresh_token }), 401, "UNAUTHORIZED");
    assertRefused(await scene.platform.post("/api/v1/broker/auth/login", login), 403, "FORBIDDEN");
    const audit = await scene.lastAudit("broker.bd.update");
    assert.deepEqual(audit?.before, { display_name: bd.username, status: "active" });
    assert.deepEqual(audit?.after, { display_name: bd.username, status: "disabled" });

    accepted(await scene.admin("PUT", `/bd/${bd.id}`, { status: "active", display_name: "Back again" }));
    assertRefused(await scene.call(bd.token, "GET", "/bd/kols"), 401, "UNAUTHORIZED");
    const token = await scene.bdToken(bd.username);
    assert.equal((await scene.call(token, "GET", "/bd/kols")).statusCode, 200);
  });

  it("BRK-16: bad input for a change, and nothing to change", async () => {
    const bd = await scene.bd();
    const change = (id: string, body: object) => () => scene.admin("PUT", `/bd/${id}`, body);
    await scene.refuses(change("12", {}), 400, "INVALID_ID");
    await scene.refuses(change(UNKNOWN, { status: "disabled" }), 404, "NOT_FOUND");
    await scene.refuses(change(await scene.adminId(), { status: "disabled" }), 404, "NOT_FOUND");
    for (const body of [
      { status: "frozen" },
      { status: null },
      { status: 1 },
      { display_name: "" },
      { display_name: [] },
    ]) {
      await scene.refuses(change(bd.id, body), 400, "INVALID_FIELD");
    }
    const unchanged = await scene.fingerprint();
    assert.deepEqual(accepted(await change(bd.id.toUpperCase(), {})()), { id: bd.id });
    assert.deepEqual(await scene.fingerprint(), unchanged);
  });

  it("BRK-15: all KOLs of a BD move with their sub-KOLs, and the BD may be disabled with it", async () => {
    const [from, to] = [await scene.bd(), await scene.bd()];
    const kol = await scene.kol(5, { bd_id: from.id });
    const subKol = await scene.subKol(kol);
    const other = await scene.kol(1, { bd_id: to.id });
    assert.equal(await ownerOf(subKol.id), from.id);
    const body = { new_owner: to.id, disable_bd: true, reason: "left the company" };
    const reply = accepted<BulkReassignReply>(await scene.admin("POST", `/bd/${from.id}/bulk-reassign`, body));
    assert.deepEqual(reply, { moved_kol_count: 2, new_owner: to.id, bd_disabled: true });
    assert.deepEqual([await ownerOf(kol.id), await ownerOf(subKol.id)], [to.id, to.id]);
    assertRefused(await scene.call(from.token, "GET", "/bd/kols"), 401, "UNAUTHORIZED");
    const audit = await scene.lastAudit("broker.bd.reassign");
    assert.equal(audit?.reason, "left the company");
    assert.deepEqual(audit?.before, { bd_owner_id: from.id, status: "active" });
    const broker_ids = [kol.id, subKol.id].sort();
    assert.deepEqual(audit?.after, { bd_owner_id: to.id, status: "disabled", broker_ids });

    const home = await scene.admin("POST", `/bd/${to.id}/bulk-reassign`, { new_owner: "__company__" });
    assert.deepEqual(accepted(home), { moved_kol_count: 3, new_owner: "__company__", bd_disabled: false });
    assert.deepEqual([await ownerOf(kol.id), await ownerOf(other.id)], [null, null]);
    assert.equal((await scene.call(to.token, "GET", "/bd/kols")).statusCode, 200);
  });

  it("WIRE-3: bad input for moving all KOLs", async () => {
    const [bd, disabled] = [await scene.bd(), await scene.bd()];
    await scene.kol(1, { bd_id: bd.id });
    accepted(await scene.admin("PUT", `/bd/${disabled.id}`, { status: "disabled" }));
    const move = (id: string, body: object) => () => scene.admin("POST", `/bd/${id}/bulk-reassign`, body);
    await scene.refuses(move(bd.id, {}), 400, "FIELD_REQUIRED", "new_owner is required");
    await scene.refuses(move(bd.id, { new_owner: "company" }), 400, "INVALID_ID");
    await scene.refuses(move(bd.id, { new_owner: "" }), 400, "INVALID_ID");
    await scene.refuses(move(bd.id, { new_owner: null }), 400, "INVALID_FIELD");
    await scene.refuses(move(bd.id, { new_owner: UNKNOWN }), 404, "NOT_FOUND");
    await scene.refuses(move(bd.id, { new_owner: await scene.adminId() }), 404, "NOT_FOUND");
    await scene.refuses(move(bd.id, { new_owner: disabled.id }), 409, "INVALID_STATE");
    await scene.refuses(move(bd.id, { new_owner: bd.id.toUpperCase() }), 400, "INVALID_FIELD");
    await scene.refuses(move(bd.id, { new_owner: "__company__", disable_bd: "true" }), 400, "INVALID_FIELD");
    await scene.refuses(move(bd.id, { new_owner: "__company__", reason: "x".repeat(501) }), 400, "INVALID_FIELD");
    await scene.refuses(move(bd.id, { new_owner: "__company__", reason: "a\u0000b" }), 400, "INVALID_FIELD");
    await scene.refuses(move("unknown", { new_owner: "__company__" }), 400, "INVALID_ID");
    await scene.refuses(move(UNKNOWN, { new_owner: "__company__" }), 404, "NOT_FOUND");
    await scene.refuses(move(await scene.adminId(), { new_owner: "__company__" }), 404, "NOT_FOUND");
    const emptied = accepted<BulkReassignReply>(await move(disabled.id, { new_owner: bd.id })());
    assert.equal(emptied.moved_kol_count, 0, "a disabled BD can be emptied, even where nothing is left");
  });

  it("BRK-3: a BD makes codes and sees its own KOLs, codes and figures only", async () => {
    const [bd, other] = [await scene.bd(), await scene.bd()];
    const make = (body: object) => scene.call(bd.token, "POST", "/bd/invite-code", body);
    const code = accepted<InviteCode>(await make({ level: 3, note: " for Moon Li " }));
    assert.match(code.code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
    const expire_at = new Date(scene.platform.clock.now() + 7 * 86_400_000).toISOString();
    assert.deepEqual(code, {
      id: code.id,
      code: code.code,
      code_type: "bd",
      share_ratio: "0",
      rebate_rate: "0.3",
      level: 3,
      note: "for Moon Li",
      cached_used_count: 0,
      status: "active",
      expire_at,
      bound_broker: null,
    });
    assert.equal((await scene.lastAudit("broker.code.create"))?.actor, bd.id);
    const visitor = await scene.visitor();
    const bound = accepted<Record<string, unknown>>(await scene.bind(visitor.token, code.code));
    assert.deepEqual([bound["code_type"], bound["inviter_wallet"], bound["inviter_name"]], ["bd", null, bd.username]);

    const [kol, ...rest] = accepted<Record<string, unknown>[]>(await scene.call(bd.token, "GET", "/bd/kols"));
    assert.deepEqual(rest, []);
    assert.deepEqual(kol, {
      broker_id: kol?.["broker_id"],
      wallet_address: visitor.address,
      nickname: null,
      bd_owner_id: bd.id,
      level: 3,
      rebate_rate: "0.3",
      parent_broker: null,
      invitee_count: 0,
      status: "active",
    });
    const [listed] = accepted<InviteCode[]>(await scene.call(bd.token, "GET", "/bd/invite-codes"));
    assert.deepEqual([listed?.status, listed?.cached_used_count], ["used", 1]);
    assert.equal(listed?.bound_broker?.wallet_address, visitor.address);
    assert.deepEqual(accepted(await scene.call(other.token, "GET", "/bd/kols")), []);
    assert.deepEqual(accepted(await scene.call(other.token, "GET", "/bd/invite-codes")), []);
    const third = await scene.visitor();
    await scene.refuses(() => scene.bind(third.token, code.code), 410, "CODE_EXPIRED", "code expired");

    accepted(await make({ level: 1 }));
    const dashboard = accepted<Record<string, unknown>>(await scene.call(bd.token, "GET", "/bd/dashboard"));
    assert.deepEqual(dashboard, {
      kol_count: 1,
      sub_kol_count: 0,
      frozen_kol_count: 0,
      customer_count: 0,
      total_fee: "0.00",
      total_nominal_rebate: "0.00",
      total_kol_rebate: "0.00",
      platform_net_retention: "0.00",
      total_customer_rebate: "0.00",
      total_share: "0.00",
      codes: { active: 1, used: 1, expired: 0, disabled: 0 },
    });
  });

  it("BRK-16: bad input for a BD's code; a BD closes its own codes only", async () => {
    const [bd, other] = [await scene.bd(), await scene.bd()];
    const make = (body: object) => () => scene.call(bd.token, "POST", "/bd/invite-code", body);
    await scene.refuses(make({}), 400, "FIELD_REQUIRED", "level is required");
    await scene.refuses(make({ level: 6 }), 400, "TIER_NOT_FOUND");
    for (const body of [{ level: 0 }, { level: "3" }, { level: 1.5 }, { level: null }, { level: 1_001 }]) {
      await scene.refuses(make(body), 400, "INVALID_FIELD");
    }
    for (const note of ["x".repeat(201), "a\u0000b", "half\udc00", 5]) {
      await scene.refuses(make({ level: 1, note }), 400, "INVALID_FIELD");
    }
    const code = accepted<InviteCode>(await make({ level: 1 })());
    const close = (token: string) => () => scene.call(token, "PUT", `/invite-code/${code.id}`, { status: "disabled" });
    await scene.refuses(close(other.token), 404, "NOT_FOUND");
    assert.equal(accepted<InviteCode>(await close(bd.token)()).status, "disabled");
    const audit = await scene.lastAudit("broker.code.update");
    assert.deepEqual(
      [audit?.actor, audit?.role, audit?.before, audit?.after],
      [bd.id, "bd", { status: "active" }, { status: "disabled" }],
    );
  });

  it("BRK-15: the codes of a disabled BD accept no binds, its KOLs keep working", async () => {
    const bd = await scene.bd();
    const code = accepted<InviteCode>(await scene.call(bd.token, "POST", "/bd/invite-code", { level: 2 }));
    const kol = await scene.kol(2, { bd_id: bd.id });
    accepted(await scene.admin("PUT", `/bd/${bd.id}`, { status: "disabled" }));
    const visitor = await scene.visitor();
    await scene.refuses(() => scene.bind(visitor.token, code.code), 410, "CODE_EXPIRED", "code expired");
    accepted(await scene.bind(visitor.token, (await scene.code(kol.token)).code));
  });
});
