import type { TestContext } from "node:test";
import { type ContractAddresses, contributionPurposes, roles, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, type Hex, maxUint256, type PrivateKeyAccount, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ManualClock } from "../../kernel/clock.ts";
import type { ChainSnapshot, EmbeddedChain } from "../embedded/embedded-chain.ts";
import { RpcError } from "../rpc-error.ts";
import { clientOf, deployer, signerOn, transfer, wallet } from "./chains.ts";
import type { Dice } from "./dice.ts";
import { openChainWorld } from "./world.ts";

/** Not the deployer's key, with which the traders' transactions are sent here. */
export const OPERATOR_KEY: Hex = `0x${"42".repeat(32)}`;
/** Enough for any call of the contracts, so that refused calls are mined as well. */
const GAS = 1_000_000n;

interface Place {
  readonly snapshot: ChainSnapshot;
  /** The transactions of traders and deployer in later blocks. */
  readonly later: Hex[];
}

/** A chain that is reorganised at times; some of the lost transactions are mined again on the new branch. */
export class ForkingChain {
  readonly chain: EmbeddedChain;
  readonly clock: ManualClock;
  readonly contracts: ContractAddresses;
  readonly wallets: readonly PrivateKeyAccount[] = [1, 2, 3, 4].map(wallet);
  readonly traders: readonly Address[] = this.wallets.map(({ address }) => address);
  /** Blocks it can revert to, oldest first. */
  #places: Place[] = [];

  private constructor(chain: EmbeddedChain, clock: ManualClock, contracts: ContractAddresses) {
    this.chain = chain;
    this.clock = clock;
    this.contracts = contracts;
  }

  static async open(t: TestContext): Promise<ForkingChain> {
    const { chain, clock, contracts } = await openChainWorld(t);
    const operator = privateKeyToAccount(OPERATOR_KEY).address;
    const signer = signerOn(chain);
    const vault = { address: contracts.vault, abi: vaultAbi } as const;
    await signer.sendTransaction({ to: operator, value: parseEther("1000") });
    await signer.writeContract({ ...vault, functionName: "grantRole", args: [roles.operator, operator] });
    await signer.writeContract({
      ...vault,
      functionName: "contribute",
      args: [contributionPurposes.insurance, 1_000_000_000n],
    });
    const world = new ForkingChain(chain, clock, contracts);
    await world.#giveTokens();
    return world;
  }

  /** Gives the traders gas, and tokens that earn and referral may take from them and from the deployer. */
  async #giveTokens(): Promise<void> {
    const { usdt, earn, referral } = this.contracts;
    const token = { address: usdt, abi: testUsdtAbi } as const;
    const signer = signerOn(this.chain);
    for (const account of this.wallets) {
      await signer.sendTransaction({ to: account.address, value: parseEther("1000") });
      await signer.writeContract({ ...token, functionName: "mint", args: [account.address, 10n ** 15n] });
      const approve = { ...token, functionName: "approve", args: [earn, maxUint256] } as const;
      await signerOn(this.chain, account).writeContract(approve);
    }
    for (const spender of [earn, referral]) {
      await signer.writeContract({ ...token, functionName: "approve", args: [spender, maxUint256] });
    }
  }

  get client() {
    return clientOf(this.chain).public;
  }

  async deposit(trader: number, amount: bigint): Promise<void> {
    const args = [this.traders[trader - 1]!, amount] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "depositFor", args });
    await this.send(deployer, this.contracts.vault, data);
  }

  /** A wallet's call, mined in its own block even if the contract refuses it. */
  async send(sender: PrivateKeyAccount, to: Address, data: Hex): Promise<void> {
    const nonce = await this.client.getTransactionCount({ address: sender.address });
    const raw = await transfer(nonce, { to, value: 0n, data, gas: GAS }, sender);
    await this.#remember();
    await this.chain.sendRawTransaction(raw);
    for (const { later } of this.#places) later.push(raw);
  }

  async mineEmpty(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined += 1) {
      await this.#remember();
      await this.chain.mine();
    }
  }

  /** Reverts by a number of places, then mines until the new branch is longer. */
  async fork(places: number, dice: Dice): Promise<void> {
    const height = this.chain.tip.number;
    const at = Math.max(0, this.#places.length - places);
    const place = this.#places[at];
    if (place === undefined) return;
    await this.chain.revertTo(place.snapshot);
    this.#places = this.#places.slice(0, at);
    const lost = place.later;
    for (const { later } of this.#places) later.length -= lost.length;
    // In order. If one is not mined again, later ones of its wallet have a nonce gap and are refused.
    for (const raw of lost) {
      if (!dice.chance(0.8)) continue;
      if (dice.chance(0.3)) await this.mineEmpty(1);
      await this.#again(raw);
    }
    await this.mineEmpty(Math.max(0, height + 1 - this.chain.tip.number));
  }

  async #again(raw: Hex): Promise<void> {
    await this.#remember();
    try {
      await this.chain.sendRawTransaction(raw);
    } catch (error) {
      if (error instanceof RpcError) return;
      throw error;
    }
    for (const { later } of this.#places) later.push(raw);
  }

  async #remember(): Promise<void> {
    this.#places.push({ snapshot: await this.chain.snapshot(), later: [] });
  }
}
