import assert from "node:assert/strict";
import { NEWEST_RULES } from "@bourse/engine";
import type { Owner } from "./cleanup.ts";
import type { Cluster, Member } from "./cluster.ts";
import { Drill, type Outcome } from "./cluster-drill.ts";
import { makeDataDir } from "./databases.ts";
import { DRILL_RULES } from "./drill-build.ts";
import { type RunningServer, startServer } from "./server.ts";
import { assertInvariants, pinPrices, postJson, TRADING_ENV, Trader } from "./traders.ts";
import { waitFor } from "./waiting.ts";

/*
 * LOG-5, LOG-6: an exchange of this release goes over to a build that knows one rules version more, and back as long as the new
 * version does not hold.
 */

class RulesAdmin {
  readonly #baseUrl: string;
  readonly #token: string;

  private constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  static async signIn(baseUrl: string): Promise<RulesAdmin> {
    const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
    const login = `${baseUrl}/api/v1/broker/auth/login`;
    return new RulesAdmin(baseUrl, (await postJson<{ access_token: string }>(login, credentials)).access_token);
  }

  /** The version that holds, and the newest that all processes can apply. */
  async read(): Promise<{ readonly version: number; readonly possible: number }> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return (await (await fetch(this.#url, { headers })).json()) as { version: number; possible: number };
  }

  async raise(): Promise<void> {
    await postJson(this.#url, { version: DRILL_RULES }, this.#token);
  }

  get #url(): string {
    return `${this.#baseUrl}/api/v1/admin/rules-version`;
  }
}

/** Stops a member by a signal and starts it from the other build. */
async function roll(member: Member, build: string): Promise<void> {
  await member.kill("SIGTERM");
  member.restart(build);
  await member.ready();
}

/** Rolls a cluster under load: gateways, worker, engines, then the version. Each acknowledged order is found once after each step. */
export async function rollCluster(
  cluster: Cluster,
  build: string,
  traders: number,
  say: (line: string) => void,
): Promise<readonly Outcome[]> {
  const { baseUrl, gateways, workers, engines } = cluster;
  await pinPrices(baseUrl);
  const drill = new Drill(cluster);
  await drill.open(traders);
  const outcomes: Outcome[] = [];
  const round = async (what: string, act: () => Promise<void>) => {
    const outcome = await drill.during(what, act);
    outcomes.push(outcome);
    say(`${what}: ${outcome.acknowledged} orders acknowledged, longest pause ${outcome.pause_ms} ms; all in order`);
  };
  await round("nothing", async () => {});
  for (const gateway of gateways) await round(`${gateway.name} rolled`, () => roll(gateway, build));
  for (const worker of workers) await round(`${worker.name} rolled`, () => roll(worker, build));
  const rules = await RulesAdmin.signIn(baseUrl);
  await assert.rejects(rules.raise(), new RegExp(`can apply rules up to version ${NEWEST_RULES} only`));
  const leader = await cluster.leader();
  for (const engine of engines.filter((engine) => engine !== leader)) {
    await round(`${engine.name} rolled, which follows`, () => roll(engine, build));
  }
  await round(`${leader.name} rolled, which leads`, () => roll(leader, build));
  const isPossible = async () => (await rules.read()).possible === DRILL_RULES;
  await waitFor(isPossible, { timeout_ms: 30_000, what: "every process to say that it can apply the new rules" });
  assert.equal((await rules.read()).version, NEWEST_RULES);
  await round("rules version raised", () => rules.raise());
  assert.equal((await rules.read()).version, DRILL_RULES);
  for (const member of [...gateways, ...workers, ...engines]) await member.ready();
  return outcomes;
}

/** One machine: to the other build and back; and no way back once the new version holds. */
export async function goThereAndBack(owner: Owner, build: string, say: (line: string) => void): Promise<void> {
  const dataDir = await makeDataDir(owner);
  const acknowledged: number[] = [];
  let trader: Trader | undefined;
  const start = (root?: string) =>
    startServer({ owner, dataDir, env: TRADING_ENV, ...(root === undefined ? {} : { root }) });
  const tradeAndStop = async (server: RunningServer, beforeStop = async () => {}) => {
    const { baseUrl } = server;
    await pinPrices(baseUrl);
    trader ??= await Trader.open(baseUrl);
    for (let count = 0; count < 5; count += 1) {
      acknowledged.push((await trader.place(baseUrl, { side: "BUY" })).orderId);
    }
    const orders = await trader.orders(baseUrl);
    assert.deepEqual(
      orders.map(({ orderId }) => orderId),
      acknowledged,
    );
    await assertInvariants(baseUrl);
    await beforeStop();
    assert.equal((await server.kill("SIGTERM")).code, 0, server.output());
  };
  await tradeAndStop(await start());
  await tradeAndStop(await start(build));
  const back = await start();
  await tradeAndStop(back);
  say("One machine: this build, the build with one version more, and back: every order is there.");
  const later = await start(build);
  await tradeAndStop(later, async () => (await RulesAdmin.signIn(later.baseUrl)).raise());
  await assert.rejects(start(), new RegExp(`needs rules version ${DRILL_RULES}, this release knows`));
  await tradeAndStop(await start(build));
  say("One machine: after the version was raised, this build refuses the folder and the other one goes on.");
}
