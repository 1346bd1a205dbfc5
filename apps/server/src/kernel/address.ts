import { getAddress } from "viem/utils";

/** A wallet's address as the platform stores and compares it: lower case. */
export type Address = `0x${string}`;

const ADDRESS_SHAPE = /^0x[0-9a-fA-F]{40}$/;

/** Whether it is 0x and 40 hex digits, whatever their case says. */
export const hasAddressShape = (text: string): boolean => ADDRESS_SHAPE.test(text);

/**
 * The address in lower case, or undefined if the text is not an address. A mixed-case address has a checksum (EIP-55), which must
 * be right; an address in one case has none.
 */
export function parseAddress(text: string): Address | undefined {
  if (!hasAddressShape(text)) return undefined;
  const digits = text.slice(2);
  const lowerDigits = digits.toLowerCase();
  const address: Address = `0x${lowerDigits}`;
  const hasChecksum = digits !== lowerDigits && digits !== digits.toUpperCase();
  return hasChecksum && getAddress(address) !== text ? undefined : address;
}
