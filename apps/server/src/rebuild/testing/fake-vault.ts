import { vaultAbi } from "@bourse/contracts";
import { type Address, BaseError, decodeFunctionData, encodeErrorResult, type Hex } from "viem";
import type { ChainEvent, OperatorOutcome } from "../../chain/index.ts";
import type { PaymentsOptions } from "../../wallet/payments.ts";
import { transactionOf } from "../../wallet/testing.ts";

export const VAULT: Address = `0x${"fa".repeat(20)}`;

/** A Vault that pays each id once, and the events of its chain; every event is in a block of its own. */
export class FakeVault {
  readonly events: ChainEvent[] = [];
  readonly #paid = new Set<string>();
  #transactions = 0;

  deposit(account: string, amount: number): void {
    this.#emit("Deposited", { account, amount: BigInt(amount) });
  }

  /** The chain as it was when it had so many events. */
  cutTo(events: number): void {
    for (const event of this.events.splice(events)) if (event.name === "Withdrawn") this.#paid.delete(event.args.id);
  }

  /** What the wallet has brought into the Vault, without what it got out of it. */
  balanceOf(address: string): number {
    let balance = 0n;
    for (const event of this.events) {
      if (event.name === "Deposited" && event.args.account === address) balance += event.args.amount;
      if (event.name === "Withdrawn" && event.args.to === address) balance -= event.args.amount;
    }
    return Number(balance);
  }

  readonly operator: PaymentsOptions["operator"] = {
    submit: async ({ ref, data = "0x" }): Promise<OperatorOutcome> => {
      const { args } = decodeFunctionData({ abi: vaultAbi, data });
      const [id, to, amount] = args as [Hex, Address, bigint];
      if (to.toLowerCase() === VAULT) return refused("InvalidRecipient");
      if (this.#paid.has(id)) return refused("AlreadyPaid");
      this.#paid.add(id);
      this.#emit("Withdrawn", { id, to, amount });
      return { state: "unknown", hash: transactionOf(ref) as Hex, reason: null };
    },
    outcomeOf: async () => undefined,
  };

  #emit(name: string, args: object): void {
    const place = { blockNumber: this.events.length + 1, blockTime_ms: 0, logIndex: 0, ordinal: 0 };
    this.#transactions += 1;
    const transactionHash = transactionOf(`transaction ${this.#transactions}`);
    const event = { ...place, blockHash: transactionHash, transactionHash, contract: "vault", name, args };
    this.events.push(event as unknown as ChainEvent);
  }
}

function refused(errorName: string): OperatorOutcome {
  const isDeclared = errorName === "InvalidRecipient";
  const data = isDeclared
    ? encodeErrorResult({ abi: vaultAbi, errorName: "InvalidRecipient", args: [VAULT] })
    : undefined;
  return { state: "not_sent", reason: errorName, cause: Object.assign(new BaseError(errorName), { data }) };
}
