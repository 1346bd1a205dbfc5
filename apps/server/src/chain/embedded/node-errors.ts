import { isHex } from "viem";
import { RPC_CODES, RpcError } from "../rpc-error.ts";

/** Libraries recognise refusals by the texts of common nodes. The simulated node has its own texts, which are appended. */
const USUAL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/nonce too low/i, "nonce too low"],
  [/nonce too high/i, "nonce too high"],
  [/doesn't have enough funds/i, "insufficient funds for gas * price + value"],
  [/is too low for the next block/i, "max fee per gas less than block base fee"],
  [/requires at least \d+ gas/i, "intrinsic gas too low"],
  [/exceeds block gas limit/i, "exceeds block gas limit"],
  [/known transaction/i, "already known"],
];
const OTHER_ADVICE = / Note that transactions can't be queued when automining\.$/;

function inUsualWords(message: string): string {
  const plain = message.replace(OTHER_ADVICE, "");
  const usual = USUAL_WORDS.find(([form]) => form.test(plain))?.[1];
  return usual === undefined ? plain : `${usual}: ${plain}`;
}

/** Turns the node's refusal into an RpcError; returns other errors unchanged. */
export function asRpcError(error: unknown): unknown {
  if (error instanceof RpcError || !(error instanceof Error)) return error;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code !== "number") return error;
  const data: unknown = Reflect.get(error, "data");
  if (code === RPC_CODES.reverted) return new RpcError(code, error.message, isHex(data) ? data : "0x");
  return new RpcError(code, inUsualWords(error.message));
}
