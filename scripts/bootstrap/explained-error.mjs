/** A failure whose message states what to do: it is printed without a stack. */
export class ExplainedError extends Error {
  constructor(message) {
    super(message);
    this.name = "ExplainedError";
    this.isExplained = true;
  }
}
