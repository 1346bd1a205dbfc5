import type { TestContext } from "node:test";
import { type ContractAddresses, deployContracts, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { type Address, type Hex, maxUint256 } from "viem";
import { createChainClient } from "../client.ts";
import type { EmbeddedChain } from "../embedded/embedded-chain.ts";
import { createEmbeddedRpc, type RpcRequest } from "../embedded/rpc-methods.ts";
import { CHAIN_ID, clientOf, deployer, openTestChain, signerOn, type TestChain } from "./chains.ts";

/** A chain with the platform's contracts, on which the deployer has every role and unlimited test tokens. */
export interface ChainWorld extends TestChain {
  readonly contracts: ContractAddresses;
  /** Deposits for a wallet and returns the transaction's hash. */
  deposit(account: Address, amount: bigint): Promise<Hex>;
  withdraw(id: Hex, to: Address, amount: bigint): Promise<Hex>;
  mineEmpty(count: number): Promise<void>;
}

export async function openChainWorld(t: TestContext, options: Parameters<typeof openTestChain>[1] = {}) {
  const test = await openTestChain(t, options);
  return await prepareWorld(test);
}

export async function prepareWorld(test: TestChain): Promise<ChainWorld> {
  const { chain } = test;
  const wallet = signerOn(chain);
  const { address } = deployer;
  const roles = { admin: address, operator: address, earnSigner: address, pauser: address, minter: address };
  const contracts = await deployContracts({ client: clientOf(chain).public as never, wallet: wallet as never, roles });
  const { usdt, vault } = contracts;
  const token = { address: usdt, abi: testUsdtAbi } as const;
  await wallet.writeContract({ ...token, functionName: "mint", args: [address, 10n ** 18n] });
  await wallet.writeContract({ ...token, functionName: "approve", args: [vault, maxUint256] });
  const bank = { address: vault, abi: vaultAbi } as const;
  return {
    ...test,
    contracts,
    deposit: (account, amount) =>
      wallet.writeContract({ ...bank, functionName: "depositFor", args: [account, amount] }),
    withdraw: (id, to, amount) => wallet.writeContract({ ...bank, functionName: "withdraw", args: [id, to, amount] }),
    async mineEmpty(count) {
      for (let mined = 0; mined < count; mined += 1) await chain.mine();
    },
  };
}

/** Drops the last blocks; the next block starts another branch. */
export async function forkable(chain: EmbeddedChain) {
  const snapshot = await chain.snapshot();
  return { drop: () => chain.revertTo(snapshot) };
}

/** A node between the chain and its reader that fails, repeats answers, or runs code between two requests. */
export class FaultyNode {
  readonly #chain: EmbeddedChain;
  /** Called before each answer; an error it throws is the answer. */
  beforeAnswer: (request: RpcRequest) => Promise<void> = async () => undefined;
  /** Replaces each answer. */
  changed: (method: string, answer: unknown) => unknown = (_, answer) => answer;
  readonly asked: RpcRequest[] = [];

  constructor(chain: EmbeddedChain) {
    this.#chain = chain;
  }

  client(confirmations = 0) {
    const rpc = createEmbeddedRpc(this.#chain);
    const request = async (question: RpcRequest): Promise<unknown> => {
      this.asked.push(question);
      await this.beforeAnswer(question);
      return this.changed(question.method, await rpc.request(question));
    };
    return createChainClient({ kind: "embedded", chainId: CHAIN_ID, confirmations, request });
  }

  /** The sizes of the requested log ranges. */
  get ranges(): number[] {
    const ofLogs = this.asked.filter(({ method }) => method === "eth_getLogs");
    return ofLogs.map(({ params }) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }];
      return Number(toBlock) - Number(fromBlock) + 1;
    });
  }
}
