export type SnapshotProblem =
  | "bad_magic"
  | "other_format"
  | "other_rules_version"
  | "truncated"
  | "damaged"
  /** The engine is in the middle of a command, or its state contradicts itself. */
  | "inconsistent_state";

/** A snapshot that cannot be read or written. There is no engine then, instead of an incomplete one. */
export class SnapshotFault extends Error {
  readonly problem: SnapshotProblem;

  constructor(problem: SnapshotProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SnapshotFault";
    this.problem = problem;
  }
}
