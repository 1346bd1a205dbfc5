import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Withdrawal } from "@bourse/api";
import { testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { createPublicClient, createWalletClient, http, type PrivateKeyAccount, parseUnits } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { CHAIN, contractsOf } from "../support/chain.ts";
import { makeDataDir } from "../support/databases.ts";
import { assertProductAgrees, openEarnProduct, Saver } from "../support/savers.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { assertInvariants, pinPrices, postJson, signIn, TRADING_ENV, Trader } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** More with `CHAIN_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["CHAIN_CRASH_ROUNDS"] ?? 2);
const GIVEN_USDT = 100_000;

/** What a trader has requested, with or without an answer. */
class Holder {
  readonly wallet: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly asked: { readonly request_id: string; readonly amount: number }[] = [];
  /** In whole USDT, into the Vault, by transactions that the chain has accepted. */
  deposited = 0;

  async open(server: RunningServer): Promise<void> {
    const body = { address: this.wallet.address, amount: String(GIVEN_USDT), request_id: "given" };
    await postJson(`${server.baseUrl}/api/v1/dev/faucet`, body);
    this.deposited = GIVEN_USDT;
    const { usdt, vault } = await contractsOf(server);
    const approve = { address: usdt, abi: testUsdtAbi, functionName: "approve" } as const;
    await this.#signer(server).writeContract({ ...approve, args: [vault, parseUnits("1000000", 6)] });
  }

  /** Deposits and withdraws until the server is dead. */
  async act(server: RunningServer, isOver: () => boolean): Promise<void> {
    const token = await signIn(server.baseUrl, this.wallet);
    const { vault } = await contractsOf(server);
    while (!isOver()) {
      const request_id = `w${this.asked.length}`;
      const amount = 1 + this.asked.length;
      this.asked.push({ request_id, amount });
      const body = { amount: String(amount), request_id };
      const args = [parseUnits("7", 6)] as const;
      try {
        await Promise.all([
          postJson(`${server.baseUrl}/withdraw/request`, body, token),
          // The same one at the same moment: it has one effect.
          postJson(`${server.baseUrl}/withdraw/request`, body, token),
        ]);
        await this.#signer(server).writeContract({ address: vault, abi: vaultAbi, functionName: "deposit", args });
        this.deposited += 7;
      } catch (error) {
        if (isOver()) return;
        throw error;
      }
    }
  }

  /** Repeats requests without an answer, as a client does; then waits until everything is done. */
  async finish(server: RunningServer): Promise<Withdrawal[]> {
    const token = await signIn(server.baseUrl, this.wallet);
    for (const { request_id, amount } of this.asked) {
      await postJson(`${server.baseUrl}/withdraw/request`, { amount: String(amount), request_id }, token);
    }
    return await waitFor(
      async () => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${server.baseUrl}/withdraw/list?limit=500`, { headers });
        const { withdrawals } = (await response.json()) as { withdrawals: Withdrawal[] };
        return withdrawals.every(({ status }) => status === "confirmed") ? withdrawals : undefined;
      },
      { what: "every withdrawal to be confirmed" },
    );
  }

  async account(server: RunningServer): Promise<{ principal: string; in_flight: string }> {
    const headers = { authorization: `Bearer ${await signIn(server.baseUrl, this.wallet)}` };
    return (await (await fetch(`${server.baseUrl}/unified/account`, { headers })).json()) as never;
  }

  #signer({ baseUrl }: RunningServer) {
    const transport = http(`${baseUrl}/rpc`, { retryCount: 0 });
    return createWalletClient({ account: this.wallet, chain: CHAIN, transport });
  }
}

/** On the chain: what the wallet has, and what the Vault has taken from and paid to it. */
async function chainSide(server: RunningServer, { address }: PrivateKeyAccount) {
  const { usdt, vault } = await contractsOf(server);
  const client = createPublicClient({ chain: CHAIN, transport: http(`${server.baseUrl}/rpc`) });
  const tokens = await client.readContract({
    address: usdt,
    abi: testUsdtAbi,
    functionName: "balanceOf",
    args: [address],
  });
  const place = { address: vault, abi: vaultAbi, fromBlock: 0n, strict: true } as const;
  const deposits = await client.getContractEvents({ ...place, eventName: "Deposited", args: { account: address } });
  const paid = await client.getContractEvents({ ...place, eventName: "Withdrawn", args: { to: address } });
  const sum = (amounts: readonly bigint[]) => Number(amounts.reduce((total, amount) => total + amount, 0n)) / 1e6;
  return {
    tokens: Number(tokens) / 1e6,
    deposited: sum(deposits.map(({ args }) => args.amount)),
    withdrawn: sum(paid.map(({ args }) => args.amount)),
    ids: paid.map(({ args }) => args.id),
  };
}

describe("deposits, withdrawals and subscriptions under kill -9", () => {
  it("VLT-1, INV-8, ERN-9: every deposit is credited once, every withdrawal paid once, every subscription is a position, and both sides agree to the last unit", async (t) => {
    const dataDir = await makeDataDir(t);
    const start = () => startServer({ owner: t, dataDir, env: TRADING_ENV });
    let server = await start();
    await pinPrices(server.baseUrl);
    const holder = new Holder();
    await holder.open(server);
    const traders = [await Trader.open(server.baseUrl), await Trader.open(server.baseUrl)];
    const product = await openEarnProduct(server);
    const savers = [new Saver(product), new Saver(product), new Saver(product)];
    for (const saver of savers) await saver.open(server);
    for (let round = 1; round <= ROUNDS; round += 1) {
      await traders[0]!.place(server.baseUrl, { side: "BUY" });
      await traders[1]!.place(server.baseUrl, { side: "SELL" });
      let isOver = false;
      const acting = Promise.all([holder, ...savers].map((person) => person.act(server, () => isOver)));
      await sleep(300 + Math.random() * 1_500);
      isOver = true;
      server.kill("SIGKILL");
      await acting;
      await server.exited;
      server = await start();
      await pinPrices(server.baseUrl);
    }
    const withdrawals = await holder.finish(server);
    assert.equal(withdrawals.length, holder.asked.length);
    const asked = holder.asked.reduce((sum, { amount }) => sum + amount, 0);
    const chain = await chainSide(server, holder.wallet);
    assert.equal(chain.withdrawn, asked);
    assert.equal(new Set(chain.ids).size, holder.asked.length, "each was paid once");
    // A transaction without an answer may be in or not: the chain decides.
    assert.ok(chain.deposited >= holder.deposited);
    assert.equal(chain.tokens, GIVEN_USDT - (chain.deposited - GIVEN_USDT) + asked);
    const expected = (chain.deposited - asked).toFixed(2);
    await waitFor(async () => (await holder.account(server)).principal === expected, {
      what: `the account to hold ${expected}`,
    });
    assert.equal((await holder.account(server)).in_flight, "0.00");
    const taken = await Promise.all(savers.map((saver) => saver.finish(server)));
    await assertProductAgrees(server, product, taken);
    await assertInvariants(server.baseUrl);
    const subscriptions = taken.reduce((sum, { count }) => sum + count, 0);
    t.diagnostic(
      `${ROUNDS} kills, ${holder.asked.length} withdrawals, ${chain.deposited} USDT deposited, ${subscriptions} subscriptions`,
    );
  });
});
