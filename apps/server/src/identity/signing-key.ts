/** What checks the signatures of an API key. */
export interface SigningKey {
  readonly kind: "hmac" | "ed25519";
  /** The bytes of a signature as sent in a query; undefined if no signature of this kind has that form. */
  read(signature: string): Uint8Array | undefined;
  hasSigned(text: string, signature: Uint8Array): boolean;
}
