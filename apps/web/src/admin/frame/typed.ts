/** A whole number as people type it, with commas between its digits; undefined outside of the bounds. */
export function wholeOf(text: string, min: bigint, max: bigint): bigint | undefined {
  const plain = text.trim().replaceAll(",", "");
  if (!/^\d{1,18}$/.test(plain)) return undefined;
  const whole = BigInt(plain);
  return whole >= min && whole <= max ? whole : undefined;
}

/** The same from 1 to `max`, as a number. */
export function wholeIn(text: string, max: number): number | undefined {
  const whole = wholeOf(text, 1n, BigInt(max));
  return whole === undefined ? undefined : Number(whole);
}

/** Whether a text without its outer spaces has 1 to `max` characters. */
export function isText(text: string, max: number): boolean {
  const { length } = [...text.trim()];
  return length >= 1 && length <= max;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
export const isAddressShaped = (text: string): boolean => ADDRESS.test(text.trim());
export const ADDRESS_PROBLEM = "An address is 0x and 40 hex digits.";
