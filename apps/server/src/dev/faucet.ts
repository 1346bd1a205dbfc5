import { vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, type Hex, parseEther } from "viem";
import {
  type ChainClient,
  type ChainFollower,
  mintData,
  type Operator,
  type OperatorCall,
  type OperatorMoney,
  ReferenceConflict,
} from "../chain/index.ts";
import { type AccountDirectory, type Exchange, engineRefusal } from "../exchange/index.ts";
import { ApiError } from "../kernel/errors.ts";
import { chainRef, type Deposits, MAX_micros } from "../wallet/index.ts";

export interface FaucetOptions {
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached">;
  readonly money: OperatorMoney;
  readonly contracts: { readonly usdt: Address; readonly vault: Address };
  readonly deposits: Deposits;
  readonly directory: Pick<AccountDirectory, "ensure" | "numberOf">;
  readonly exchange: Exchange;
}

export interface FaucetOrder {
  /** Lower case. */
  readonly address: string;
  readonly amount_micros: number;
  /** The reference of the order: money is given once per reference. */
  readonly request: string;
}

export interface Given {
  readonly account: number;
  readonly hashes: { readonly gas: Hex | null; readonly usdt: Hex; readonly deposit: Hex };
  /** Whether the reference was used before. */
  readonly isReplayed: boolean;
}

/** The gas balance below which a wallet gets gas, and the amount. */
const LITTLE_GAS_wei = parseEther("1");
const GAS_wei = parseEther("10");
const WAIT_ms = 10_000;

const unavailable = (reason: string) => new ApiError(503, "FAUCET_UNAVAILABLE", reason);

/**
 * RUN-6: money for development. The wallet gets gas and test tokens, and a real deposit into the Vault is made for it, which is
 * credited like any deposit. Each transaction's reference contains the order's, so a repetition sends nothing twice.
 */
export class Faucet {
  readonly #options: FaucetOptions;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: FaucetOptions) {
    this.#options = options;
  }

  /** Resolves when the money is in the account. */
  async give(order: FaucetOrder): Promise<Given> {
    const { client, follower, deposits, directory } = this.#options;
    const sent = await this.#inTurn(() => this.#send(order));
    const { status, blockNumber } = await client.public.waitForTransactionReceipt({
      hash: sent.hashes.deposit,
      timeout: WAIT_ms,
    });
    if (status !== "success") throw unavailable(`the deposit ${sent.hashes.deposit} was reverted`);
    if (!(await follower.reached(Number(blockNumber), WAIT_ms))) throw unavailable("the chain's events are not read");
    await deposits.credited(chainRef({ transactionHash: sent.hashes.deposit, ordinal: 0 }));
    return { ...sent, account: await directory.ensure(order.address) };
  }

  async #send(order: FaucetOrder): Promise<Omit<Given, "account">> {
    const { operator, money, contracts } = this.#options;
    if (!(await money.canMint())) throw unavailable("the operator cannot make tokens on this chain");
    const { address, amount_micros, request } = order;
    const ref = `faucet:${address}:${request}`;
    const isReplayed = (await operator.outcomeOf(`${ref}:deposit`)) !== undefined;
    if (!isReplayed) this.#assertFits(order);
    const amount = BigInt(amount_micros);
    const to = address as Address;
    if (!isReplayed) await money.provide(amount, contracts.vault);
    const args = [to, amount] as const;
    const deposit = encodeFunctionData({ abi: vaultAbi, functionName: "depositFor", args });
    const gas = await this.#gas(ref, to);
    const usdt = await this.#submit({ ref: `${ref}:usdt`, to: contracts.usdt, data: mintData(to, amount) });
    const hashes = {
      gas,
      usdt,
      deposit: await this.#submit({ ref: `${ref}:deposit`, to: contracts.vault, data: deposit }),
    };
    return { hashes, isReplayed };
  }

  async #gas(ref: string, to: Address): Promise<Hex | null> {
    const { client, operator } = this.#options;
    const name = `${ref}:gas`;
    const earlier = await operator.outcomeOf(name);
    const hasSome = (await client.public.getBalance({ address: to })) >= LITTLE_GAS_wei;
    if (earlier === undefined && hasSome) return null;
    return await this.#submit({ ref: name, to, value_wei: GAS_wei });
  }

  async #submit(call: OperatorCall): Promise<Hex> {
    try {
      const outcome = await this.#options.operator.submit(call);
      if (outcome.state === "not_sent") throw unavailable(outcome.reason);
      return outcome.hash;
    } catch (error) {
      if (!(error instanceof ReferenceConflict)) throw error;
      throw new ApiError(409, "DEPOSIT_CONFLICT", "a request of that name was for another amount");
    }
  }

  /** Refuses what the engine would refuse, before tokens are paid into the Vault. */
  #assertFits({ address, amount_micros }: FaucetOrder): void {
    const { directory, exchange } = this.#options;
    const account = directory.numberOf(address);
    const principal = account === undefined ? 0 : exchange.engine.state.accounts.principal(account);
    const limit = Number(MAX_micros);
    const actual = principal + amount_micros;
    if (actual > limit) throw engineRefusal({ reason: "balance_limit", limit, actual });
  }

  /** Serialised: each call reads the operator's balance before it spends. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action, action);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
