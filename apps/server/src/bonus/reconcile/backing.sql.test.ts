import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { contributionPurposes, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { type KyselyPlugin, sql } from "kysely";
import type { PrivateKeyAccount } from "viem";
import { createChainClient } from "../../chain/client.ts";
import { createEmbeddedRpc } from "../../chain/embedded/rpc-methods.ts";
import { Operator } from "../../chain/operator/operator.ts";
import { OperatorMoney } from "../../chain/operator-money.ts";
import { CHAIN_ID, signerOn } from "../../chain/testing/chains.ts";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { seededRandom } from "../../kernel/random.ts";
import { OPERATOR_KEY, openReferralScene } from "../../referral/testing/referral-scene.ts";
import { BonusScene } from "../accounts/testing/bonus-scene.ts";
import { BonusBacking } from "./backing.ts";

const USDT = 1_000_000n;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

describe("what backs consumed bonuses", () => {
  let chain: Awaited<ReturnType<typeof openReferralScene>>;
  let database: TestDatabase;
  let pool: PrivateKeyAccount;
  /** The sum that accounts have consumed, by the engine. */
  let consumed = 0n;

  before(async () => {
    chain = await openReferralScene();
    database = await openTestDatabase(migrations);
    pool = await chain.user(77);
  });
  after(async () => {
    await database.close();
    await chain.close();
  });

  const contributed = () =>
    chain.client.public.readContract({
      address: chain.contracts.vault,
      abi: vaultAbi,
      functionName: "contributedFor",
      args: [contributionPurposes.bonus],
    });
  const allow = (amount: bigint) =>
    chain.mined(
      signerOn(chain.chain, pool).writeContract({
        address: chain.contracts.usdt,
        abi: testUsdtAbi,
        functionName: "approve",
        args: [chain.operatorAccount.address, amount],
      }),
    );

  /** A process that loses the database and the chain after `lifetime` calls. */
  function processOf(payer: "pool" | "operator", lifetime = FOR_EVER) {
    let asked = 0;
    const live = () => {
      asked += 1;
      if (asked > lifetime) throw new Error("the process is dead");
    };
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        live();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const rpc = createEmbeddedRpc(chain.chain);
    const client = createChainClient({
      kind: "embedded",
      chainId: CHAIN_ID,
      confirmations: 0,
      request: async (request) => {
        live();
        return await rpc.request(request);
      },
    });
    const { clock, contracts } = chain;
    const own = { db: database.db.withPlugin(plugin) } as TestDatabase;
    const operator = new Operator({ client, database: own, clock, key: OPERATOR_KEY });
    const money = new OperatorMoney({ client, operator, usdt: contracts.usdt, random: seededRandom(`${asked}`) });
    const totals = { granted_micros: consumed, returned_micros: 0n };
    const exchange = { engine: { state: { totals, accounts: { count: 0 } } } } as never;
    const log = { warn: () => undefined } as never;
    const options = { database: own, clock, log, exchange, client, operator, contracts, money };
    const backing = new BonusBacking({ ...options, pool: payer === "pool" ? pool.address : undefined });
    return { backing, asked: () => asked };
  }
  const pay = (payer: "pool" | "operator") => processOf(payer).backing.pay();

  it("VLT-2: nothing is consumed, nothing is paid; less than 1 USDT waits", async () => {
    assert.deepEqual(await pay("pool"), { consumed: "0.00", contributed: "0.00", owed: "0.00", paid: "0.00" });
    consumed = USDT - 1n;
    const { paid, owed } = await pay("pool");
    assert.deepEqual([paid, owed], ["0.00", "0.999999"]);
  });

  it("VLT-2: without tokens or without leave to take them, the run says what is owed; then it is paid, once", async () => {
    consumed = 10n * USDT;
    const poor = await pay("pool");
    assert.deepEqual([poor.paid, poor.owed], ["0.00", "10.00"]);
    assert.match(poor.hold_up ?? "", /has 0\.00 USDT and allows the operator 0\.00 USDT/);
    await chain.mint(pool.address, 4n * USDT);
    const forbidden = await pay("pool");
    assert.match(forbidden.hold_up ?? "", /has 4\.00 USDT and allows the operator 0\.00 USDT/);
    await allow(1_000n * USDT);
    const partly = await pay("pool");
    assert.deepEqual([partly.paid, partly.owed, partly.contributed], ["4.00", "6.00", "4.00"]);
    assert.ok(partly.tx_hash !== undefined);
    await chain.mint(pool.address, 100n * USDT);
    const rest = await pay("pool");
    assert.deepEqual([rest.paid, rest.owed], ["6.00", "0.00"]);
    assert.deepEqual((await pay("pool")).paid, "0.00");
    assert.equal(await chain.tokensOf(pool.address), 94n * USDT);
    assert.equal(await contributed(), 10n * USDT);
    assert.equal(await chain.tokensOf(chain.operatorAccount.address), 0n, "nothing stays on the way");
  });

  it("VLT-2: a transfer that the pool's wallet no longer allows is given up and decided anew", async () => {
    consumed += 5n * USDT;
    const { backing } = processOf("pool");
    await allow(5n * USDT);
    // Decided with an allowance of 5, sent without one: no tokens move.
    const before_ = await contributed();
    await sql`insert into kernel_state (key, value, updated_at) values ('bonus-backing', ${JSON.stringify({
      from: String(before_),
      amount: String(5n * USDT),
      pull: 1,
      pay: 1,
      isDropped: false,
    })}::jsonb, now()) on conflict (key) do update set value = excluded.value`.execute(database.db);
    await allow(2n * USDT);
    const refused = await backing.pay();
    assert.equal(refused.paid, "0.00");
    assert.match(refused.hold_up ?? "", /the bonus pool's wallet does not pay/);
    assert.deepEqual((await pay("pool")).paid, "2.00");
    await allow(1_000n * USDT);
    assert.deepEqual((await pay("pool")).paid, "3.00");
    assert.equal(await contributed(), consumed);
  });

  it("VLT-2: cut off at any question, and with more consumed when it goes on, it pays exactly once", async () => {
    consumed += 2n * USDT;
    const whole = processOf("pool");
    await whole.backing.pay();
    const all = whole.asked();
    assert.ok(all > 15, `${all} questions`);
    for (let lifetime = 0; lifetime <= all; lifetime += 1) {
      const tokens = await chain.tokensOf(pool.address);
      if (tokens < 20n * USDT) await chain.mint(pool.address, 1_000n * USDT);
      const before_ = { pool: await chain.tokensOf(pool.address), contributed: await contributed() };
      consumed += 2n * USDT;
      await processOf("pool", lifetime)
        .backing.pay()
        .catch(() => undefined);
      consumed += USDT;
      for (let run = 0; run < 3; run += 1) await pay("pool");
      const at = `after ${lifetime} questions`;
      assert.equal(await contributed(), consumed, at);
      const paid = consumed - before_.contributed;
      assert.equal(before_.pool - (await chain.tokensOf(pool.address)), paid, `${at}: taken from the pool once`);
      assert.equal(await chain.tokensOf(chain.operatorAccount.address), 0n, `${at}: nothing stays on the way`);
    }
  });

  it("VLT-2: the operator's own tokens: all of what is owed or nothing", async () => {
    consumed += 8n * USDT;
    await chain.mint(chain.operatorAccount.address, 7n * USDT);
    const short = await pay("operator");
    assert.deepEqual([short.paid, short.owed, short.hold_up], ["0.00", "8.00", "the operator has 7.00 USDT"]);
    await chain.mint(chain.operatorAccount.address, 1n * USDT);
    assert.deepEqual((await pay("operator")).paid, "8.00");
    assert.deepEqual((await pay("operator")).paid, "0.00");
    assert.equal(await contributed(), consumed);
  });

  it("the report has no figures while the chain does not answer", async () => {
    assert.equal(await processOf("pool", 0).backing.sums(), undefined);
  });
});

describe("backing on a running platform", () => {
  it("VLT-2, INV-8: what trades have consumed is paid into the Vault by the job, with tokens of the operator's making", async () => {
    const scene = await BonusScene.open();
    try {
      await scene.price("60000");
      const trader = await scene.trader("1000", "1000", 20);
      await scene.take(trader, "BUY", "0.1", "60000");
      await scene.price("59000");
      await scene.take(trader, "SELL", "0.1", "59000");
      const { bonus_consumed } = await scene.me(trader);
      assert.equal(bonus_consumed, "52.975");
      const first = await scene.run("bonus-backing");
      assert.deepEqual([first["paid"], first["owed"], first["consumed"]], ["52.975", "0.00", "52.975"]);
      assert.deepEqual((await scene.run("bonus-backing"))["paid"], "0.00");
      const { body } = await scene.admin("GET", "/reconcile-report");
      assert.deepEqual(body.backing, { consumed: "52.975", contributed: "52.975", owed: "0.00" });
    } finally {
      await scene.end();
    }
  });
});
