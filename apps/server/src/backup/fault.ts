/** A backup, or a place to restore into, that cannot be used; the message names what it is and what to do. */
export class BackupFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BackupFault";
  }
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
