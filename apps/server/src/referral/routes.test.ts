import assert from "node:assert/strict";
import { after, afterEach, beforeEach, describe, it } from "node:test";
import { pino } from "pino";
import { getAddress, zeroAddress } from "viem";
import { ManualClock } from "../kernel/clock.ts";
import type { App } from "../kernel/http/app.ts";
import { registerOpenApi } from "../kernel/http/docs.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { seededRandom } from "../kernel/random.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { ReferralReads } from "./reads.ts";
import { registerReferralRoutes } from "./routes.ts";
import { CONTRACT, FakeContract, NO_REBATE } from "./testing/fake-contract.ts";
import { bytes32 } from "./testing/referral-scene.ts";

const USER = getAddress("0x52908400098527886e0f7030069857d2e4169ee7");
const MIXED = getAddress("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed");
const AFFILIATE = getAddress("0x8617e340b3d01fa5f11f306f4090fd50e238070d");
const OPERATOR = getAddress("0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb");
const lower = (address: string) => address.toLowerCase();

const nobody = () => {
  throw new Error("nobody signs in");
};

describe("on-chain referral queries", () => {
  const folder = makeTestFolder();
  const random = seededRandom("referral-routes");
  const settings = readSettings(
    { DATA_DIR: folder.path, RATE_LIMIT_JSON_PER_S: "1000000", LOG_LEVEL: "silent" },
    developmentSecretsFrom(random),
  );
  const warnings: unknown[] = [];
  let contract: FakeContract;
  let clock: ManualClock;
  let app: App;

  async function open(timeout_ms = 60_000): Promise<void> {
    contract = new FakeContract();
    clock = new ManualClock(1_000_000);
    warnings.length = 0;
    app = createHttpServer({
      settings,
      random,
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      limits: createLimits(settings),
      authenticator: { isSigned: () => false, bearer: nobody, signed: nobody },
    });
    await registerOpenApi(app, settings.publicUrl);
    const log = { warn: (...words: unknown[]) => void warnings.push(words) };
    registerReferralRoutes(app, {
      reads: new ReferralReads({ contract, operator: OPERATOR, clock, log, timeout_ms, limit: 3 }),
      tiers: { setTier: nobody },
    });
    await app.ready();
  }
  beforeEach(() => open());
  afterEach(() => app.close());
  after(() => folder.remove());

  const get = async (path: string) => {
    const reply = await app.inject({ url: `/referral/on-chain/${path}`, headers: { host: "127.0.0.1:8080" } });
    return { status: reply.statusCode, body: reply.json() };
  };
  const PATHS = ["user-rebate", "referral-info", "claimed"] as const;

  it("REF-1: an address without a code has an empty one, the zero address and zeros", async () => {
    const address = lower(USER);
    assert.deepEqual(await get(`user-rebate/${address}`), {
      status: 200,
      body: {
        address,
        claimed_usd: "0.000000",
        nonce: 0,
        referral_code: "",
        referrer: zeroAddress,
        tier_level: 0,
        tier_name: "Starter",
      },
    });
    assert.deepEqual((await get(`referral-info/${address}`)).body, {
      address,
      code: "",
      referrer: zeroAddress,
      total_rebate_bps: 0,
      trader_discount_bps: 0,
      affiliate_reward_bps: 0,
    });
    assert.deepEqual((await get(`claimed/${address}`)).body, { address, claimed_usd: "0.000000" });
  });

  it("REF-2: codes are text, addresses lower case, amounts have six decimals, the nonce is a number", async () => {
    contract.rebate = {
      credited: 99_000_000n,
      claimed: 12_500_000n,
      nonce: 7n,
      code: bytes32("SPRING-26 ü"),
      referrer: AFFILIATE,
      tier: 3,
    };
    contract.referral = {
      code: bytes32("SPRING-26 ü"),
      referrer: AFFILIATE,
      totalBps: 2_500,
      discountBps: 1_000,
      affiliateBps: 1_500,
    };
    const address = lower(USER);
    assert.deepEqual((await get(`user-rebate/${USER}`)).body, {
      address,
      claimed_usd: "12.500000",
      nonce: 7,
      referral_code: "SPRING-26 ü",
      referrer: lower(AFFILIATE),
      tier_level: 3,
      tier_name: "Gold",
    });
    assert.deepEqual((await get(`referral-info/${USER}`)).body, {
      address,
      code: "SPRING-26 ü",
      referrer: lower(AFFILIATE),
      total_rebate_bps: 2_500,
      trader_discount_bps: 1_000,
      affiliate_reward_bps: 1_500,
    });
    assert.deepEqual((await get(`claimed/${USER}`)).body, { address, claimed_usd: "12.500000" });
  });

  it("REF-2: any amount is exact to the last unit", async () => {
    contract.rebate = { ...NO_REBATE, claimed: 2n ** 200n + 1n };
    const { body } = await get(`claimed/${USER}`);
    const digits = (2n ** 200n + 1n).toString();
    assert.equal(body.claimed_usd, `${digits.slice(0, -6)}.${digits.slice(-6)}`);
  });

  it("REF-1: every tier has its name", async () => {
    const names: unknown[] = [];
    for (const tier of [0, 1, 2, 3, 4]) {
      contract.rebate = { ...NO_REBATE, tier };
      names.push((await get(`user-rebate/${USER}`)).body.tier_name);
      clock.advance(15_000);
    }
    assert.deepEqual(names, ["Starter", "Bronze", "Silver", "Gold", "Diamond"]);
  });

  it("REF-2: operator-status asks the contract for the operator's role", async () => {
    const expected = { operator_address: lower(OPERATOR), is_operator: true, contract_address: lower(CONTRACT) };
    assert.deepEqual(await get("operator-status"), { status: 200, body: expected });
    contract.hasRole = false;
    clock.advance(15_000);
    assert.deepEqual((await get("operator-status")).body, { ...expected, is_operator: false });
  });

  const swapped = MIXED.replace(/[a-f]/, (letter) => letter.toUpperCase());
  for (const [name, address] of [
    ["no hex", `0x${"g".repeat(40)}`],
    ["39 digits", `0x${"a".repeat(39)}`],
    ["41 digits", `0x${"a".repeat(41)}`],
    ["no 0x", "a".repeat(40)],
    ["0X", `0X${"a".repeat(40)}`],
    ["a wrong checksum", swapped],
    ["a name", "vitalik.eth"],
    ["a space around it", `%20${lower(USER)}`],
    ["a line end behind it", `${lower(USER)}%0A`],
    ["another script's digits", `0x${"%D9%A1".repeat(13)}`],
    ["quotes", "'%22;--"],
    ["much too long", "0x".padEnd(200, "a")],
    ["nothing", ""],
  ] as const) {
    it(`REF-2: ${name} is no address`, async () => {
      for (const path of PATHS) {
        const { status, body } = await get(`${path}/${address}`);
        assert.deepEqual([path, status, body.code, typeof body.error], [path, 400, "INVALID_ADDRESS", "string"]);
      }
      assert.deepEqual(contract.asked, []);
    });
  }

  it("REF-2: lower, upper and checksummed spellings are one address", async () => {
    for (const spelling of [lower(MIXED), MIXED, `0x${MIXED.slice(2).toUpperCase()}`]) {
      assert.deepEqual([(await get(`claimed/${spelling}`)).body.address], [lower(MIXED)]);
    }
    assert.deepEqual(contract.asked, [`rebate ${lower(MIXED)}`]);
  });

  it("REF-2: an answer serves for 15 seconds, for both questions that it answers", async () => {
    await get(`user-rebate/${USER}`);
    clock.advance(14_999);
    contract.rebate = { ...NO_REBATE, claimed: 1n };
    assert.equal((await get(`claimed/${USER}`)).body.claimed_usd, "0.000000");
    clock.advance(1);
    assert.equal((await get(`claimed/${USER}`)).body.claimed_usd, "0.000001");
    assert.equal(contract.asked.length, 2);
  });

  it("REF-2: requests at once make one question to the chain for each address", async () => {
    const held = Promise.withResolvers<void>();
    contract.answers = held.promise;
    const requests = [USER, USER, AFFILIATE, USER].flatMap((user) => [
      get(`claimed/${user}`),
      get(`referral-info/${user}`),
    ]);
    while (contract.asked.length < 4) await new Promise((resolve) => setImmediate(resolve));
    held.resolve();
    for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
    assert.deepEqual(
      contract.asked.toSorted(),
      ["rebate", "referral"].flatMap((question) => [`${question} ${lower(USER)}`, `${question} ${lower(AFFILIATE)}`]),
    );
  });

  it("REF-2: no more addresses are remembered than there is room for", async () => {
    const addresses = [1, 2, 3, 4].map((number) => `0x${number.toString().padStart(40, "0")}`);
    for (const address of addresses) await get(`claimed/${address}`);
    await get(`claimed/${addresses[3]}`);
    assert.equal(contract.asked.length, 4);
    await get(`claimed/${addresses[0]}`);
    assert.equal(contract.asked.length, 5);
  });

  it("REF-2: a chain that fails is 500 CHAIN_ERROR, says nothing of its address, and is asked again", async () => {
    const failure = new Error("HTTP request failed: https://rpc.example/secret-key");
    const paths = [...PATHS.map((path) => `${path}/${USER}`), "operator-status"];
    for (const path of paths) {
      contract.answers = Promise.reject(failure);
      contract.answers.catch(() => undefined);
      const { status, body } = await get(path);
      assert.deepEqual([status, body.code], [500, "CHAIN_ERROR"]);
      assert.doesNotMatch(JSON.stringify(body), /rpc\.example|secret/);
      contract.answers = Promise.resolve();
      assert.equal((await get(path)).status, 200);
      clock.advance(15_000);
    }
    assert.equal(warnings.length, 4);
  });

  it("REF-2: a chain that does not answer in time is 500 CHAIN_ERROR", async () => {
    await app.close();
    await open(1);
    contract.answers = new Promise(() => undefined);
    const { status, body } = await get(`claimed/${USER}`);
    assert.deepEqual([status, body.code], [500, "CHAIN_ERROR"]);
    contract.answers = Promise.resolve();
    assert.equal((await get(`claimed/${USER}`)).status, 200);
  });

  it("every route is in the API's description with a summary, the tag and examples", () => {
    const paths = app.swagger().paths as unknown as Record<string, Record<string, { tags: string[]; summary: string }>>;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => ({ name: `${method} ${path}`, route })),
    );
    assert.deepEqual(routes.map(({ name }) => name).sort(), [
      "get /referral/on-chain/claimed/{address}",
      "get /referral/on-chain/operator-status",
      "get /referral/on-chain/referral-info/{address}",
      "get /referral/on-chain/user-rebate/{address}",
      "put /api/v1/referral/admin/tier",
    ]);
    for (const { route } of routes) {
      assert.deepEqual(route.tags, ["Referral"]);
      assert.ok(route.summary.length > 10);
      assert.match(JSON.stringify(route), /"examples?"/);
    }
  });
});
