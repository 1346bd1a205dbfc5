import type { Hex } from "viem";
import { RPC_CODES, RpcError } from "../rpc-error.ts";
import { asRpcError } from "./node-errors.ts";

/**
 * The only account of the genesis. Its key is the public first key of the development tools, so that contracts have the same
 * addresses on every machine.
 */
export const DEPLOYER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const DEPLOYER_BALANCE_wei = 10n ** 27n;
const BLOCK_GAS_LIMIT = 30_000_000n;
const FIRST_BASE_FEE_wei = 1_000_000_000n;
/** Fees are burnt. */
const COINBASE = "0x0000000000000000000000000000000000000000";

export interface Tip {
  readonly number: number;
  readonly hash: Hex;
  readonly timestamp_s: number;
}

export interface MinedBlock extends Tip {
  /** The transactions' hashes. */
  readonly transactions: readonly Hex[];
}

/** The inputs of a block besides its transactions and its parent. */
export interface BlockInputs {
  readonly timestamp_s: number;
  readonly prevRandao: Hex;
}

interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

interface Provider {
  request(args: { method: string; params: readonly unknown[] }): Promise<unknown>;
  close(): Promise<void>;
}

/** Sets everything that influences a block's hash explicitly: a changed default would break the replay. */
async function createProvider(chainId: number, genesisTime_s: number): Promise<Provider> {
  // Disables Hardhat's usage reports.
  process.env["HARDHAT_DISABLE_TELEMETRY"] = "true";
  const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
  const environment = await createHardhatRuntimeEnvironment(
    {
      networks: {
        embedded: {
          type: "edr-simulated",
          chainType: "l1",
          chainId,
          networkId: chainId,
          hardfork: "cancun",
          initialDate: new Date(genesisTime_s * 1_000),
          initialBaseFeePerGas: FIRST_BASE_FEE_wei,
          blockGasLimit: BLOCK_GAS_LIMIT,
          coinbase: COINBASE,
          accounts: [{ privateKey: DEPLOYER_KEY, balance: DEPLOYER_BALANCE_wei }],
          allowBlocksWithSameTimestamp: true,
          allowUnlimitedContractSize: false,
          // A transaction is mined within the call that sends it, and at no other time.
          mining: { auto: true, interval: 0, mempool: { order: "fifo" } },
          throwOnTransactionFailures: false,
          throwOnCallFailures: true,
        },
      },
    },
    {},
    import.meta.dirname,
  );
  const { provider } = await environment.network.create("embedded");
  return provider;
}

/** An in-memory EVM in this process. It mines only on request. */
export class EvmNode {
  readonly #provider: Provider;

  private constructor(provider: Provider) {
    this.#provider = provider;
  }

  static async start(chainId: number, genesisTime_s: number): Promise<EvmNode> {
    return new EvmNode(await createProvider(chainId, genesisTime_s));
  }

  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    try {
      return await this.#provider.request({ method, params });
    } catch (error) {
      throw asRpcError(error);
    }
  }

  /** The last block. Called right after mining, so a failure must not look like a refusal: the chain has changed. */
  async tip(): Promise<MinedBlock> {
    const block = await this.#provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
    const { number, hash, timestamp, transactions } = block as RpcBlock;
    return { number: Number(number), hash, timestamp_s: Number(timestamp), transactions };
  }

  /** Sets the time of the pending block. */
  async setTime(timestamp_s: number): Promise<void> {
    await this.request("evm_setNextBlockTimestamp", [timestamp_s]);
  }

  /** Mines a block of these transactions, in this order. Throws an RpcError if one is refused; the chain is then unchanged. */
  async mine(inputs: BlockInputs, transactions: readonly Hex[]): Promise<MinedBlock> {
    await this.setTime(inputs.timestamp_s);
    await this.request("hardhat_setPrevRandao", [inputs.prevRandao]);
    const [only] = transactions;
    if (transactions.length > 1) await this.#mineTogether(transactions);
    else if (only === undefined) await this.request("evm_mine");
    else await this.request("eth_sendRawTransaction", [only]);
    return await this.tip();
  }

  async snapshot(): Promise<Hex> {
    return (await this.request("evm_snapshot")) as Hex;
  }

  /** Reverts to a snapshot; false if it no longer exists. Later snapshots are lost. */
  async revert(snapshot: Hex): Promise<boolean> {
    return (await this.request("evm_revert", [snapshot])) === true;
  }

  close(): Promise<void> {
    return this.#provider.close();
  }

  /** With mining disabled, each transaction is checked only partly; the mined block shows whether all were included. */
  async #mineTogether(transactions: readonly Hex[]): Promise<void> {
    const before = await this.snapshot();
    await this.request("evm_setAutomine", [false]);
    try {
      const hashes: unknown[] = [];
      for (const raw of transactions) hashes.push(await this.request("eth_sendRawTransaction", [raw]));
      await this.request("evm_mine");
      const mined = (await this.tip()).transactions;
      if (hashes.some((hash, place) => hash !== mined[place])) {
        throw new RpcError(RPC_CODES.refused, "these transactions cannot be mined in one block in this order");
      }
    } catch (error) {
      await this.revert(before);
      throw error;
    } finally {
      await this.request("evm_setAutomine", [true]);
    }
  }
}
