import { type Hex, keccak256, stringToHex } from "viem";

/**
 * The id under which the Vault pays a batch's total: Keccak-256 of a fixed text with the batch's UUID. The Vault refuses an id that
 * it has paid, so this function must never change.
 */
export const vaultPayoutIdOf = (batch: string): Hex => keccak256(stringToHex(`bourse:rebate-payout:${batch}`));

/** The operator's reference of the batch. */
export const payoutRef = (batch: string): string => `payout:${batch}`;

const TAKE = "payout-take";

/** The outbox reference of the command that debits the fee account; each attempt has its own. */
export const takeRef = ({ id, attempt }: { readonly id: string; readonly attempt: number }) =>
  `${TAKE}:${id}:${attempt}`;

/** The batch and the attempt of such a reference; undefined for other references. */
export function parseTakeRef(ref: string): { readonly id: string; readonly attempt: number } | undefined {
  const [kind, id, attempt] = ref.split(":");
  return kind === TAKE && id !== undefined && attempt !== undefined ? { id, attempt: Number(attempt) } : undefined;
}
