/** A value cannot be written as bytes, or bytes do not decode to a value. */
export class CodecFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CodecFault";
  }
}
