import { vaultAbi } from "@bourse/contracts";
import { BaseError, decodeErrorResult, type Hex, isHex } from "viem";

/** Refusals of the Vault that no later moment can lift: the withdrawal itself is one that it never pays. */
const FOR_EVER: ReadonlySet<string> = new Set(["InvalidRecipient", "ZeroAmount", "ZeroAddress"]);

/** Why the Vault, or the token behind it, would not do what was asked. */
export interface VaultRefusal {
  /** The name of the contract's error; undefined where it is none of the Vault's. */
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
    // Of another contract, such as the token: nobody here knows what it means.
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

/** What stands behind a failed estimate; undefined where it is no refusal of a contract but a node that fails. */
export function vaultRefusalOf(error: unknown): VaultRefusal | undefined {
  const data = revertDataOf(error);
  if (data === undefined) return undefined;
  const name = nameOf(data);
  return { name, isForEver: name !== undefined && FOR_EVER.has(name) };
}
