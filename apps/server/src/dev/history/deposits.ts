import { type ContractAddresses, vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData } from "viem";
import { type ChainClient, type ChainFollower, type Operator, OperatorMoney } from "../../chain/index.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import type { Random } from "../../kernel/random.ts";

export interface HistoryDepositsOptions {
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached">;
  readonly contracts: ContractAddresses;
  readonly dispatcher: Pick<OutboxDispatcher, "notify" | "idle">;
  readonly random: Random;
}

const MICROS = 1_000_000n;
const WAIT_ms = 60_000;

/**
 * Real deposits into the Vault for many wallets at once; resolves when the engine has credited all of them. The reference contains
 * the wallet, so a repetition sends nothing twice.
 */
export async function depositForAll(
  options: HistoryDepositsOptions,
  wallets: readonly { readonly address: string; readonly usdt: number }[],
): Promise<void> {
  const { client, operator, follower, contracts, dispatcher, random } = options;
  const total = wallets.reduce((sum, { usdt }) => sum + BigInt(usdt) * MICROS, 0n);
  const money = new OperatorMoney({ client, operator, usdt: contracts.usdt, random });
  await money.provide(total, contracts.vault);
  for (const { address, usdt } of wallets) {
    const args = [address as Address, BigInt(usdt) * MICROS] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "depositFor", args });
    const outcome = await operator.submit({ ref: `demo-history:${address}`, to: contracts.vault, data });
    if (outcome.state === "not_sent") throw new Error(`a deposit of the demo was not sent: ${outcome.reason}`);
  }
  await operator.sync();
  const { number } = await client.head();
  if (!(await follower.reached(number, WAIT_ms))) throw new Error("the demo's deposits are not read from the chain");
  dispatcher.notify();
  await dispatcher.idle();
}
