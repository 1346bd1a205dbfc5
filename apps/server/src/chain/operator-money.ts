import { roles, testUsdtAbi } from "@bourse/contracts";
import { type Address, BaseError, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { type Random, randomUuid } from "../kernel/random.ts";
import type { ChainClient } from "./client.ts";
import type { Operator, OperatorCall } from "./operator/operator.ts";

export interface OperatorMoneyOptions {
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly usdt: Address;
  readonly random: Random;
}

/** A call that a contract or a node refused, or that was mined without effect. */
export class OperatorCallFailed extends Error {
  constructor(ref: string, reason: string) {
    super(`${ref}: ${reason}`);
    this.name = "OperatorCallFailed";
  }
}

/** The amount minted at once if the token is a test token, so that most payments need no minting transaction. */
const FLOAT_micros = 100_000_000n * 1_000_000n;

/** The operator's own tokens, from which it pays into contracts. */
export class OperatorMoney {
  readonly #options: OperatorMoneyOptions;
  #canMint: boolean | undefined;

  constructor(options: OperatorMoneyOptions) {
    this.#options = options;
  }

  /** Whether the token is a test token that the operator can mint. */
  async canMint(): Promise<boolean> {
    const { client, operator, usdt } = this.#options;
    try {
      this.#canMint ??= await client.public.readContract({
        address: usdt,
        abi: testUsdtAbi,
        functionName: "hasRole",
        args: [roles.minter, operator.address],
      });
    } catch (error) {
      if (!(error instanceof BaseError) || !isNoAnswer(error)) throw error;
      this.#canMint = false;
    }
    return this.#canMint;
  }

  /** Ensures that the operator has the amount and that the contract may take it; mints it if possible. */
  async provide(amount_micros: bigint, spender: Address): Promise<void> {
    const { client, operator, usdt, random } = this.#options;
    const token = { address: usdt, abi: erc20Abi } as const;
    const [balance, allowance] = await Promise.all([
      client.public.readContract({ ...token, functionName: "balanceOf", args: [operator.address] }),
      client.public.readContract({ ...token, functionName: "allowance", args: [operator.address, spender] }),
    ]);
    if (balance < amount_micros && (await this.canMint())) {
      const amount = amount_micros > FLOAT_micros ? amount_micros : FLOAT_micros;
      await this.sent({ ref: `mint:${randomUuid(random)}`, to: usdt, data: mintData(operator.address, amount) });
    }
    if (allowance < amount_micros) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] });
      await this.sent({ ref: `approve:${randomUuid(random)}`, to: usdt, data });
    }
  }

  /** Sends the call and returns its hash when it is final; throws if it had no effect or the outcome is unknown. */
  async sent(call: OperatorCall): Promise<Hex> {
    const outcome = await this.#options.operator.send(call);
    if (outcome.state === "confirmed") return outcome.hash;
    const reason = "reason" in outcome ? outcome.reason : `reverted in ${outcome.hash}`;
    throw new OperatorCallFailed(call.ref, reason ?? "its outcome is not known yet");
  }
}

export const mintData = (to: Address, amount_micros: bigint): Hex =>
  encodeFunctionData({ abi: testUsdtAbi, functionName: "mint", args: [to, amount_micros] });

/** Whether the contract lacks the function, as opposed to a node that does not answer. */
function isNoAnswer(error: BaseError): boolean {
  const names = ["ContractFunctionZeroDataError", "ContractFunctionRevertedError"];
  return error.walk((cause) => cause instanceof Error && names.includes(cause.name)) !== null;
}
