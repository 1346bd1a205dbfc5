import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AdminKol, KolTierReply } from "@bourse/api";
import { BrokerBooks } from "../testing/books.ts";
import { accepted, lower, PartnersScene } from "./testing/scene.ts";

const UNKNOWN = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("KOLs", () => {
  let scene: PartnersScene;
  before(async () => {
    scene = await PartnersScene.open();
  });
  after(() => scene.close());

  const put = (path: string, body: object) => scene.admin("PUT", path, body);
  const kols = async (query = "") => accepted<AdminKol[]>(await scene.admin("GET", `/kols${query}`));
  const read = async (id: string) => (await kols()).find(({ broker_id }) => broker_id === id);
  /** The rates and statuses of a broker's terms, oldest first. */
  const terms = async (id: string) =>
    (await scene.termsOf(id)).map(({ rate_e6, parent_rate_e6, status, cause }) => [
      cause,
      rate_e6,
      parent_rate_e6,
      status,
    ]);

  it("BRK-3: an admin makes a KOL at its tier's rate", async () => {
    const bd = await scene.bd();
    const wallet = scene.newWallet();
    const body = { wallet_address: wallet.address, level: 3, bd_id: bd.id, nickname: " Moon Li ", reason: "signed" };
    const kol = accepted<AdminKol>(await scene.admin("POST", "/kol", body));
    const { broker_id, ...rest } = kol;
    assert.deepEqual(rest, {
      wallet_address: lower(wallet),
      nickname: "Moon Li",
      bd_owner_id: bd.id,
      level: 3,
      rebate_rate: "0.3",
      parent_broker: null,
      invitee_count: 0,
      status: "active",
    });
    assert.deepEqual(await terms(broker_id), [], "SEC-11: not before it has an account");
    const audit = await scene.lastAudit("broker.kol.create");
    assert.deepEqual([audit?.target, audit?.reason], [broker_id, "signed"]);
    const { invitee_count: _count, parent_broker: _parent, ...noted } = rest;
    assert.deepEqual(audit?.after, noted);
    const call = () => scene.admin("POST", "/kol", body);
    await scene.refuses(call, 409, "ALREADY_A_BROKER");
    await scene.fund(wallet);
    assert.deepEqual(await terms(broker_id), [["created", 300_000, null, "active"]]);
  });

  it("BRK-3: bad input for a new KOL", async () => {
    const disabled = await scene.bd();
    accepted(await put(`/bd/${disabled.id}`, { status: "disabled" }));
    const good = { wallet_address: scene.newWallet().address, level: 1 };
    for (const [change, status, code] of [
      [{ wallet_address: undefined }, 400, "FIELD_REQUIRED"],
      [{ wallet_address: "0x12" }, 400, "INVALID_FIELD"],
      [{ wallet_address: null }, 400, "INVALID_FIELD"],
      [{ level: undefined }, 400, "FIELD_REQUIRED"],
      [{ level: 0 }, 400, "INVALID_FIELD"],
      [{ level: "1" }, 400, "INVALID_FIELD"],
      [{ level: 6 }, 400, "TIER_NOT_FOUND"],
      [{ bd_id: "nobody" }, 400, "INVALID_ID"],
      [{ bd_id: UNKNOWN }, 404, "NOT_FOUND"],
      [{ bd_id: await scene.adminId() }, 404, "NOT_FOUND"],
      [{ bd_id: disabled.id }, 409, "INVALID_STATE"],
      [{ nickname: "" }, 400, "INVALID_FIELD"],
      [{ nickname: "x".repeat(41) }, 400, "INVALID_FIELD"],
      [{ nickname: "a\u0000" }, 400, "INVALID_FIELD"],
      [{ nickname: "\u202Egnp" }, 400, "INVALID_FIELD"],
    ] as const) {
      await scene.refuses(() => scene.admin("POST", "/kol", { ...good, ...change }), status, code);
    }
    const kol = await scene.kol();
    const customer = await scene.visitor();
    accepted(await scene.bind(customer.token, (await scene.code(kol.token)).code));
    const bound = { wallet_address: customer.address, level: 1 };
    await scene.refuses(() => scene.admin("POST", "/kol", bound), 409, "ALREADY_BOUND", "already bound");
  });

  it("BRK-3: of two creations of one KOL at once exactly one passes", async () => {
    const body = { wallet_address: scene.newWallet().address, level: 1 };
    const replies = await Promise.all([1, 2].map(() => scene.admin("POST", "/kol", body)));
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409]);
  });

  it("BRK-8: rate and status raise the terms of the KOL and of its sub-KOLs, each change once", async () => {
    const kol = await scene.kol(5);
    const subKol = await scene.subKol(kol, "0.3");
    for (const partner of [kol, subKol]) await scene.fund(partner);
    assert.deepEqual(await terms(subKol.id), [["created", 300_000, 400_000, "active"]]);
    const change = async (body: object) => accepted(await put(`/kol/${kol.id}`, body));
    assert.deepEqual(await change({ rebate_rate: 0.25, reason: "slow month" }), { broker_id: kol.id, updated: true });
    assert.deepEqual(await terms(kol.id), [
      ["created", 400_000, null, "active"],
      ["rate", 250_000, null, "active"],
    ]);
    assert.deepEqual((await terms(subKol.id))[1], ["rate", 300_000, 250_000, "active"]);
    const audit = await scene.lastAudit("broker.kol.update");
    assert.deepEqual(audit?.before, { nickname: null, level: 5, rebate_rate: "0.4", status: "active" });
    assert.deepEqual(audit?.after, { nickname: null, level: 5, rebate_rate: "0.25", status: "active" });
    assert.equal(audit?.reason, "slow month");

    await change({ status: "frozen" });
    await change({ status: "frozen" });
    await change({ rebate_rate: "0.250" });
    await change({ level: 4 });
    assert.equal((await terms(kol.id)).length, 3, "only what differs is new terms");
    await change({ status: "active" });
    assert.deepEqual(
      (await terms(kol.id)).slice(2).map(([cause, , , status]) => [cause, status]),
      [
        ["status", "frozen"],
        ["status", "active"],
      ],
    );
    assert.deepEqual(await read(kol.id), { ...(await read(kol.id)), level: 4, rebate_rate: "0.25", status: "active" });
  });

  it("interface 3.1: nothing given is nothing updated", async () => {
    const kol = await scene.kol();
    const unchanged = await scene.fingerprint();
    assert.deepEqual(accepted(await put(`/kol/${kol.id}`, {})), { broker_id: kol.id, updated: false });
    assert.deepEqual(accepted(await put(`/kol/${kol.id}`, { other: 1 })), { broker_id: kol.id, updated: false });
    assert.deepEqual(await scene.fingerprint(), unchanged);
  });

  it("a nickname is changed and taken away without new terms, also a sub-KOL's", async () => {
    const kol = await scene.kol();
    const before = await terms(kol.id);
    assert.equal(accepted<{ updated: boolean }>(await put(`/kol/${kol.id}`, { nickname: " New Name " })).updated, true);
    assert.equal((await read(kol.id))?.nickname, "New Name");
    accepted(await put(`/kol/${kol.id}`, { nickname: null }));
    assert.equal((await read(kol.id))?.nickname, null);
    assert.equal((await put(`/kol/${kol.id}`, { nickname: "" })).statusCode, 400);
    assert.deepEqual(await terms(kol.id), before);
  });

  it("BRK-16: bad input for a KOL", async () => {
    const kol = await scene.kol();
    const change = (body: object, id = kol.id) => scene.refuses.bind(scene, () => put(`/kol/${id}`, body));
    await change({}, "12")(400, "INVALID_ID");
    await change({ status: "frozen" }, UNKNOWN)(404, "NOT_FOUND");
    await change({}, UNKNOWN)(404, "NOT_FOUND");
    for (const rebate_rate of [1.000001, -0.1, "-0.1", "1e-1", "0.1234567", "", " 0.1", "NaN", "0x1", "1,0", 1e-7]) {
      await change({ rebate_rate })(400, "RATIO_OUT_OF_RANGE");
    }
    for (const body of [
      { rebate_rate: null },
      { rebate_rate: {} },
      { rebate_rate: true },
      { level: 0 },
      { level: -1 },
      { level: 2.5 },
      { level: "2" },
      { level: null },
      { status: "disabled" },
      { status: null },
      { reason: 5 },
      { status: "frozen", reason: "a\u0000" },
    ]) {
      await change(body)(400, "INVALID_FIELD");
    }
    await change({ level: 6 })(400, "TIER_NOT_FOUND");
    // If one field is wrong, the valid fields are not changed either.
    await change({ status: "frozen", rebate_rate: 2 })(400, "RATIO_OUT_OF_RANGE");
  });

  it("BRK-16: a sub-KOL's level, rate, tier and owner are fixed; its status is not", async () => {
    const kol = await scene.kol();
    const sub = await scene.subKol(kol);
    for (const partner of [kol, sub]) await scene.fund(partner);
    const { id } = sub;
    const immutable = (path: string, body: object) =>
      scene.refuses(() => put(`/kol/${id}${path}`, body), 400, "SUB_KOL_IMMUTABLE");
    await immutable("", { level: 1 });
    await immutable("", { rebate_rate: "0.1" });
    await immutable("", { rebate_rate: "0.1", status: "frozen" });
    await immutable("/tier", { tier_level: 1 });
    await immutable("/tier", { tier_level: 99 });
    await immutable("/reassign", { new_owner: "__company__" });
    assert.deepEqual(accepted(await put(`/kol/${id}`, { status: "frozen" })), { broker_id: id, updated: true });
    assert.equal((await terms(id)).length, 2);
    assert.equal((await terms(kol.id)).length, 1, "the parent's terms are its own");
  });

  it("interface 4.1: a tier gives its rate", async () => {
    const kol = await scene.kol(1);
    await scene.fund(kol);
    const reply = accepted<KolTierReply>(await put(`/kol/${kol.id}/tier`, { tier_level: 4 }));
    assert.deepEqual(reply, { broker_id: kol.id, tier_level: 4, rebate_rate: "0.35", label: "Platinum" });
    assert.deepEqual((await terms(kol.id)).at(-1), ["rate", 350_000, null, "active"]);
    const audit = await scene.lastAudit("broker.kol.tier");
    assert.deepEqual(audit?.before, { nickname: null, level: 1, rebate_rate: "0.2", status: "active" });
    assert.deepEqual(audit?.after, { nickname: null, level: 4, rebate_rate: "0.35", status: "active" });
    const tier = (body: object, id = kol.id) => scene.refuses.bind(scene, () => put(`/kol/${id}/tier`, body));
    await tier({ tier_level: 9 })(400, "TIER_NOT_FOUND");
    await tier({ tier_level: 0 })(400, "TIER_NOT_FOUND");
    await tier({})(400, "FIELD_REQUIRED");
    await tier({ tier_level: "4" })(400, "INVALID_FIELD");
    await tier({ tier_level: 1.5 })(400, "INVALID_FIELD");
    await tier({ tier_level: 1 }, UNKNOWN)(404, "NOT_FOUND");
    await tier({ tier_level: 1 }, "me")(400, "INVALID_ID");
  });

  it("WIRE-3: a KOL is given to a BD or to the company, with its sub-KOLs", async () => {
    const [bd, disabled] = [await scene.bd(), await scene.bd()];
    accepted(await put(`/bd/${disabled.id}`, { status: "disabled" }));
    const kol = await scene.kol();
    const subKol = await scene.subKol(kol);
    const reassign = (body: object, id = kol.id) => put(`/kol/${id}/reassign`, body);
    const reply = await reassign({ new_owner: bd.id.toUpperCase(), reason: "region" });
    assert.deepEqual(accepted(reply), { broker_id: kol.id, new_bd_id: bd.id });
    assert.deepEqual([(await read(kol.id))?.bd_owner_id, (await read(subKol.id))?.bd_owner_id], [bd.id, bd.id]);
    const audit = await scene.lastAudit("broker.kol.reassign");
    assert.deepEqual([audit?.before, audit?.after], [{ bd_owner_id: null }, { bd_owner_id: bd.id }]);
    assert.equal(audit?.reason, "region");
    const later = await scene.subKol(kol);
    assert.equal((await read(later.id))?.bd_owner_id, bd.id, "a new sub-KOL belongs to its parent's BD");
    assert.deepEqual(accepted(await reassign({ new_owner: "__company__" })), { broker_id: kol.id, new_bd_id: null });
    assert.equal((await read(later.id))?.bd_owner_id, null);

    const refuses = (body: object, id?: string) => scene.refuses.bind(scene, () => reassign(body, id));
    await refuses({})(400, "FIELD_REQUIRED");
    await refuses({ new_owner: "company" })(400, "INVALID_ID");
    await refuses({ new_owner: 5 })(400, "INVALID_FIELD");
    await refuses({ new_owner: UNKNOWN })(404, "NOT_FOUND");
    await refuses({ new_owner: await scene.adminId() })(404, "NOT_FOUND");
    await refuses({ new_owner: disabled.id })(409, "INVALID_STATE");
    await refuses({ new_owner: bd.id }, UNKNOWN)(404, "NOT_FOUND");
    await refuses({ new_owner: bd.id }, "x")(400, "INVALID_ID");
  });

  it("interface 4.1: KOLs are listed newest first, by BD, at most 200 without one", async () => {
    const bd = await scene.bd();
    const kol = await scene.kol(5, { bd_id: bd.id });
    scene.platform.realTime.advance(1_000);
    const subKol = await scene.subKol(kol, "0.123456");
    accepted(await scene.bind((await scene.visitor()).token, (await scene.code(kol.token)).code));
    const list = await kols(`?bd_id=${bd.id}`);
    assert.deepEqual(
      list.map(({ broker_id, level, rebate_rate, parent_broker, invitee_count }) => [
        broker_id,
        level,
        rebate_rate,
        parent_broker,
        invitee_count,
      ]),
      [
        [subKol.id, null, "0.123456", kol.address, 0],
        [kol.id, 5, "0.4", null, 2],
      ],
    );
    assert.deepEqual(await kols(`?bd_id=${UNKNOWN}`), []);
    assert.ok((await kols("?bd_id=__company__")).every(({ bd_owner_id }) => bd_owner_id === null));
    await scene.refuses(() => scene.admin("GET", "/kols?bd_id=x"), 400, "INVALID_ID");
    const books = new BrokerBooks(scene.platform.database, { firstAccount: 100_001 });
    for (let count = 0; count < 201; count += 1) await books.kol({ rate: 0.1 });
    assert.equal((await kols()).length, 200);
    const company = await kols("?bd_id=__company__");
    assert.ok(company.length > 200, "all of an owner's");
  });
});
