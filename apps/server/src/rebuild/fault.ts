/** Why a database cannot be rebuilt, in a sentence that says what to do instead. Nothing was written. */
export class RebuildFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RebuildFault";
  }
}
