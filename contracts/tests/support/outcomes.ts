import assert from "node:assert/strict";
import {
  type Abi,
  type ContractEventName,
  decodeErrorResult,
  type GetEventArgs,
  type Hex,
  isHex,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import { earnAbi, referralRebateAbi, testUsdtAbi, vaultAbi } from "../../src/index.ts";

/** A refusal may come from another contract that the contract called, so the errors of all contracts are decoded. */
const ALL_ERRORS: Abi = [earnAbi, referralRebateAbi, testUsdtAbi, vaultAbi].flatMap((abi: Abi) =>
  abi.filter(({ type }) => type === "error"),
);

export interface Refusal {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A failed call has the contract's revert data somewhere among its causes. */
function answerOf(failure: unknown): Hex | undefined {
  if (!(failure instanceof Error)) return undefined;
  const data = "data" in failure ? failure.data : undefined;
  return isHex(data) ? data : answerOf(failure.cause);
}

/** The custom error of a refused call; any other failure is thrown again. */
export function refusalOf(failure: unknown): Refusal {
  const answer = answerOf(failure);
  if (answer === undefined) throw failure;
  const { errorName, args } = decodeErrorResult({ abi: ALL_ERRORS, data: answer });
  return { name: errorName, args: args ?? [] };
}

/** Asserts that the call is refused with this custom error, and with these arguments if they are given. */
export async function refuses(call: Promise<unknown>, name: string, args?: readonly unknown[]): Promise<void> {
  const refusal = await call.then(
    () => assert.fail(`the call went through, ${name} was expected`),
    (failure: unknown) => refusalOf(failure),
  );
  assert.equal(refusal.name, name);
  if (args !== undefined) assert.deepEqual(refusal.args, args);
}

type EventArgs<abi extends Abi, name extends ContractEventName<abi>> = GetEventArgs<
  abi,
  name,
  { EnableUnion: false; IndexedOnly: false; Required: true }
>;

/** The arguments of all events of that name in a receipt, in their order. */
export function eventsOf<const abi extends Abi, name extends ContractEventName<abi>>(
  receipt: TransactionReceipt,
  abi: abi,
  name: name,
): readonly EventArgs<abi, name>[] {
  const events = parseEventLogs({ abi: abi as Abi, logs: receipt.logs, eventName: name as string });
  return events.map(({ args }) => args as EventArgs<abi, name>);
}

/** The arguments of the only event of that name in a receipt. */
export function onlyEvent<const abi extends Abi, name extends ContractEventName<abi>>(
  receipt: TransactionReceipt,
  abi: abi,
  name: name,
): EventArgs<abi, name> {
  const events = eventsOf(receipt, abi, name);
  assert.equal(events.length, 1, `one ${name} was expected`);
  return events[0]!;
}
