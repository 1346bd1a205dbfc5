import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { roles, vaultAbi } from "@bourse/contracts";
import { pino } from "pino";
import { privateKeyToAccount } from "viem/accounts";
import { makeTempDir } from "../../../../tests/support/files.ts";
import { ManualClock } from "../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { judgeReadiness } from "../kernel/readiness.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { DEPLOYER_KEY } from "./embedded/node.ts";
import { indexerMigrations } from "./indexer/migrations.ts";
import { operatorMigrations } from "./operator/migrations.ts";
import { createChainSystem, pollSchedule } from "./system.ts";
import { NOBODY, START_ms } from "./testing/chains.ts";

describe("the chain's system", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ ...operatorMigrations, ...indexerMigrations });
  });
  after(() => database.close());

  async function open(t: TestContext, { folder, now_ms = START_ms }: { folder?: string; now_ms?: number } = {}) {
    const DATA_DIR = folder ?? (await makeTempDir(t));
    const random = seededRandom("chain system");
    const settings = readSettings({ DATA_DIR, LOG_LEVEL: "silent" }, developmentSecretsFrom(random));
    const ground = { settings, clock: new ManualClock(now_ms), random, log: pino({ level: "silent" }) };
    const system = await createChainSystem({ ...ground, database, metrics: createMetrics() });
    return { system, settings, folder: DATA_DIR };
  }

  it("RUN-2: the contracts are deployed once, every role is the operator's and none the deployer's", async (t) => {
    const first = await open(t);
    const { operator, contracts, client } = first.system;
    const holds = (contract: "earn" | "referral" | "vault" | "usdt", role: keyof typeof roles, address: string) =>
      client.public.readContract({
        address: contracts[contract],
        abi: vaultAbi,
        functionName: "hasRole",
        args: [roles[role], address as `0x${string}`],
      });
    const deployer = privateKeyToAccount(DEPLOYER_KEY).address;
    for (const contract of ["earn", "referral", "vault", "usdt"] as const) {
      for (const role of ["admin", "operator", "pauser", "minter", "signer"] as const) {
        assert.equal(await holds(contract, role, deployer), false, `${contract} ${role}`);
      }
      assert.equal(await holds(contract, "admin", operator.address), true, contract);
    }
    assert.equal(await holds("vault", "operator", operator.address), true);
    await first.system.start();
    const { number } = await client.head();
    await first.system.stop();
    await first.system.close();
    const second = await open(t, { folder: first.folder });
    assert.deepEqual(second.system.contracts, contracts);
    assert.equal((await second.system.client.head()).number, number, "nothing was deployed again");
    await second.system.start();
    assert.equal((await judgeReadiness(second.system.checks)).status, "ready");
    await second.system.close();
  });

  it("ERN-9: on a chain that was reset nothing is applied, nothing sent, and readiness says why", async (t) => {
    const { system } = await open(t, { now_ms: START_ms + 60_000 });
    await system.start();
    const { status, checks } = await judgeReadiness(system.checks);
    assert.equal(status, "degraded");
    assert.match(checks["chain-events"]!.detail, /the chain was reset: its first block is/);
    const sent = system.operator.submit({ ref: "on another chain", to: NOBODY, value_wei: 1n });
    await assert.rejects(sent, /the chain was reset: nothing is sent to it/);
    await assert.rejects(system.operator.sync(), /the chain was reset/);
    await system.close();
  });

  it("ERN-9: how often the chain is looked at is a setting", () => {
    assert.equal(pollSchedule(12), "*/12 * * * * *");
    assert.equal(pollSchedule(1), "*/1 * * * * *");
    assert.equal(pollSchedule(600), "0 */10 * * * *");
  });
});
