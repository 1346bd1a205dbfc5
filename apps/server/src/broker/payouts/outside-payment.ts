import type { ContractAddresses } from "@bourse/contracts";
import { erc20Abi, type Hex, parseEventLogs, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { type ChainClient, plainReason } from "../../chain/index.ts";
import { amountText } from "../ratios.ts";
import { refusals } from "../refusals.ts";

export interface OutsidePaymentOptions {
  readonly client: ChainClient;
  readonly contracts: ContractAddresses;
}

interface Due {
  readonly payee: string;
  readonly amount_micros: bigint;
}

/** The maximum number of underpaid payees that the refusal names. */
const MAX_NAMED = 10;

/**
 * BRK-14: the amounts a transaction paid, in micros by wallet. Transfers from the platform's own contracts do not count (a
 * withdrawal is the payee's own money), nor do transfers of a wallet to itself.
 */
export async function readPayment(options: OutsidePaymentOptions, hash: Hex): Promise<Map<string, bigint>> {
  const receipt = await readReceipt(options.client, hash);
  const { usdt, vault, earn, referral } = options.contracts;
  const own = new Set([vault, earn, referral].map((address) => address.toLowerCase()));
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === usdt.toLowerCase());
  const paid = new Map<string, bigint>();
  for (const { args } of parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs })) {
    const [from, to] = [args.from.toLowerCase(), args.to.toLowerCase()];
    if (from !== to && !own.has(from)) paid.set(to, (paid.get(to) ?? 0n) + args.value);
  }
  return paid;
}

async function readReceipt(client: ChainClient, hash: Hex): Promise<TransactionReceipt> {
  const { receipt, head } = await ask(async () => ({
    receipt: await client.public.getTransactionReceipt({ hash }),
    head: await client.public.getBlockNumber(),
  }));
  if (receipt.status !== "success") throw refusals.paymentReverted();
  const behind_blocks = Number(head - receipt.blockNumber);
  if (behind_blocks < client.confirmations) throw refusals.paymentNotConfirmed(client.confirmations, behind_blocks);
  return receipt;
}

async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) throw refusals.paymentNotFound();
    throw refusals.chainUnavailable(plainReason(error));
  }
}

/** Refuses a payment that pays any payee less than is due. */
export function assertCovered(payees: readonly Due[], paid: ReadonlyMap<string, bigint>): void {
  const short = payees.filter(({ payee, amount_micros }) => (paid.get(payee) ?? 0n) < amount_micros);
  if (short.length === 0) return;
  const missing = short.slice(0, MAX_NAMED).map(({ payee, amount_micros }) => ({
    payee,
    due: amountText(amount_micros),
    found: amountText(paid.get(payee) ?? 0n),
  }));
  throw refusals.paymentNotCovered({ rule: "transfers", missing_count: short.length, missing });
}
