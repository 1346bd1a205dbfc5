/** Something was not ready in time. The request is valid, and its effect may still come. */
export class Late extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Awaits the work; if it is late, throws the area's own refusal. */
export async function refuseIfLate<Result>(work: Promise<Result>, refusal: () => Error): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Late ? refusal() : error;
  }
}

/** Awaits the work; undefined if it is late. */
export async function unlessLate<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Late) return undefined;
    throw error;
  }
}
