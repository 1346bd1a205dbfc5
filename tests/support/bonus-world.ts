/**
 * Wallets that are granted bonuses, redeem codes, trade on them and lose them again, while servers are killed and
 * restarted.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  BonusAccountDetail,
  BonusReconcileReport,
  GenerateCodesReply,
  GrantBatchReply,
  LinkedFreezeReply,
} from "@bourse/api";
import { parseUnits } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type Asked, BonusAdmin } from "./bonus-admin.ts";
import { whileItLives } from "./kills.ts";
import type { RunningServer } from "./server.ts";
import { postJson, signIn } from "./traders.ts";
import { waitFor } from "./waiting.ts";

const AMOUNT = "100";
const PER_BATCH = 4;
const CONTROLS: ReadonlySet<string> = new Set(["recall", "freeze", "freeze-linked"]);

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase();
const micros = (text: string) => parseUnits(text, 6);

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A wallet with its own code. */
interface Redeemer {
  readonly wallet: PrivateKeyAccount;
  readonly address: string;
  readonly code: string;
  token: string;
  isAnswered: boolean;
  isOffered: boolean;
}

export class BonusWorld {
  readonly #maker = privateKeyToAccount(generatePrivateKey());
  readonly #admin = new BonusAdmin();
  readonly #redeemers: Redeemer[] = [];
  #codesBatch = "";
  trades = 0;
  /** Requests and redemptions without an answer because their server was killed. */
  cutOff = 0;

  /** Opens a counterparty for any amount, and a batch for codes. */
  static async open(server: RunningServer): Promise<BonusWorld> {
    const world = new BonusWorld();
    await postJson(`${server.baseUrl}/api/v1/dev/faucet`, { address: world.#maker.address, amount: "1000000" });
    const token = await signIn(server.baseUrl, world.#maker);
    for (const [side, price] of [
      ["SELL", "60000"],
      ["BUY", "59990"],
    ] as const) {
      const order = { symbol: "BTCUSDT", type: "LIMIT", side, quantity: "10", price };
      await postJson(`${server.baseUrl}/orders`, order, token);
    }
    const batch = await world.#admin.done<GrantBatchReply>(server, world.#grantRequest([]));
    world.#codesBatch = batch.grant_batch_id;
    return world;
  }

  get redeemers(): number {
    return this.#redeemers.filter(({ isOffered }) => isOffered).length;
  }

  get requests(): number {
    return this.#admin.asked.length;
  }

  /** Prepares further wallets that have signed in and have a code each. */
  async prepareRedeemers(server: RunningServer, count: number): Promise<void> {
    const body = { grant_batch_id: this.#codesBatch, amount: AMOUNT, count, ttl_days: 365 };
    const asked = this.#admin.request("generate-codes", body);
    const { codes } = await this.#admin.done<GenerateCodesReply>(server, asked);
    assert.equal(new Set(codes).size, count);
    for (const code of codes) {
      const wallet = privateKeyToAccount(generatePrivateKey());
      const token = await signIn(server.baseUrl, wallet);
      const address = wallet.address.toLowerCase();
      this.#redeemers.push({ wallet, address, code, token, isAnswered: false, isOffered: false });
    }
  }

  /** Grants one batch after the other, until the server is dead. */
  async grantOn(server: RunningServer, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const asked = this.#grantRequest(Array.from({ length: PER_BATCH }, newAddress));
      await whileItLives(async () => {
        const { status, body } = await this.#admin.post<GrantBatchReply>(server, asked);
        // Accepted, but its outcome was not known in time: it is queried later.
        if (status === 503) return;
        assert.deepEqual([status, body.created, body.replayed], [200, PER_BATCH, false], JSON.stringify(body));
        asked.answer = body;
      });
    }
  }

  /** Redeems one code after the other; twice at once if possible, of which one must succeed. */
  async redeemOn(server: RunningServer, isOver: () => boolean): Promise<void> {
    for (const redeemer of this.#redeemers) {
      if (isOver()) return;
      if (redeemer.isOffered) continue;
      redeemer.isOffered = true;
      await whileItLives(async () => {
        const answers = await Promise.all([1, 2].map(() => this.#redeem(server, redeemer)));
        const statuses = answers.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, 409], JSON.stringify(answers));
        redeemer.isAnswered = true;
      });
    }
  }

  /** Wallets with a bonus trade on it: some close what they open, which ends their bonus. */
  async tradeOn(server: RunningServer, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const traders = this.#redeemers.filter(({ isAnswered }) => isAnswered);
      const trader = traders[Math.floor(Math.random() * traders.length)];
      if (trader === undefined) {
        await sleep(10);
        continue;
      }
      await whileItLives(async () => {
        const side = Math.random() < 0.6 ? "BUY" : "SELL";
        const order = { symbol: "BTCUSDT", type: "MARKET", side, quantity: "0.002" };
        const headers = { "content-type": "application/json", authorization: `Bearer ${trader.token}` };
        const body = JSON.stringify(order);
        const reply = await fetch(`${server.baseUrl}/orders`, { method: "POST", headers, body });
        await reply.arrayBuffer();
        // Margin, and the side rule of bonuses, may refuse it.
        assert.ok(reply.status === 200 || reply.status === 400, `an order: ${reply.status}`);
        if (reply.status === 200) this.trades += 1;
      });
    }
  }

  /** Recalls bonuses, of one wallet or with its linked wallets, one after the other, until the server is dead. */
  async recallOn(server: RunningServer, isOver: () => boolean): Promise<void> {
    const targets = this.#granted().filter((address) => !this.#targets().has(address));
    for (const [place, target_address] of targets.entries()) {
      if (isOver()) return;
      const endpoint = [...CONTROLS][place % CONTROLS.size]!;
      const asked = this.#admin.request(endpoint, { target_address, reason: "a drill" });
      await whileItLives(async () => {
        const { status, body } = await this.#admin.post<object>(server, asked);
        if (status === 503) return;
        assert.equal(status, 200, JSON.stringify(body));
        asked.answer = body;
      });
    }
  }

  /** After a restart: every request has had its effect once, and a repetition gets the same answer. */
  async settle(server: RunningServer): Promise<void> {
    for (const asked of this.#admin.asked) {
      const before = asked.answer as Record<string, unknown> | undefined;
      const again = await this.#admin.done<Record<string, unknown>>(server, asked);
      if (before === undefined) this.cutOff += 1;
      else assert.deepEqual(again, { ...before, replayed: true }, `${asked.endpoint}: it answers as the first time`);
    }
    for (const redeemer of this.#redeemers.filter(({ isOffered }) => isOffered)) {
      const { status, body } = await this.#redeem(server, redeemer);
      if (redeemer.isAnswered) assert.equal(status, 409, JSON.stringify(body));
      else this.cutOff += 1;
      assert.ok(status === 200 || body.code === "already_has_bonus", JSON.stringify(body));
      redeemer.isAnswered = true;
    }
  }

  /** After the clock has moved past the tokens' expiry. */
  async signInAgain(server: RunningServer): Promise<void> {
    for (const redeemer of this.#redeemers) redeemer.token = await signIn(server.baseUrl, redeemer.wallet);
  }

  /** BON-11: both sides agree to the last unit, nothing is open, and every wallet has had its bonus once. */
  async assertBooks(server: RunningServer): Promise<BonusReconcileReport> {
    const report = await waitFor(
      async () => {
        const found = await this.#admin.get<BonusReconcileReport>(server, "reconcile-report");
        return found.in_flight_count === 0 && found;
      },
      { what: "every grant to be in the engine" },
    );
    assert.deepEqual(
      [report.ok, report.difference, report.mismatching_accounts, report.pool_sums_ok, report.grants_stopped],
      [true, "0.00", [], true, false],
    );
    const lines = await this.#admin.poolLines(server);
    const granted = lines.filter(({ kind }) => kind === "GRANT");
    const wallets = [...this.#granted(), ...this.#redeemed()];
    assert.deepEqual(granted.map(({ address }) => address).sort(), wallets.sort(), "each wallet was granted once");
    assert.ok(granted.every(({ amount }) => micros(amount) === micros(AMOUNT)));
    assert.ok(!lines.some(({ kind }) => kind === "REFUSED"));
    const net = lines.reduce(
      (sum, { kind, amount }) => sum + (kind === "GRANT" ? micros(amount) : -micros(amount)),
      0n,
    );
    assert.equal(micros(report.net_outflow), net);
    assert.equal(micros(report.sums_by_kind["GRANT"] ?? "0"), micros(AMOUNT) * BigInt(granted.length));
    return report;
  }

  /** A recall by request returned its amount once; frozen bonuses are frozen. Returns how many were recalled. */
  async assertControlled(server: RunningServer): Promise<number> {
    let recalled = 0;
    for (const { endpoint, answer } of this.#admin.asked) {
      if (!CONTROLS.has(endpoint)) continue;
      const reply = answer as LinkedFreezeReply & { recalled_amount: string };
      const wallets = reply.wallets ?? [{ address: reply.target_address, recalled_amount: reply.recalled_amount }];
      for (const { address, recalled_amount } of wallets) {
        const { bonuses } = await this.#admin.get<BonusAccountDetail>(server, `accounts/${address}`);
        const [bonus] = bonuses;
        const returns = (bonus?.pool_lines ?? []).filter(({ kind }) => kind !== "GRANT").map(({ amount }) => amount);
        const expected = endpoint === "freeze" ? ["frozen", []] : ["recalled", [recalled_amount]];
        assert.deepEqual([bonus?.status, returns], expected, `${endpoint} ${address}`);
        if (endpoint !== "freeze") recalled += 1;
      }
    }
    return recalled;
  }

  #granted(): string[] {
    const batches = this.#admin.asked.filter(({ endpoint }) => endpoint === "grant-batch");
    return batches.flatMap(({ body }) => body["recipients"] as string[]).filter((address) => address !== "nobody");
  }

  #redeemed(): string[] {
    return this.#redeemers.filter(({ isOffered }) => isOffered).map(({ address }) => address);
  }

  #targets(): ReadonlySet<unknown> {
    return new Set(this.#admin.asked.map(({ body }) => body["target_address"]));
  }

  #grantRequest(recipients: readonly string[]): Asked {
    return this.#admin.request("grant-batch", {
      batch_name: "a batch",
      grant_tier: "COMMUNITY",
      per_address_amount: AMOUNT,
      max_leverage: 20,
      recipients: recipients.length === 0 ? ["nobody"] : recipients,
    });
  }

  async #redeem({ baseUrl }: RunningServer, { token, code }: Redeemer): Promise<Answer<{ code?: string }>> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const body = JSON.stringify({ code });
    const reply = await fetch(`${baseUrl}/api/v1/bonus/redeem`, { method: "POST", headers, body });
    return { status: reply.status, body: (await reply.json()) as { code?: string } };
  }
}
