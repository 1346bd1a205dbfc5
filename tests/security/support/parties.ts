/**
 * Two traders who are also partners, each with a BD, a sub-KOL and a customer, and one of everything that they can own.
 */
import assert from "node:assert/strict";
import type { InviteCode, NewApiKey } from "@bourse/api";
import { sql } from "kysely";
import { EarnScene } from "../../../apps/server/src/earn/testing/scene.ts";
import { type TestPlatform, testWallet } from "../../../apps/server/src/testing/test-platform.ts";
import { waitFor } from "../../support/waiting.ts";
import { type Call, callWith, done, enter, type Person, type Reply } from "./people.ts";

const USDT = 1_000_000n;
const DAY_ms = 86_400_000;
const HALF_DAY_ms = DAY_ms / 2;
const PASSWORD = "a long password of a BD";
const DIRECT = { code_type: "direct", share_ratio: "0.2", customer_rebate_ratio: "0.1" };
const SUB_KOL = { code_type: "sub_kol", share_ratio: "0.2", sub_kol_rebate_rate: "0.2" };
export const SYMBOL = "BTCUSDT";

interface Staff {
  readonly id: string;
  readonly username: string;
  token: string;
}

/** What belongs to one party. */
export interface Party extends Person {
  readonly name: string;
  readonly bd: Staff;
  readonly sub: Person;
  readonly customer: Person;
  readonly bdCode: InviteCode;
  readonly directCode: InviteCode;
  account: number;
  brokerId: string;
  key: NewApiKey;
  listenKey: string;
  /** A resting order that was modified once, and a waiting conditional order. */
  orderId: number;
  clientOrderId: string;
  algoId: number;
  clientAlgoId: string;
  /** An address to which API keys may withdraw, and a withdrawal with its request id. */
  withdrawTo: string;
  withdrawalId: string;
  requestId: string;
  subscriptionId: string;
  recordId: string;
  bonusCode: string;
  downloadId: string;
}

export interface World {
  readonly platform: TestPlatform;
  readonly scene: EarnScene;
  readonly victim: Party;
  readonly attacker: Party;
  readonly productId: string;
  readonly batchId: string;
  readonly grantBatchId: string;
  admin(call: Call): Promise<Reply>;
  close(): Promise<void>;
}

class Builder {
  readonly scene: EarnScene;
  readonly platform: TestPlatform;
  #wallets = 7_000;
  #adminToken = "";

  constructor(scene: EarnScene) {
    this.scene = scene;
    this.platform = scene.platform;
  }

  async renewAdmin(): Promise<void> {
    this.#adminToken = (await this.platform.adminSignIn()).access_token;
  }

  admin(call: Call): Promise<Reply> {
    return callWith(this.platform, this.#adminToken, call);
  }

  as({ tokens }: Person, call: Call): Promise<Reply> {
    return callWith(this.platform, tokens.access_token, call);
  }

  async person(): Promise<Person> {
    this.#wallets += 1;
    const person = await enter(this.platform, testWallet(this.#wallets));
    await this.fund(person);
    return person;
  }

  async fund({ address }: Person): Promise<void> {
    const reply = await this.platform.post("/api/v1/dev/faucet", { address, amount: "50000" });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  async bd(username: string): Promise<Staff> {
    const body = { username, initial_password: PASSWORD };
    const { id } = done<{ id: string }>(await this.admin({ method: "POST", path: "/api/v1/broker/admin/bd", body }));
    return { id, username, token: await this.bdToken(username) };
  }

  async bdToken(username: string): Promise<string> {
    const reply = await this.platform.post("/api/v1/broker/auth/login", { username, password: PASSWORD });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json().access_token;
  }

  async bind(person: Person, code: string): Promise<void> {
    done(await this.as(person, { method: "POST", path: "/api/v1/broker/bind", body: { code } }));
  }

  async code(owner: Person, body: object): Promise<InviteCode> {
    return done(await this.as(owner, { method: "POST", path: "/api/v1/broker/invite-code", body }));
  }

  /** A KOL with its own BD, a sub-KOL and a customer. */
  async partner(name: string): Promise<Party> {
    const bd = await this.bd(`bd-${name}`);
    const person = await this.person();
    const making = { method: "POST", path: "/api/v1/broker/bd/invite-code", body: { level: 3 } } as const;
    const kolCode = done<InviteCode>(await callWith(this.platform, bd.token, making));
    await this.bind(person, kolCode.code);
    const bdCode = done<InviteCode>(await callWith(this.platform, bd.token, making));
    const sub = await this.person();
    await this.bind(sub, (await this.code(person, SUB_KOL)).code);
    const customer = await this.person();
    const directCode = await this.code(person, DIRECT);
    await this.bind(customer, directCode.code);
    return { ...UNKNOWN, ...person, name, bd, sub, customer, bdCode, directCode };
  }

  /** Every person buys from the maker. */
  async trade(maker: Person, people: readonly Person[]): Promise<void> {
    const order = { symbol: SYMBOL, type: "LIMIT", price: "60000", quantity: "0.010" };
    for (const person of people) {
      done(await this.as(maker, { method: "POST", path: "/orders", body: { ...order, side: "SELL" } }));
      done(await this.as(person, { method: "POST", path: "/orders", body: { ...order, side: "BUY" } }));
    }
  }

  /** Moves past midnight: the day's fees become rebate records. Access tokens expire before. */
  async endDay(people: readonly Person[]): Promise<void> {
    await this.scene.moveTo(HALF_DAY_ms + 11 * 60_000);
    await this.renewAdmin();
    for (const person of people) person.tokens = await this.platform.signIn(person.wallet);
    const body = { period: "2026-06-01" };
    done(await this.admin({ method: "POST", path: "/api/v1/broker/admin/rebate/calculate", body }));
  }

  /** Makes the orders, keys and addresses that the attacks use. */
  async equip(party: Party): Promise<void> {
    const { name } = party;
    const order = { symbol: SYMBOL, side: "BUY", quantity: "0.010" };
    const clientOrderId = `order-of-${name}`;
    const limit = { ...order, type: "LIMIT", price: "59000", timeInForce: "GTC", newClientOrderId: clientOrderId };
    const placed = await this.as(party, { method: "POST", path: "/fapi/v1/order", query: limit });
    party.orderId = done<{ orderId: number }>(placed).orderId;
    party.clientOrderId = clientOrderId;
    const change = { symbol: SYMBOL, orderId: String(party.orderId), quantity: "0.020", price: "58900" };
    done(await this.as(party, { method: "PUT", path: "/fapi/v1/order", query: change }));
    party.clientAlgoId = `algo-of-${name}`;
    const waiting = { ...order, type: "STOP_MARKET", triggerPrice: "66000", clientAlgoId: party.clientAlgoId };
    const algo = await this.as(party, {
      method: "POST",
      path: "/fapi/v1/algoOrder",
      query: { ...waiting, algoType: "CONDITIONAL" },
    });
    party.algoId = done<{ algoId: number }>(algo).algoId;
    party.listenKey = done<{ listenKey: string }>(
      await this.as(party, { method: "POST", path: "/fapi/v1/listenKey" }),
    ).listenKey;
    const keyBody = { label: `key of ${name}`, permissions: ["READ", "TRADE", "WITHDRAW"] };
    party.key = done(await this.as(party, { method: "POST", path: "/api/v1/account/api-keys", body: keyBody }));
    party.downloadId = await this.#download(party);
    await this.#equipWallet(party);
  }

  /** A file of its trades. */
  async #download(party: Party): Promise<string> {
    const query = { startTime: "0", endTime: "1" };
    const asked = await this.as(party, { method: "GET", path: "/fapi/v1/trade/asyn", query });
    assert.equal((await this.platform.post("/api/v1/dev/jobs/downloads/run")).json().ok, true);
    return done<{ downloadId: string }>(asked).downloadId;
  }

  async #equipWallet(party: Party): Promise<void> {
    const { name } = party;
    party.withdrawTo = testWallet(name === "victim" ? 7_901 : 7_902).address.toLowerCase();
    const address = { address: party.withdrawTo, label: `cold storage of ${name}` };
    done(await this.as(party, { method: "POST", path: "/withdraw/addresses", body: address }));
    party.requestId = `withdrawal-of-${name}`;
    const body = { amount: "25", request_id: party.requestId };
    const held = done<{ withdrawal_id: string }>(
      await this.as(party, { method: "POST", path: "/withdraw/request", body }),
    );
    party.withdrawalId = held.withdrawal_id;
    await waitFor(() => this.#isPaid(party), { what: "the withdrawal to be paid" });
  }

  /** Until it is paid, the list that shows it changes by itself. */
  async #isPaid(party: Party): Promise<boolean> {
    await this.scene.sync();
    const list = await this.as(party, { method: "GET", path: "/withdraw/list" });
    return done<{ withdrawals: { status: string }[] }>(list).withdrawals.every(({ status }) => status === "confirmed");
  }

  async bonus(party: Party, grant_batch_id: string): Promise<void> {
    const path = "/api/v1/bonus/admin/generate-codes";
    const terms = { amount: "10", count: 1, ttl_days: 30, operator_addr: party.address };
    const body = { grant_batch_id, ...terms, request_id: `codes-${party.name}` };
    const { codes } = done<{ codes: string[] }>(await this.admin({ method: "POST", path, body }));
    party.bonusCode = codes[0] ?? assert.fail("a code was generated");
    const redeem = { method: "POST", path: "/api/v1/bonus/redeem", body: { code: party.bonusCode } } as const;
    // The other party keeps its code: with a bonus, its redemptions would be refused for that reason.
    if (party.name === "victim") done(await this.as(party, redeem));
  }

  async grantBatch(operator_addr: string): Promise<string> {
    const path = "/api/v1/bonus/admin/grant-batch";
    const terms = { batch_name: "Round", grant_tier: "COMMUNITY", per_address_amount: "10", max_leverage: 10 };
    const body = { ...terms, recipients: ["nobody"], operator_addr, request_id: "batch-1" };
    return done<{ grant_batch_id: string }>(await this.admin({ method: "POST", path, body })).grant_batch_id;
  }

  /** Reads the ids that the database has for them. */
  async identify(party: Party): Promise<void> {
    const { db } = this.platform.database;
    const { rows } = await sql<{ account: number; broker: string; record: string }>`
      select own.account, broker.id as broker,
        (select id from rebate_record where broker_id = broker.id order by id limit 1) as record
      from exchange_account own join broker on broker.wallet_address = own.address
      where own.address = ${party.address}`.execute(db);
    const [row = assert.fail("the party has an account and is a broker")] = rows;
    party.account = row.account;
    party.brokerId = row.broker;
    assert.equal(typeof row.record, "string", "the party has a rebate record");
    party.recordId = row.record;
  }
}

/** Placeholders until each id is known. */
const UNKNOWN = {
  account: 0,
  brokerId: "",
  key: { api_key: "", api_secret: "" } as NewApiKey,
  listenKey: "",
  orderId: 0,
  clientOrderId: "",
  algoId: 0,
  clientAlgoId: "",
  withdrawTo: "",
  withdrawalId: "",
  requestId: "",
  subscriptionId: "",
  recordId: "",
  bonusCode: "",
  downloadId: "",
};

async function invest(builder: Builder, parties: readonly Party[]): Promise<string> {
  const { scene } = builder;
  const { id } = await scene.product({ subscribe_end_time: new Date(builder.platform.clock.now() + DAY_ms * 3) });
  for (const party of parties) {
    await scene.give(party.wallet, 1_000n * USDT);
    await scene.invest(party.wallet, id, "100");
    const [own] = await scene.subscriptions(party.wallet);
    party.subscriptionId = own?.id ?? assert.fail("the subscription is listed");
  }
  return id;
}

export async function openWorld(): Promise<World> {
  const scene = await EarnScene.open({ BONUS_POOL_CAP_USDT: "100000" });
  const builder = new Builder(scene);
  const { platform } = builder;
  await builder.renewAdmin();
  const pinned = await platform.post("/api/v1/dev/price", { symbol: SYMBOL, price: "60000" });
  assert.equal(pinned.statusCode, 200, pinned.body);
  const [victim, attacker] = [await builder.partner("victim"), await builder.partner("attacker")];
  const parties = [victim, attacker];
  const maker = await builder.person();
  const everybody = parties.flatMap((party) => [party, party.sub, party.customer]);
  // Twice, so that every list has a second page of one row.
  for (let round = 0; round < 2; round += 1) await builder.trade(maker, everybody);
  const productId = await invest(builder, parties);
  await builder.endDay([...everybody, maker]);
  for (const { bd } of parties) bd.token = await builder.bdToken(bd.username);
  const grantBatchId = await builder.grantBatch(maker.address);
  for (const party of parties) {
    await builder.equip(party);
    await builder.bonus(party, grantBatchId);
    await builder.identify(party);
  }
  const batch = await builder.admin({ method: "POST", path: "/api/v1/broker/admin/rebate/payout-batches", body: {} });
  const batchId = done<{ id: string }>(batch).id;
  return {
    platform,
    scene,
    victim,
    attacker,
    productId,
    batchId,
    grantBatchId,
    admin: (call) => builder.admin(call),
    close: () => scene.close(),
  };
}

/** Texts that show that a reply is about this party. */
export function marksOf(party: Party): readonly string[] {
  const people = [party, party.sub, party.customer].map(({ address }) => address);
  const codes = [party.directCode.code, party.bdCode.code, party.bonusCode];
  const names = [party.clientOrderId, party.clientAlgoId, party.bd.username];
  const ids = [party.brokerId, party.bd.id, party.recordId, party.subscriptionId, party.withdrawalId];
  const secrets = [party.listenKey, party.key.api_key, party.key.api_secret, party.withdrawTo];
  const marks = [...people, ...codes, ...names, ...ids, ...secrets];
  assert.ok(marks.every((mark) => mark.length >= 6));
  return marks;
}
