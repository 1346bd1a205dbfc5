import type { Hex } from "viem";
import { parseUuid } from "../kernel/uuid.ts";

const ID = /^0x([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})0{32}$/i;

/**
 * The id under which the Vault pays a withdrawal: the 16 bytes of its UUID, then 16 zero bytes. The Vault refuses an id that it has
 * paid, so this function must never change.
 */
export function vaultIdOf(withdrawal: string): Hex {
  if (parseUuid(withdrawal) !== withdrawal) throw new RangeError(`no id of a withdrawal: ${withdrawal}`);
  return `0x${withdrawal.replaceAll("-", "")}${"0".repeat(32)}`;
}

/** The withdrawal of a Vault's id; undefined if the id does not have that form. */
export function withdrawalOf(vaultId: Hex): string | undefined {
  const parts = ID.exec(vaultId)?.slice(1);
  return parts?.join("-").toLowerCase();
}
