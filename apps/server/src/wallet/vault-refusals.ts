import { vaultAbi } from "@bourse/contracts";
import { BaseError, decodeErrorResult, type Hex, isHex } from "viem";

/** Permanent refusals of the Vault: it will never pay this withdrawal. */
const FOR_EVER: ReadonlySet<string> = new Set(["InvalidRecipient", "ZeroAmount", "ZeroAddress"]);

/** Why the Vault, or its token, refused a call. */
export interface VaultRefusal {
  /** The name of the contract's error; undefined if it is not one of the Vault's. */
  readonly name: string | undefined;
  readonly isForEver: boolean;
}

function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  let data: Hex | undefined;
  error.walk((cause) => {
    const found = typeof cause === "object" && cause !== null && "data" in cause ? cause.data : undefined;
    if (isHex(found) && found.length >= 10) data = found;
    return false;
  });
  return data;
}

function nameOf(data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi: vaultAbi, data }).errorName;
  } catch (error) {
    // An error of another contract, such as the token, whose meaning is unknown here.
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

/** The refusal behind a failed estimate; undefined if the node failed instead of a contract. */
export function vaultRefusalOf(error: unknown): VaultRefusal | undefined {
  const data = revertDataOf(error);
  if (data === undefined) return undefined;
  const name = nameOf(data);
  return { name, isForEver: name !== undefined && FOR_EVER.has(name) };
}
