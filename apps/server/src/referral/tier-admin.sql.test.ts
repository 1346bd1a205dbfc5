import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Operator } from "../chain/operator/operator.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { ApiError } from "../kernel/errors.ts";
import { seededRandom } from "../kernel/random.ts";
import { referralContractOn } from "./contract.ts";
import { ReferralReads } from "./reads.ts";
import {
  bytes32,
  GOLD,
  lower,
  OPERATOR_KEY,
  openReferralScene,
  type ReferralScene,
  sceneMigrations,
} from "./testing/referral-scene.ts";
import { TierAdmin } from "./tier-admin.ts";

const SETTER = { actor: "admin-1", role: "admin", ip: "127.0.0.1", request_id: "r-1", reason: "volume" };

describe("setting an affiliate's tier", () => {
  let scene: ReferralScene;
  let database: TestDatabase;
  const random = seededRandom("tiers");
  const logged: unknown[] = [];
  const log = { warn: () => undefined, error: (...words: unknown[]) => void logged.push(words) };

  before(async () => {
    scene = await openReferralScene();
    database = await openTestDatabase(sceneMigrations);
  });
  after(async () => {
    await database.close();
    await scene.close();
  });

  function create(key = OPERATOR_KEY) {
    const { client, clock } = scene;
    const operator = new Operator({ client, database, clock, key });
    const contract = referralContractOn(client, scene.contracts.referral);
    const reads = new ReferralReads({ contract, operator: operator.address, clock, log });
    const audit = createAuditLog({ clock });
    const options = { database, audit, random, log, reads, contractAddress: contract.address };
    return { operator, reads, options, tiers: new TierAdmin({ ...options, operator }) };
  }

  /** The newest entries of the audit log, oldest first. */
  async function entries(count: number) {
    const rows = await createAuditLog(scene).list(database.db, { limit: count });
    return rows.reverse().map(({ actor, action, target, before, after, reason, request_id }) => {
      const { ref: _ref, ...rest } = after as Record<string, unknown>;
      return { actor, action, target, before, after: rest, reason, request_id };
    });
  }

  it("REF-4: it is on the chain when the reply comes; what was read of it and its referees is read anew", async () => {
    const { tiers, reads } = create();
    const affiliate = await scene.user(1);
    const trader = await scene.user(2);
    const bystander = await scene.user(3);
    const other = await scene.user(4);
    await scene.registerCode(affiliate, bytes32("A"));
    await scene.registerCode(other, bytes32("B"));
    await scene.useCode(trader, bytes32("A"));
    await scene.useCode(bystander, bytes32("B"));
    assert.equal((await reads.userRebate(lower(affiliate))).tier_name, "Starter");
    assert.equal((await reads.referralInfo(lower(trader))).trader_discount_bps, 500);
    assert.equal((await reads.referralInfo(lower(bystander))).trader_discount_bps, 500);

    const reply = await tiers.setTier(lower(affiliate), GOLD, SETTER);
    const { hash } = await scene.client.public.getTransaction({ hash: reply.tx_hash as `0x${string}` });
    assert.deepEqual(reply, { address: lower(affiliate), tier: GOLD, tier_name: "Gold", tx_hash: hash });
    assert.equal((await reads.userRebate(lower(affiliate))).tier_name, "Gold");
    assert.equal((await reads.referralInfo(lower(trader))).trader_discount_bps, 1_000);
    await scene.setTier(other, 4);
    assert.equal((await reads.referralInfo(lower(bystander))).trader_discount_bps, 500, "still fresh");

    const common = {
      actor: "admin-1",
      target: lower(affiliate),
      before: { tier: 0 },
      reason: "volume",
      request_id: "r-1",
    };
    assert.deepEqual(await entries(2), [
      { ...common, action: "referral.tier.request", after: { tier: GOLD } },
      { ...common, action: "referral.tier.outcome", after: { tier: GOLD, state: "confirmed", tx_hash: hash } },
    ]);
  });

  const refusal = (code: string, text: RegExp) => (error: unknown) =>
    error instanceof ApiError && error.status === 500 && error.code === code && text.test(error.message);

  it("REF-4: a wallet that is no operator sends nothing, and the log says so", async () => {
    const affiliate = await scene.user(5);
    const blocks = scene.chain.tip.number;
    await assert.rejects(
      create(`0x${"0c".repeat(32)}`).tiers.setTier(lower(affiliate), 2, SETTER),
      refusal("CHAIN_ERROR", /nothing was sent/),
    );
    assert.equal(scene.chain.tip.number, blocks);
    const [, outcome] = await entries(2);
    assert.deepEqual(outcome!.after, { tier: 2, state: "not_sent", tx_hash: null });
  });

  it("REF-4: an outcome that cannot be found out is said to be unknown, with what is known", async () => {
    const affiliate = lower(await scene.user(6));
    const { options } = create();
    const sent = { state: "unknown", hash: bytes32("sent"), reason: "the node is slow" } as const;
    const waiting = new TierAdmin({ ...options, operator: { send: async () => sent } });
    await assert.rejects(waiting.setTier(affiliate, 2, SETTER), refusal("CHAIN_ERROR", new RegExp(sent.hash)));
    assert.deepEqual((await entries(1))[0]!.after, { tier: 2, state: "unknown", tx_hash: sent.hash });

    const lost = new TierAdmin({ ...options, operator: { send: () => Promise.reject(new Error("database away")) } });
    await assert.rejects(lost.setTier(affiliate, 2, SETTER), refusal("CHAIN_ERROR", /could not be asked/));
    assert.deepEqual((await entries(1))[0]!.after, { tier: 2, state: "unknown", tx_hash: null });

    const reverted = { state: "reverted", hash: sent.hash, blockNumber: 1, blockHash: sent.hash } as const;
    const refused = new TierAdmin({ ...options, operator: { send: async () => reverted } });
    await assert.rejects(refused.setTier(affiliate, 2, SETTER), refusal("CHAIN_ERROR", /the contract refused/));
    assert.equal((await scene.contract.userRebate(affiliate)).tier, 0);
  });

  it("REF-4: a chain that cannot be asked for the tier: nothing is begun", async () => {
    const affiliate = lower(await scene.user(7));
    const { options, operator } = create();
    const before = (await entries(100)).length;
    const reads = { tierNow: () => Promise.reject(new ApiError(500, "CHAIN_ERROR", "away")), forgetAffiliate() {} };
    const tiers = new TierAdmin({ ...options, operator, reads });
    await assert.rejects(tiers.setTier(affiliate, 2, SETTER), refusal("CHAIN_ERROR", /away/));
    assert.equal((await entries(100)).length, before);
  });

  it("SEC-8: the log of it all is a whole chain", async () => {
    assert.equal((await createAuditLog(scene).verify(database.db)).ok, true);
  });
});
