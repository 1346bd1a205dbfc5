/** A KOL, its sub-KOL and their customers, who trade, are settled and paid, while servers are killed and restarted. */
import assert from "node:assert/strict";
import type { TokenReply } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import { createPublicClient, formatUnits, http, parseUnits } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { CHAIN, contractsOf } from "./chain.ts";
import type { RunningServer } from "./server.ts";
import { postJson, signIn, TRADING_ENV } from "./traders.ts";
import { waitFor } from "./waiting.ts";

const DAY_ms = 86_400_000;
const SETTLEMENT_ms = 11 * 60_000;
const MICROS = 1_000_000n;

/** The steps at the end of a day, in this order. */
export const DAY_STEPS = ["clock", "calculate", "batch", "pay"] as const;
export type DayStep = (typeof DAY_STEPS)[number];

const ROLES = ["kol", "sub", "kolCustomer", "subCustomer", "stranger"] as const;
type Role = (typeof ROLES)[number];

/** A Gold KOL, a sub-KOL at 0.25 that shares 0.2, and customers that get 0.1 back. */
const KOL_LEVEL = 3;
const KOL_e6 = 300_000n;
const SUB_e6 = 250_000n;
const CUSTOMER_e6 = 100_000n;
const BOUND_SHARE_e6 = 200_000n;

export interface WorldFill {
  readonly role: Role;
  readonly period: string;
  readonly fee_micros: bigint;
}

/** Period, owner, downline, then fee, nominal, customer, share and net in micros. */
export type WorldRecord = readonly [string, Role, Role, bigint, bigint, bigint, bigint, bigint];

const share = (amount: bigint, ratio_e6: bigint): bigint => (amount * ratio_e6) / MICROS;

/** BRK-10, BRK-12, BRK-13, computed again from what the traders received. */
export function expectedRecords(fills: readonly WorldFill[]): WorldRecord[] {
  const fees = new Map<string, bigint>();
  for (const { role, period, fee_micros } of fills) {
    const key = `${period} ${role}`;
    fees.set(key, (fees.get(key) ?? 0n) + fee_micros);
  }
  const records: WorldRecord[] = [];
  for (const [key, fee] of fees) {
    const [period, role] = key.split(" ") as [string, Role];
    if (role === "stranger" || fee === 0n) continue;
    const owner: Role = role === "subCustomer" ? "sub" : "kol";
    const nominal = share(fee, role === "subCustomer" ? SUB_e6 : KOL_e6);
    const customer = share(fee, { kol: KOL_e6, sub: SUB_e6, kolCustomer: CUSTOMER_e6, subCustomer: CUSTOMER_e6 }[role]);
    const shared = role === "subCustomer" ? share(nominal - customer, BOUND_SHARE_e6) : 0n;
    records.push([period, owner, role, fee, nominal, customer, shared, nominal - customer - shared]);
  }
  return records.sort(byText);
}

const byText = (one: WorldRecord, other: WorldRecord) => (one.join() < other.join() ? -1 : 1);

interface RebateRecord {
  readonly period: string;
  readonly downline_wallet: string;
  readonly fee_amount: string;
  readonly nominal_rebate: string;
  readonly customer_rebate: string;
  readonly share_amount: string;
  readonly kol_net_rebate: string;
  readonly payment_status: string;
}

interface Batch {
  readonly id: string;
  readonly status: string;
}

const micros = (text: string) => parseUnits(text, 6);

export class BrokerWorld {
  readonly #wallets: Readonly<Record<Role, PrivateKeyAccount>>;
  /** The number of paid batches, according to the server. */
  batches = 0;

  private constructor() {
    const wallets = ROLES.map((role) => [role, privateKeyToAccount(generatePrivateKey())] as const);
    this.#wallets = Object.fromEntries(wallets) as Record<Role, PrivateKeyAccount>;
  }

  static async open(server: RunningServer): Promise<BrokerWorld> {
    const world = new BrokerWorld();
    for (const role of ROLES) {
      const address = world.address(role);
      await postJson(`${server.baseUrl}/api/v1/dev/faucet`, { address, amount: "1000000" });
    }
    const admin = await world.#admin(server);
    const kol = { wallet_address: world.address("kol"), level: KOL_LEVEL };
    await postJson(`${server.baseUrl}/api/v1/broker/admin/kol`, kol, admin);
    await world.#invite(server, "kol", "sub", {
      code_type: "sub_kol",
      share_ratio: "0.2",
      sub_kol_rebate_rate: "0.25",
    });
    const direct = { code_type: "direct", share_ratio: 0.1, customer_rebate_ratio: 0.1 };
    await world.#invite(server, "kol", "kolCustomer", direct);
    await world.#invite(server, "sub", "subCustomer", direct);
    return world;
  }

  address(role: Role): string {
    return this.#wallets[role].address.toLowerCase();
  }

  /** Everybody buys from another wallet and sells again, `times` times. */
  async trade(server: RunningServer, times: number): Promise<void> {
    const tokens = new Map<Role, string>();
    for (const role of ROLES) tokens.set(role, await signIn(server.baseUrl, this.#wallets[role]));
    const order = (role: Role, side: "BUY" | "SELL", quantity: string, time_in_force: "GTC" | "IOC") => {
      const body = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", side, quantity, time_in_force };
      return postJson(`${server.baseUrl}/orders`, body, tokens.get(role));
    };
    for (let time = 1; time <= times; time += 1) {
      for (const [place, role] of ROLES.entries()) {
        if (role === "stranger") continue;
        // Amounts whose parts need rounding.
        const quantity = `0.${String(7 * time + 13 * (place + 1)).padStart(3, "0")}`;
        await order("stranger", "SELL", quantity, "GTC");
        await order(role, "BUY", quantity, "IOC");
        await order("stranger", "BUY", quantity, "GTC");
        await order(role, "SELL", quantity, "IOC");
      }
    }
  }

  /** Moves past midnight: the job settles the day, which is then settled again by hand, put into a batch and paid. */
  async endDay(server: RunningServer, onStep: (step: DayStep) => void = () => undefined): Promise<void> {
    const { serverTime } = (await (await fetch(`${server.baseUrl}/fapi/v1/time`)).json()) as { serverTime: number };
    const midnight_ms = (Math.floor(serverTime / DAY_ms) + 1) * DAY_ms;
    onStep("clock");
    await postJson(`${server.baseUrl}/api/v1/dev/clock`, { now: midnight_ms + SETTLEMENT_ms });
    const admin = await this.#admin(server);
    const period = new Date(midnight_ms - DAY_ms).toISOString().slice(0, 10);
    onStep("calculate");
    await postJson(`${server.baseUrl}/api/v1/broker/admin/rebate/calculate`, { period }, admin);
    onStep("batch");
    const { id } = await postJson<Batch>(this.#batchUrl(server), {}, admin);
    onStep("pay");
    // Twice at the same moment: it is paid once.
    await Promise.all([1, 2].map(() => postJson(`${this.#batchUrl(server)}/${id}/pay`, {}, admin)));
  }

  /** Repeats until nothing is left to be paid. */
  async payEverything(server: RunningServer): Promise<void> {
    for (;;) {
      const admin = await this.#admin(server);
      for (const { id, status } of await this.#allBatches(server)) {
        if (status === "open") await postJson(`${this.#batchUrl(server)}/${id}/pay`, {}, admin);
      }
      await waitFor(
        async () => {
          await postJson(`${server.baseUrl}/api/v1/dev/jobs/chain-sync/run`, {});
          return (await this.#allBatches(server)).every(({ status }) => status === "paid");
        },
        { what: "every batch to be paid" },
      );
      const headers = { "content-type": "application/json", authorization: `Bearer ${admin}` };
      const more = await fetch(this.#batchUrl(server), { method: "POST", headers, body: "{}" });
      if (more.status !== 409) {
        assert.equal(more.status, 200, await more.text());
        continue;
      }
      assert.equal(((await more.json()) as { code: string }).code, "NOTHING_TO_PAY");
      this.batches = (await this.#allBatches(server)).length;
      return;
    }
  }

  /** The fills that the traders received. */
  async fills(server: RunningServer): Promise<WorldFill[]> {
    const fills: WorldFill[] = [];
    for (const role of ROLES) {
      const token = await signIn(server.baseUrl, this.#wallets[role]);
      const { trades } = await this.#get<{ trades: { time: number; fee: string }[] }>(
        `${server.baseUrl}/account/trades?limit=500`,
        token,
      );
      assert.ok(trades.length < 500, "the page holds all fills");
      for (const { time, fee } of trades) {
        fills.push({ role, period: new Date(time).toISOString().slice(0, 10), fee_micros: micros(fee) });
      }
    }
    return fills;
  }

  /** All records, which are all paid. */
  async records(server: RunningServer): Promise<WorldRecord[]> {
    const roleOf = new Map(ROLES.map((role) => [this.address(role), role]));
    const records: WorldRecord[] = [];
    for (const owner of ["kol", "sub"] as const) {
      const token = await signIn(server.baseUrl, this.#wallets[owner]);
      const rows = await this.#get<RebateRecord[]>(`${server.baseUrl}/api/v1/broker/rebate-records`, token);
      assert.ok(rows.length < 100, "the page holds all records");
      for (const row of rows) {
        assert.equal(row.payment_status, "paid");
        const downline = roleOf.get(row.downline_wallet);
        assert.ok(downline !== undefined);
        const { period, fee_amount, nominal_rebate, customer_rebate, share_amount, kol_net_rebate } = row;
        const [fee, nominal, customer, shared, net] = [
          fee_amount,
          nominal_rebate,
          customer_rebate,
          share_amount,
          kol_net_rebate,
        ].map(micros) as [bigint, bigint, bigint, bigint, bigint];
        records.push([period, owner, downline, fee, nominal, customer, shared, net]);
      }
    }
    return records.sort(byText);
  }

  /** By role: what the records owe. */
  async owed(server: RunningServer): Promise<Record<string, string>> {
    const owed = new Map<Role, bigint>();
    const add = (role: Role, amount: bigint) => owed.set(role, (owed.get(role) ?? 0n) + amount);
    for (const [, owner, downline, , , customer, shared, net] of await this.records(server)) {
      add(downline, customer);
      add(owner, net);
      add("kol", shared);
    }
    return this.#shown(owed);
  }

  /** By role: what the contract was credited. */
  async credited(server: RunningServer): Promise<Record<string, string>> {
    const { referral: address } = await contractsOf(server);
    const client = createPublicClient({ chain: CHAIN, transport: http(`${server.baseUrl}/rpc`) });
    const place = { address, abi: referralRebateAbi, fromBlock: 0n, strict: true } as const;
    const events = await client.getContractEvents({ ...place, eventName: "RebateCredited" });
    const credited = new Map<Role, bigint>();
    for (const role of ROLES) {
      const own = events.filter(({ args }) => args.user.toLowerCase() === this.address(role));
      const sum = own.reduce((total, { args }) => total + args.amount, 0n);
      if (sum > 0n) credited.set(role, sum);
    }
    return this.#shown(credited);
  }

  async roots(server: RunningServer, records: readonly WorldRecord[]): Promise<Record<string, string>> {
    const token = await this.#admin(server);
    const roots: Record<string, string> = {};
    for (const period of new Set(records.map(([period]) => period))) {
      const url = `${server.baseUrl}/api/v1/broker/settlements/${period}/root`;
      const { root, revision, status } = await this.#get<{ root: string; revision: number; status: string }>(
        url,
        token,
      );
      roots[period] = `${status} ${revision} ${root}`;
    }
    return roots;
  }

  /** Settles every day again; returns the roots. */
  async recalculate(server: RunningServer, records: readonly WorldRecord[]): Promise<Record<string, string>> {
    const token = await this.#admin(server);
    for (const period of new Set(records.map(([period]) => period))) {
      await postJson(`${server.baseUrl}/api/v1/broker/admin/rebate/calculate`, { period }, token);
    }
    return await this.roots(server, records);
  }

  #shown(amounts: ReadonlyMap<Role, bigint>): Record<string, string> {
    return Object.fromEntries(
      ROLES.flatMap((role) => {
        const amount = amounts.get(role) ?? 0n;
        return amount === 0n ? [] : [[role, formatUnits(amount, 6)]];
      }),
    );
  }

  async #invite(server: RunningServer, inviter: Role, invitee: Role, terms: object): Promise<void> {
    const inviterToken = await signIn(server.baseUrl, this.#wallets[inviter]);
    const broker = `${server.baseUrl}/api/v1/broker`;
    const { code } = await postJson<{ code: string }>(`${broker}/invite-code`, terms, inviterToken);
    await postJson(`${broker}/bind`, { code }, await signIn(server.baseUrl, this.#wallets[invitee]));
  }

  #allBatches(server: RunningServer): Promise<Batch[]> {
    return this.#admin(server)
      .then((token) => this.#get<{ batches: Batch[] }>(`${this.#batchUrl(server)}?per_page=100`, token))
      .then(({ batches }) => batches);
  }

  #batchUrl({ baseUrl }: RunningServer): string {
    return `${baseUrl}/api/v1/broker/admin/rebate/payout-batches`;
  }

  async #admin({ baseUrl }: RunningServer): Promise<string> {
    const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
    return (await postJson<TokenReply>(`${baseUrl}/api/v1/broker/auth/login`, credentials)).access_token;
  }

  async #get<Reply>(url: string, token: string): Promise<Reply> {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    assert.equal(response.status, 200, `GET ${url}: ${text}`);
    return JSON.parse(text) as Reply;
  }
}
