import { type Hex, keccak256, stringToHex } from "viem";

/**
 * The id under which the Vault pays a batch's total: Keccak-256 of a text of this program with the batch's UUID. The Vault
 * refuses an id that it has paid, so this must never change.
 */
export const vaultPayoutIdOf = (batch: string): Hex => keccak256(stringToHex(`bourse:rebate-payout:${batch}`));

/** Names the batch to those who send it to the chain. */
export const payoutRef = (batch: string): string => `payout:${batch}`;

const TAKE = "payout-take";

/** Names the command by which the fee account is asked; each attempt has a command of its own. */
export const takeRef = ({ id, attempt }: { readonly id: string; readonly attempt: number }) =>
  `${TAKE}:${id}:${attempt}`;

/** The batch and the attempt that such a name stands for; undefined where it names something else. */
export function parseTakeRef(ref: string): { readonly id: string; readonly attempt: number } | undefined {
  const [kind, id, attempt] = ref.split(":");
  return kind === TAKE && id !== undefined && attempt !== undefined ? { id, attempt: Number(attempt) } : undefined;
}
