import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { seededRandom } from "../kernel/random.ts";
import { definitions } from "./definitions.ts";
import { settingsAsMarkdown, settingsAsText } from "./describe.ts";
import { developmentSecretsFrom } from "./development-secrets.ts";
import { readSettings, SettingsError } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-settings-"));
after(() => rmSync(folder, { recursive: true }));

const noSecrets = () => () => {
  throw new Error("production must not make secrets of its own");
};
const development = (environment: Record<string, string>) =>
  readSettings({ DATA_DIR: folder, ...environment }, developmentSecretsFrom(seededRandom("settings")));
const problemsOf = (read: () => unknown): readonly string[] => {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

const contracts = {
  USDT_ADDRESS: `0x${"1".repeat(40)}`,
  EARN_ADDRESS: `0x${"2".repeat(40)}`,
  REFERRAL_ADDRESS: `0x${"3".repeat(40)}`,
  VAULT_ADDRESS: `0x${"4".repeat(40)}`,
};

const goodProduction = {
  BOURSE_ENV: "production",
  DATA_DIR: folder,
  ADMIN_PASSWORD: "correct-horse-battery",
  JWT_SECRET: "q8Zt1vKx0PfWm3sYb7LcRj5NhDg2AeUo",
  SECRETS_KEY: "8f1d3c5b7a9e0f2d4c6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4d",
  EARN_SIGNER_KEY: "0x1c6b8a0e1f3d5c7b9a0e2f4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f2d",
  OPERATOR_KEY: "0x2f4d6c8b0a1e3f5d7c9b1a0e2f4d8f1d3c5b7a9e0f2d1c6b8a0e1f3d5c7b9a0e",
  BONUS_ADMIN_API_KEY: "Xk29vQm4Lz81Rt6Yw0Pb5Nc7Hd3Jf1Gs",
  CHAIN_RPC_URL: "https://rpc.example/ext",
  ...contracts,
};

describe("settings", () => {
  it("RUN-2: without any setting, development on loopback port 8080 with embedded parts", () => {
    const settings = development({});
    assert.equal(settings.environment, "development");
    assert.equal(settings.host, "127.0.0.1");
    assert.equal(settings.port, 8080);
    assert.equal(settings.databaseUrl, undefined);
    assert.equal(settings.chainId, 43113);
    assert.equal(settings.chainConfirmations, 0);
    assert.equal(settings.demo, true);
    assert.equal(settings.publicUrl, "http://127.0.0.1:8080");
  });

  it("RUN-3: production's chain id is 43114 with one confirmation", () => {
    const settings = readSettings(goodProduction, noSecrets);
    assert.equal(settings.chainId, 43114);
    assert.equal(settings.chainConfirmations, 1);
    assert.equal(settings.demo, false);
  });

  it("RUN-3: an external chain needs the addresses of its contracts, in development too", () => {
    const CHAIN_RPC_URL = "http://127.0.0.1:9650/ext/bc/C/rpc";
    const { VAULT_ADDRESS, ...others } = contracts;
    const named = problemsOf(() => development({ CHAIN_RPC_URL })).map((problem) => problem.split(" ")[0]);
    assert.deepEqual(named, Object.keys(contracts));
    assert.deepEqual(
      problemsOf(() => development({ CHAIN_RPC_URL, ...others })),
      ["VAULT_ADDRESS is missing: CHAIN_RPC_URL leads to a chain that has the contracts already"],
    );
    assert.equal(development({ CHAIN_RPC_URL, ...contracts }).vaultAddress, VAULT_ADDRESS);
  });

  it("RUN-4: production without secrets names all that is missing at once", () => {
    const problems = problemsOf(() => readSettings({ BOURSE_ENV: "production", DATA_DIR: folder }, noSecrets));
    const named = problems.map((problem) => problem.split(" ")[0]).sort();
    assert.deepEqual(named, [
      "ADMIN_PASSWORD",
      "BONUS_ADMIN_API_KEY",
      "CHAIN_RPC_URL",
      "EARN_ADDRESS",
      "EARN_SIGNER_KEY",
      "JWT_SECRET",
      "OPERATOR_KEY",
      "REFERRAL_ADDRESS",
      "SECRETS_KEY",
      "USDT_ADDRESS",
      "VAULT_ADDRESS",
    ]);
    assert.ok(problems.every((problem) => problem.includes("is missing")));
  });

  const weak: readonly [string, string][] = [
    ["JWT_SECRET", "short"],
    ["JWT_SECRET", "a".repeat(64)],
    ["JWT_SECRET", "changemechangemechangemechangeme"],
    ["ADMIN_PASSWORD", "admin"],
    ["ADMIN_PASSWORD", "passwordpassword"],
    ["BONUS_ADMIN_API_KEY", "only-thirty-one-bytes-long-1234"],
    ["SECRETS_KEY", "not a key"],
    ["SECRETS_KEY", "0".repeat(64)],
    ["EARN_SIGNER_KEY", "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"],
    ["EARN_SIGNER_KEY", `0x${"0".repeat(64)}`],
    ["OPERATOR_KEY", `0x${"f".repeat(64)}`],
    ["OPERATOR_KEY", "1".repeat(64)],
    ["CHAIN_RPC_URL", "ftp://rpc.example"],
    ["OPERATOR_KEY", goodProduction.EARN_SIGNER_KEY],
  ];
  for (const [name, value] of weak) {
    it(`RUN-4: production refuses ${name}=${value.slice(0, 24)}`, () => {
      const problems = problemsOf(() => readSettings({ ...goodProduction, [name]: value }, noSecrets));
      assert.equal(problems.length, 1);
      assert.match(problems[0]!, new RegExp(`^${name} `));
      assert.ok(!problems[0]!.includes(value), "a refused secret must not be printed");
    });
  }

  it("RUN-4: development refuses other than loopback addresses unless it is told so", () => {
    assert.match(problemsOf(() => development({ HOST: "0.0.0.0" }))[0]!, /^HOST 0\.0\.0\.0 .*DEV_EXPOSED=true/);
    assert.match(problemsOf(() => development({ HOST: "192.168.1.5" }))[0]!, /^HOST /);
    assert.equal(development({ HOST: "0.0.0.0", DEV_EXPOSED: "true" }).host, "0.0.0.0");
    for (const host of ["127.0.0.2", "localhost", "::1"]) assert.equal(development({ HOST: host }).host, host);
  });

  it("RUN-4: development's secrets are random per folder, kept there and private", () => {
    const first = development({});
    const again = development({});
    assert.equal(first.jwtSecret, again.jwtSecret);
    assert.equal(first.adminPassword.length, 20);
    assert.match(first.operatorKey, /^0x[0-9a-f]{64}$/);
    const path = join(folder, "development-secrets.json");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(path, "utf8")).JWT_SECRET, first.jwtSecret);
    const otherFolder = mkdtempSync(join(folder, "other-"));
    const other = readSettings({ DATA_DIR: otherFolder }, developmentSecretsFrom(seededRandom("other")));
    assert.notEqual(other.jwtSecret, first.jwtSecret);
  });

  const malformed: readonly [string, string][] = [
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "80a"],
    ["PORT", "1e3"],
    ["DEMO", "yes"],
    ["BOURSE_ENV", "staging"],
    ["DATABASE_URL", "mysql://127.0.0.1/test"],
    ["PUBLIC_URL", "http://a.example/path"],
    ["PUBLIC_URL", "nonsense"],
    ["CORS_ORIGINS", "https://a.example,b.example"],
    ["DENY_CIDRS", "10.0.0.0/33"],
    ["TRUST_PROXY", "10.0.0.x"],
    ["USDT_ADDRESS", "0x123"],
    ["BONUS_POOL_CAP_USDT", "1e6"],
    ["BONUS_POOL_CAP_USDT", "1.1234567"],
    ["LOG_LEVEL", "loud"],
  ];
  for (const [name, value] of malformed) {
    it(`RUN-5: ${name}=${value} is refused by name`, () => {
      const problems = problemsOf(() => development({ [name]: value }));
      assert.equal(problems.length, 1);
      assert.match(problems[0]!, new RegExp(`^${name} `));
    });
  }

  it("LOG-8: segments leave only with a BACKUP_DIR, which a gateway does not need; history is kept for a week at least", () => {
    const missing = "BACKUP_DIR is missing: LOG_DAYS removes segments of the journal only when it has them";
    assert.deepEqual(
      problemsOf(() => development({ LOG_DAYS: "30" })),
      [missing],
    );
    assert.equal(development({ LOG_DAYS: "30", BACKUP_DIR: "/backup" }).logDays, 30);
    assert.match(problemsOf(() => development({ HISTORY_DAYS: "6" })).join(), /^HISTORY_DAYS must be 0 or at least 7/);
    assert.deepEqual(
      [development({}).historyDays, development({}).logDays, development({}).privateEventHours],
      [0, 0, 24],
    );
  });

  it("RUN-5: an empty value is an unset one", () => {
    assert.equal(development({ PORT: "", DATABASE_URL: "" }).port, 8080);
  });

  it("reads address lists with networks of both families", () => {
    const { denyCidrs } = development({ DENY_CIDRS: "10.0.0.0/8, 2001:db8::/32,192.0.2.7" });
    assert.ok(denyCidrs.has("10.1.2.3"));
    assert.ok(denyCidrs.has("192.0.2.7"));
    assert.ok(denyCidrs.has("2001:db8::5"));
    assert.ok(!denyCidrs.has("11.1.2.3"));
    assert.ok(!denyCidrs.has("2001:db9::5"));
  });

  it("RUN-5: every setting is in the help text and on the settings page, which is up to date", () => {
    const page = readFileSync(new URL("../../../../docs/settings.md", import.meta.url), "utf8");
    assert.equal(page, settingsAsMarkdown(), "run `npm run docs`");
    for (const { env } of Object.values(definitions)) {
      assert.ok(settingsAsText().includes(`  ${env}\n`));
      assert.ok(page.includes(`| \`${env}\` |`));
    }
  });
});
