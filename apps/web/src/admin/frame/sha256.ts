/** Of a text's UTF-8 bytes. Browsers offer it to pages they trust: https, or this machine itself. */
export async function sha256Hex(text: string): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error("This browser computes digests on https pages only.");
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
