/** Something cannot be written as bytes, or bytes are not what was written. */
export class CodecFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CodecFault";
  }
}
