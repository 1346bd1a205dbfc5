import assert from "node:assert/strict";
import type { LinkedFreezeReply, RiskReport } from "@bourse/api";
import { testUsdtAbi } from "@bourse/contracts";
import { type TestPlatform, testWallet, type Wallet } from "../../../testing/test-platform.ts";
import { walletClient } from "../../../testing/wallet-client.ts";
import { GrantsPlatform, lower, OPERATOR } from "../../grants/testing/grants-platform.ts";

const HOST = "127.0.0.1:8080";

/** A wallet that is signed in. */
export interface Trader {
  readonly wallet: Wallet;
  readonly address: string;
  readonly token: string;
}

/** The platform with wallets that pay each other on chain, sign in from different IPs, trade, and have bonuses. */
export class RiskPlatform {
  readonly grants: GrantsPlatform;
  readonly #usdt: `0x${string}`;
  #wallets = 5_000;
  #ips = 0;

  private constructor(grants: GrantsPlatform, usdt: `0x${string}`) {
    this.grants = grants;
    this.#usdt = usdt;
  }

  static async create(): Promise<RiskPlatform> {
    const grants = await GrantsPlatform.create();
    const config = await grants.platform.get("/api/v1/config");
    const risk = new RiskPlatform(grants, config.json().contracts.usdt);
    await risk.price("60000");
    return risk;
  }

  get platform(): TestPlatform {
    return this.grants.platform;
  }

  close(): Promise<void> {
    return this.grants.close();
  }

  newIp(): string {
    this.#ips += 1;
    return `198.51.100.${this.#ips}`;
  }

  async #done(url: string, payload: object, token?: string): Promise<unknown> {
    const reply = await this.platform.post(url, payload, token);
    assert.equal(reply.statusCode, 200, `${url}: ${reply.body}`);
    return reply.json();
  }

  /** A wallet with a deposit that comes from the platform; it signs in from a new IP unless one is given. */
  async trader(ip = this.newIp()): Promise<Trader> {
    this.#wallets += 1;
    const wallet = testWallet(this.#wallets);
    await this.#done("/api/v1/dev/faucet", { address: wallet.address, amount: "10000" });
    return { wallet, address: lower(wallet), token: await this.#signIn(wallet, ip) };
  }

  async #signIn(wallet: Wallet, remoteAddress: string): Promise<string> {
    const post = (url: string, payload: object) =>
      this.platform.call({ method: "POST", url, headers: { host: HOST }, remoteAddress, payload });
    const message: string = (await post("/api/v1/auth/nonce", { address: wallet.address })).json().message_template;
    const reply = await post("/api/v1/auth/login", { message, signature: await wallet.signMessage({ message }) });
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json().access_token;
  }

  /** A transfer of the token, signed by the sender. */
  async pay(from: Trader, to: Trader, amount_usdt: number): Promise<void> {
    const signer = walletClient(this.platform, from.wallet);
    const args = [to.wallet.address, BigInt(amount_usdt) * 1_000_000n] as const;
    await signer.writeContract({ address: this.#usdt, abi: testUsdtAbi, functionName: "transfer", args });
  }

  async grant(...traders: readonly Trader[]): Promise<void> {
    const { status, body } = await this.grants.grant(
      traders.map(({ address }) => address),
      { per_address_amount: "500" },
    );
    assert.deepEqual([status, body.created], [200, traders.length], JSON.stringify(body));
  }

  price(price: string): Promise<unknown> {
    return this.#done("/api/v1/dev/price", { symbol: "BTCUSDT", price });
  }

  /** `buyer` buys from `seller` at the price. */
  async trade(buyer: Trader, seller: Trader, quantity: string, price: string): Promise<void> {
    const order = { symbol: "BTCUSDT", type: "LIMIT", quantity, price };
    await this.#done("/orders", { ...order, side: "BUY" }, buyer.token);
    await this.#done("/orders", { ...order, side: "SELL" }, seller.token);
  }

  pass(time_ms: number): void {
    this.platform.realTime.advance(time_ms);
  }

  /** A new assessment's list. */
  async risk(query = ""): Promise<RiskReport> {
    await this.#done("/api/v1/dev/jobs/bonus-risk/run", {});
    return await this.riskAsItIs(query);
  }

  async riskAsItIs(query = ""): Promise<RiskReport> {
    const { status, body } = await this.grants.admin("GET", `/risk${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** The scores of these wallets' pairs, by the indexes of the two. */
  async scores(...traders: readonly Trader[]): Promise<Record<string, number>> {
    const place = new Map(traders.map(({ address }, at) => [address, at]));
    const { items } = await this.risk("?limit=500");
    const own = items.filter(({ wallets }) => wallets.every((address) => place.has(address)));
    return Object.fromEntries(
      own.map(({ wallets, score }) => [
        wallets
          .map((address) => place.get(address))
          .sort()
          .join("-"),
        score,
      ]),
    );
  }

  freezeBody(target: Trader, more: object = {}): Record<string, unknown> {
    const request_id = this.grants.nextRequestId();
    return { target_address: target.address, reason: "linked", operator_addr: OPERATOR, request_id, ...more };
  }

  freezeLinked(body: object): Promise<{ status: number; body: LinkedFreezeReply & { code?: string } }> {
    return this.grants.admin("POST", "/freeze-linked", body);
  }

  async bonusOf({ token }: Trader): Promise<{ status: string; bonus_free: string; bonus_locked: string }> {
    const reply = await this.platform.get("/api/v1/bonus/me", token);
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json();
  }
}
