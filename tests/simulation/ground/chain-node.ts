import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ContractAddresses, deployContracts, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  maxUint256,
  type PrivateKeyAccount,
  parseEther,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { chainOf } from "../../../apps/server/src/chain/client.ts";
import { type ChainSnapshot, EmbeddedChain } from "../../../apps/server/src/chain/embedded/embedded-chain.ts";
import { DEPLOYER_KEY } from "../../../apps/server/src/chain/embedded/node.ts";
import { createEmbeddedRpc, type RpcRequest } from "../../../apps/server/src/chain/embedded/rpc-methods.ts";
import { RpcError } from "../../../apps/server/src/chain/rpc-error.ts";
import type { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import type { Clock } from "../../../apps/server/src/kernel/clock.ts";
import { seededRandom } from "../../../apps/server/src/kernel/random.ts";
import type { Faults } from "./faults.ts";
import type { Gate } from "./gate.ts";

export const CHAIN_ID = 43_113;
const SLOW_ms = 60;
/** The platform keeps a number of blocks to return to; a reorganisation stays well below it. */
const DEEPEST_blocks = 40;

const deployer = privateKeyToAccount(DEPLOYER_KEY);

/** How a planted bug may change the node's answers. */
export interface ChainBug {
  changed?(method: string, answer: unknown): unknown;
}

interface RpcCall extends RpcRequest {
  readonly id: number;
}

/**
 * A chain outside all platforms: it outlives them, is called over HTTP, fails, is slow, loses replies and switches
 * branches.
 */
export class ChainNode {
  readonly chain: EmbeddedChain;
  readonly contracts: ContractAddresses;
  readonly #server: Server;
  readonly #faults: Faults;
  readonly #gates = new Map<number, Gate>();
  readonly #rpc: ReturnType<typeof createEmbeddedRpc>;
  readonly #bug: ChainBug | undefined;
  readonly #clock: Clock;
  /** Whether the last block has transactions. */
  #isTipFull = false;
  #place: { readonly snapshot: ChainSnapshot; readonly later: Hex[] } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #wallets = new Map<Address, Promise<unknown>>();

  private constructor(
    chain: EmbeddedChain,
    contracts: ContractAddresses,
    { faults, bug, clock }: { faults: Faults; bug?: ChainBug | undefined; clock: Clock },
  ) {
    this.chain = chain;
    this.contracts = contracts;
    this.#faults = faults;
    this.#bug = bug;
    this.#clock = clock;
    this.#rpc = createEmbeddedRpc(chain);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(options: {
    readonly folder: string;
    readonly clock: Clock;
    readonly seed: string;
    readonly operator: Address;
    readonly earnSigner: Address;
    readonly faults: Faults;
    readonly bug?: ChainBug | undefined;
  }): Promise<ChainNode> {
    const { folder, clock, seed, operator, earnSigner, faults, bug } = options;
    const chain = await EmbeddedChain.open({ folder, chainId: CHAIN_ID, clock, random: seededRandom(`${seed} chain`) });
    const wallet = signerOn(chain, deployer);
    const roles = { admin: operator, operator, pauser: operator, minter: deployer.address, earnSigner };
    const contracts = await deployContracts({ client: readerOf(chain) as never, wallet: wallet as never, roles });
    await wallet.sendTransaction({ to: operator, value: parseEther("1000000") });
    const node = new ChainNode(chain, contracts, { faults, bug, clock });
    await new Promise<void>((resolve) => node.#server.listen(0, "127.0.0.1", resolve));
    node.#server.unref();
    return node;
  }

  /** The URL of an incarnation; calls to it after its death get no answer. */
  urlFor(incarnation: number, gate: Gate): string {
    this.#gates.set(incarnation, gate);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${incarnation}`;
  }

  get reader() {
    return readerOf(this.chain);
  }

  /** A wallet that sends through this node. */
  signer(account: PrivateKeyAccount) {
    return createWalletClient({
      account,
      chain: chainOf(CHAIN_ID),
      transport: custom({ request: (args: RpcRequest) => this.#answer(args) }, { retryCount: 0 }),
    });
  }

  /** Gives a wallet gas and tokens, and approves Vault and Earn. */
  async equip(account: PrivateKeyAccount, amount: bigint): Promise<void> {
    const { usdt, earn, vault } = this.contracts;
    await signerOn(this.chain, deployer).sendTransaction({ to: account.address, value: parseEther("100") });
    await this.mint(account.address, amount);
    for (const spender of [earn, vault]) {
      const approve = {
        address: usdt,
        abi: testUsdtAbi,
        functionName: "approve",
        args: [spender, maxUint256],
      } as const;
      await this.signer(account).writeContract(approve);
    }
  }

  async mint(to: Address, amount: bigint): Promise<void> {
    const call = { address: this.contracts.usdt, abi: testUsdtAbi, functionName: "mint", args: [to, amount] } as const;
    await signerOn(this.chain, deployer).writeContract(call);
  }

  async deposit(account: PrivateKeyAccount, amount: bigint): Promise<Hex> {
    const call = { address: this.contracts.vault, abi: vaultAbi, functionName: "deposit", args: [amount] } as const;
    return await this.send(account, (signer) => signer.writeContract(call));
  }

  /** Sends a wallet's transactions one after the other. */
  async send(
    account: PrivateKeyAccount,
    write: (signer: ReturnType<ChainNode["signer"]>) => Promise<Hex>,
  ): Promise<Hex> {
    const turn = this.#wallets.get(account.address) ?? Promise.resolve();
    const sent = turn.then(() => write(this.signer(account)));
    this.#wallets.set(
      account.address,
      sent.catch(() => undefined),
    );
    return await sent;
  }

  mine(): Promise<unknown> {
    return this.#inTurn(() => this.chain.mine());
  }

  /** Records this block as one to return to. */
  async mark(): Promise<void> {
    await this.#inTurn(async () => {
      this.#place = { snapshot: await this.chain.snapshot(), later: [] };
    });
  }

  /** Drops an old mark, because vouchers and windows would have expired on the other branch. */
  forgetMark(): void {
    this.#place = undefined;
  }

  /** Returns to the mark and continues on another branch; false if there is no mark, or it is too far back. */
  async reorganise(dice: Dice, isOperators: (raw: Hex) => Promise<boolean>): Promise<boolean> {
    return await this.#inTurn(async () => {
      const place = this.#place;
      this.#place = undefined;
      const height = this.chain.tip.number;
      if (place === undefined || height === place.snapshot.tip.number) return false;
      if (height - place.snapshot.tip.number > DEEPEST_blocks) return false;
      const drops = await Promise.all(place.later.map(async (raw) => (await isOperators(raw)) && dice.chance(0.3)));
      await this.chain.revertTo(place.snapshot);
      await this.chain.mine();
      for (const [at, raw] of place.later.entries()) {
        if (drops[at] !== true) await this.#again(raw);
        if (dice.chance(0.2)) await this.chain.mine();
      }
      while (this.chain.tip.number <= height) await this.chain.mine();
      this.#faults.count("reorg");
      return true;
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.chain.close();
  }

  /** Transactions that depend on a dropped one are refused; the operator sends its own again. */
  async #again(raw: Hex): Promise<void> {
    try {
      await this.chain.sendRawTransaction(raw);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }

  async #answer(request: RpcRequest): Promise<unknown> {
    if (request.method !== "eth_sendRawTransaction") return await this.#rpc.request(request);
    return await this.#inTurn(async () => {
      const answer = await this.#rpc.request(request);
      this.#place?.later.push((request.params as [Hex])[0]);
      this.#isTipFull = true;
      return answer;
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gate = this.#gates.get(Number(request.url?.slice(1)));
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const call = JSON.parse(text) as RpcCall;
    if (gate === undefined || gate.isShut) return void response.destroy();
    const cut = () => response.destroy();
    gate.death.catch(cut);
    await this.#faults.delay("chain-slow", SLOW_ms);
    if (this.#faults.take("chain-error")) {
      response.writeHead(503).end("the node is overloaded");
      return;
    }
    const answer = await gate.around("chain", () => this.#reply(call));
    if (this.#faults.take("chain-reply-lost")) return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  /** Mines a block when somebody asks for the last one and there are transactions. */
  async #produce(method: string, params: unknown): Promise<void> {
    const isHead = method === "eth_blockNumber" || (params as unknown[] | undefined)?.[0] === "latest";
    if (!isHead || !this.#hasNews()) return;
    await this.#inTurn(async () => {
      this.#isTipFull = false;
      await this.chain.mine();
    });
  }

  #hasNews(): boolean {
    return this.#isTipFull || this.chain.tip.timestamp_s < Math.floor(this.#clock.now() / 1_000);
  }

  async #reply({ id, method, params }: RpcCall): Promise<object> {
    try {
      await this.#produce(method, params);
      const answer = await this.#answer({ method, params });
      const result = this.#bug?.changed?.(method, answer) ?? answer;
      return { jsonrpc: "2.0", id, result };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message } = error;
      const data: unknown = Reflect.get(error, "data");
      return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action, action);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function readerOf(chain: EmbeddedChain) {
  return createPublicClient({
    chain: chainOf(CHAIN_ID),
    transport: custom(createEmbeddedRpc(chain), { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 20,
  });
}

function signerOn(chain: EmbeddedChain, account: PrivateKeyAccount) {
  return createWalletClient({
    account,
    chain: chainOf(CHAIN_ID),
    transport: custom(createEmbeddedRpc(chain), { retryCount: 0 }),
  });
}
