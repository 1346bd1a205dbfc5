import { type WrittenBeforeOptions, waitUntilWritten } from "../exchange/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { Late } from "../kernel/late.ts";
import { dayStart_ms, EARN_JOB, type Epochs } from "./epochs.ts";

export interface AllScoredOptions extends WrittenBeforeOptions {
  readonly database: Pick<Database, "db">;
  readonly epochs: Epochs;
}

/** The points of an epoch are not all written: a result computed now would have to be corrected. */
export class NotAllScored extends Error {
  constructor(epoch: number, missing: string) {
    super(`the points of epoch ${epoch} are not complete: ${missing}`);
    this.name = "NotAllScored";
  }
}

/** Waits until all points of an epoch are written: for every trade, and the earn points of its last day. */
export async function waitUntilScored(options: AllScoredOptions, epoch: number, patience_ms: number): Promise<void> {
  const { database, epochs } = options;
  try {
    await waitUntilWritten(options, epochs.end_ms(epoch), patience_ms);
  } catch (error) {
    if (error instanceof Late) throw new NotAllScored(epoch, error.message);
    throw error;
  }
  // Earn points are given at the midnight at which a day begins.
  const job = database.db.selectFrom("job_state").select("watermark").where("name", "=", EARN_JOB);
  const done_ms = (await job.executeTakeFirst())?.watermark.getTime() ?? 0;
  if (done_ms < dayStart_ms(epochs.lastDayOf(epoch))) {
    throw new NotAllScored(epoch, `the job ${EARN_JOB} has not come to its last day`);
  }
}
