import { getAddress } from "viem/utils";

/** A wallet's address the way the platform stores and compares it: lower case. */
export type Address = `0x${string}`;

const ADDRESS_SHAPE = /^0x[0-9a-fA-F]{40}$/;

/**
 * The address in lower case, or undefined when the text is none. Mixed case carries a checksum (EIP-55) that guards
 * against typing errors, so there it has to be right; one case throughout carries none.
 */
export function parseAddress(text: string): Address | undefined {
  if (!ADDRESS_SHAPE.test(text)) return undefined;
  const digits = text.slice(2);
  const lowerDigits = digits.toLowerCase();
  const address: Address = `0x${lowerDigits}`;
  const hasChecksum = digits !== lowerDigits && digits !== digits.toUpperCase();
  return hasChecksum && getAddress(address) !== text ? undefined : address;
}
