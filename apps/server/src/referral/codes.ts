import { type Hex, hexToBytes } from "viem";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * REF-2: a bytes32 code as text. Zero bytes at the end are padding; the rest is UTF-8. If it is not valid UTF-8, the code is shown
 * as hex of all 32 bytes, which is longer than any text, so that both forms are unambiguous.
 */
export function codeText(code: Hex): string {
  const bytes = hexToBytes(code);
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  try {
    return strictUtf8.decode(bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof TypeError) return code.toLowerCase();
    throw error;
  }
}
