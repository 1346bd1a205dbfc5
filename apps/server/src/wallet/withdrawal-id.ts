import type { Hex } from "viem";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ID = /^0x([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})0{32}$/i;

/**
 * The id under which the Vault pays a withdrawal: the 16 bytes of its UUID, then 16 zero bytes. The Vault refuses an id
 * that it has paid, so this must never change.
 */
export function vaultIdOf(withdrawal: string): Hex {
  if (!UUID.test(withdrawal)) throw new RangeError(`no id of a withdrawal: ${withdrawal}`);
  return `0x${withdrawal.replaceAll("-", "")}${"0".repeat(32)}`;
}

/** The withdrawal that the Vault's id stands for; undefined where it is none of that form. */
export function withdrawalOf(vaultId: Hex): string | undefined {
  const parts = ID.exec(vaultId)?.slice(1);
  return parts?.join("-").toLowerCase();
}
