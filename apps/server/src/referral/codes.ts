import { type Hex, hexToBytes } from "viem";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * REF-2: a bytes32 code as text. Zero bytes at the end are padding; what is left is UTF-8, or else no text at all and
 * shown as hex. All 32 bytes of it: so it can be told from any text, which is shorter, and be used as it is.
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
