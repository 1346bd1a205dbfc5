import type { TestContext } from "node:test";
import { type ContractAddresses, contributionPurposes, roles, vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, type Hex, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ManualClock } from "../../kernel/clock.ts";
import type { ChainSnapshot, EmbeddedChain } from "../embedded/embedded-chain.ts";
import { RpcError } from "../rpc-error.ts";
import { clientOf, deployer, signerOn, transfer, wallet } from "./chains.ts";
import type { Dice } from "./dice.ts";
import { openChainWorld } from "./world.ts";

/** Not the deployer's, whose transactions are those of the traders here. */
export const OPERATOR_KEY: Hex = `0x${"42".repeat(32)}`;

interface Place {
  readonly snapshot: ChainSnapshot;
  /** The traders' transactions that are in blocks after it. */
  readonly later: Hex[];
}

/** A chain that goes back now and then and takes another branch, on which some of the lost transactions come again. */
export class ForkingChain {
  readonly chain: EmbeddedChain;
  readonly clock: ManualClock;
  readonly contracts: ContractAddresses;
  readonly traders: readonly Address[] = [1, 2, 3, 4].map((number) => wallet(number).address);
  /** Where it can go back to, oldest first. */
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
    return new ForkingChain(chain, clock, contracts);
  }

  /** One transaction with so many deposits in it is not possible from a wallet: each is one of its own. */
  async deposit(trader: number, amount: bigint): Promise<void> {
    const args = [this.traders[trader - 1]!, amount] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "depositFor", args });
    const nonce = await clientOf(this.chain).public.getTransactionCount({ address: deployer.address });
    const raw = await transfer(nonce, { to: this.contracts.vault, value: 0n, data, gas: 300_000n });
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

  /** Goes back so many places, and on from there until the new branch is the longer one. */
  async fork(places: number, dice: Dice): Promise<void> {
    const height = this.chain.tip.number;
    const at = Math.max(0, this.#places.length - places);
    const place = this.#places[at];
    if (place === undefined) return;
    await this.chain.revertTo(place.snapshot);
    this.#places = this.#places.slice(0, at);
    const lost = place.later;
    for (const { later } of this.#places) later.length -= lost.length;
    // In their order, up to one that does not come again: those behind it have no nonce any more.
    while (lost.length > 0 && dice.chance(0.7)) {
      if (dice.chance(0.3)) await this.mineEmpty(1);
      if (!(await this.#again(lost.shift()!))) break;
    }
    await this.mineEmpty(Math.max(0, height + 1 - this.chain.tip.number));
  }

  async #again(raw: Hex): Promise<boolean> {
    await this.#remember();
    try {
      await this.chain.sendRawTransaction(raw);
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
    for (const { later } of this.#places) later.push(raw);
    return true;
  }

  async #remember(): Promise<void> {
    this.#places.push({ snapshot: await this.chain.snapshot(), later: [] });
  }
}
