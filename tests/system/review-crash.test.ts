import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenReply, Withdrawal } from "@bourse/api";
import { vaultAbi } from "@bourse/contracts";
import { Client } from "pg";
import { createPublicClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";
import { type Random, seededRandom } from "../../apps/server/src/kernel/random.ts";
import { CHAIN, contractsOf } from "../support/chain.ts";
import { quickDatabase } from "../support/databases.ts";
import { makeTempDir } from "../support/files.ts";
import { type Acting, liveThroughKill, whileItLives } from "../support/kills.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, pinPrices, postJson, signIn, TRADING_ENV } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** More with `REVIEW_CRASH_ROUNDS`; the moments of the kills follow from `REVIEW_CRASH_SEED`. */
const ROUNDS = Number(process.env["REVIEW_CRASH_ROUNDS"] ?? 4);
const SEED = process.env["REVIEW_CRASH_SEED"] ?? String(Date.now());
const GIVEN_USDT = 100_000;
/** Free for withdrawals without a review; the rest is held. */
const FREE_USDT = 3;
/** Asked for before each kill, so that there is something to decide on however slow the machine is. */
const SURE_PER_ROUND = 6;

type Verdict = "release" | "refuse";
interface Reviewed {
  readonly items: readonly { readonly id: string }[];
}

const below = (random: Random, limit: number): number => random.bytes(4).readUInt32LE() % limit;

/** A wallet whose withdrawals wait for review, and the staff that decides on each: every third one is refused. */
class ReviewWorld {
  readonly #wallet = privateKeyToAccount(generatePrivateKey());
  readonly asked: { readonly request_id: string; readonly amount: number }[] = [];
  /** What staff has decided, whether or not the reply arrived. The second attempt says the same. */
  readonly #verdicts = new Map<string, Verdict>();
  cutOff = 0;

  async open(server: RunningServer, databaseUrl: string): Promise<void> {
    const { address } = this.#wallet;
    await postJson(`${server.baseUrl}/api/v1/dev/faucet`, { address, amount: String(GIVEN_USDT) });
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(
      `insert into withdrawal_hold (ref, account, reason, amount_micros, wait_ms, note, set_at)
       select 'test', account, 'linked_bonus', $1, $2, 'a test', now() from exchange_account where address = $3`,
      [(GIVEN_USDT - FREE_USDT) * 1_000_000, 3 * 86_400_000, address.toLowerCase()],
    );
    await client.end();
  }

  async askSome(server: RunningServer, count: number): Promise<void> {
    const token = await signIn(server.baseUrl, this.#wallet);
    for (let asked = 0; asked < count; asked += 1) await this.#askNext(server, token);
  }

  /** Asks for withdrawals until the server is dead. */
  readonly ask: Acting = async (server, isOver) => {
    await whileItLives(async () => {
      const token = await signIn(server.baseUrl, this.#wallet);
      while (!isOver()) {
        await this.#askNext(server, token);
        await sleep(20);
      }
    });
  };

  /** Decides on what waits until the server is dead. */
  readonly review: Acting = async (server, isOver) => {
    await whileItLives(async () => {
      const token = await adminToken(server);
      while (!isOver()) {
        await this.#reviewAll(server, token);
        await sleep(30);
      }
    });
  };

  /** Repeats what had no answer, and decides until nothing is under way. */
  async finish(server: RunningServer): Promise<readonly Withdrawal[]> {
    const [own, staff] = [await signIn(server.baseUrl, this.#wallet), await adminToken(server)];
    for (const asked of this.asked) await this.#request(server, own, asked);
    const isOver = ({ status }: Withdrawal) => status === "confirmed" || status === "rejected";
    return await waitFor(
      async () => {
        await this.#reviewAll(server, staff);
        const { withdrawals } = await getJson<{ withdrawals: Withdrawal[] }>(server, "/withdraw/list?limit=500", own);
        return withdrawals.length === this.asked.length && withdrawals.every(isOver) ? withdrawals : undefined;
      },
      { what: "every withdrawal to be paid or refused", timeout_ms: 180_000 },
    );
  }

  verdictOf(id: string): Verdict | undefined {
    return this.#verdicts.get(id);
  }

  async account(server: RunningServer): Promise<{ readonly principal: string; readonly in_flight: string }> {
    return await getJson(server, "/unified/account", await signIn(server.baseUrl, this.#wallet));
  }

  /** Id and amount of every payment of the Vault to the wallet. */
  async payments(server: RunningServer): Promise<readonly { readonly id: string; readonly amount: bigint }[]> {
    const { vault: address } = await contractsOf(server);
    const client = createPublicClient({ chain: CHAIN, transport: http(`${server.baseUrl}/rpc`) });
    const events = await client.getContractEvents({
      ...{ address, abi: vaultAbi, fromBlock: 0n, strict: true, eventName: "Withdrawn" },
      args: { to: this.#wallet.address },
    });
    return events.map(({ args }) => ({ id: args.id, amount: args.amount }));
  }

  async #askNext(server: RunningServer, token: string): Promise<void> {
    const number = this.asked.length + 1;
    const asked = { request_id: `w${number}`, amount: number };
    this.asked.push(asked);
    await this.#request(server, token, asked);
  }

  #request({ baseUrl }: RunningServer, token: string, asked: { request_id: string; amount: number }) {
    return postJson(`${baseUrl}/withdraw/request`, { ...asked, amount: String(asked.amount) }, token);
  }

  async #reviewAll(server: RunningServer, token: string): Promise<void> {
    const { items } = await getJson<Reviewed>(server, "/api/v1/admin/withdrawals/reviews", token);
    for (const { id } of items) {
      const known = this.#verdicts.get(id);
      const verdict = known ?? (this.#verdicts.size % 3 === 2 ? "refuse" : "release");
      if (known !== undefined) this.cutOff += 1;
      this.#verdicts.set(id, verdict);
      await postJson(`${server.baseUrl}/api/v1/admin/withdrawals/${id}/${verdict}`, { reason: "a test" }, token);
    }
  }
}

async function adminToken({ baseUrl }: RunningServer): Promise<string> {
  const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
  return (await postJson<TokenReply>(`${baseUrl}/api/v1/broker/auth/login`, credentials)).access_token;
}

async function getJson<Reply>({ baseUrl }: RunningServer, path: string, token: string): Promise<Reply> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  assert.equal(response.status, 200, `GET ${path}: ${text}`);
  return JSON.parse(text) as Reply;
}

describe("withdrawals in review under kill -9", { skip: await postgresqlServerMissing() }, () => {
  it("VLT-1, VLT-3, VLT-4: each is paid once or back in the account once, as staff has decided, and none is lost", async (t) => {
    t.diagnostic(`seed ${SEED}`);
    const random = seededRandom(SEED);
    const dataDir = await makeTempDir(t);
    const database = await quickDatabase(t);
    const start = () => startServer({ owner: t, dataDir, env: { ...TRADING_ENV, ...database }, timeout_ms: 240_000 });
    let server = await start();
    await pinPrices(server.baseUrl);
    const world = new ReviewWorld();
    await world.open(server, database["DATABASE_URL"]!);
    for (let round = 0; round < ROUNDS; round += 1) {
      await world.askSome(server, SURE_PER_ROUND);
      await liveThroughKill(server, [world.ask, world.review], 500 + below(random, 1_500));
      server = await start();
      await pinPrices(server.baseUrl);
    }
    const withdrawals = await world.finish(server);

    const payments = await world.payments(server);
    assert.equal(new Set(payments.map(({ id }) => id)).size, payments.length, "none was paid twice");
    const confirmed = withdrawals.filter(({ status }) => status === "confirmed");
    const refused = withdrawals.filter(({ status }) => status === "rejected");
    const sumOf = (some: readonly Withdrawal[]) => some.reduce((sum, { amount }) => sum + Number(amount), 0);
    const paid_usdt = Number(payments.reduce((sum, { amount }) => sum + amount, 0n)) / 1e6;
    assert.deepEqual([payments.length, paid_usdt], [confirmed.length, sumOf(confirmed)]);
    assert.equal(
      sumOf(withdrawals),
      world.asked.reduce((sum, { amount }) => sum + amount, 0),
    );
    for (const { id } of refused) assert.equal(world.verdictOf(id), "refuse", `${id} was refused by staff`);
    for (const { id } of confirmed) assert.notEqual(world.verdictOf(id), "refuse", `${id} was not refused`);
    const expected = (GIVEN_USDT - sumOf(confirmed)).toFixed(2);
    await waitFor(async () => (await world.account(server)).principal === expected, {
      what: `the account to hold ${expected}`,
    });
    assert.equal((await world.account(server)).in_flight, "0.00");
    await assertInvariants(server.baseUrl);
    assert.ok(refused.length > 0 && confirmed.some(({ id }) => world.verdictOf(id) === "release"));
    const counts = `${withdrawals.length} withdrawals, ${confirmed.length} paid, ${refused.length} refused`;
    t.diagnostic(`${ROUNDS} kills, ${counts}, ${world.cutOff} verdicts repeated`);
  });
});
