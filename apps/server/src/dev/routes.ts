import { ClockReply, ClockRequest, JobRun } from "@bourse/api";
import { Type } from "typebox";
import type { MovableClock } from "../kernel/clock.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { badRequest, notFound } from "../kernel/errors.ts";
import { development } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { JobRunReport } from "../kernel/jobs/job.ts";
import type { Scheduler } from "../kernel/jobs/scheduler.ts";

const FARTHEST_STEP_MS = 3_660 * DAY_ms;
const tags = ["Development"];

const runReply = (report: JobRunReport) => ({
  name: report.name,
  due_at: new Date(report.due_ms).toISOString(),
  ok: report.error === undefined,
  result: report.result,
  error: report.error ?? null,
});

/** The moment a clock request asks for. */
function targetOf(body: { advance_ms?: number; now?: number | string }, now_ms: number): number {
  if ((body.advance_ms === undefined) === (body.now === undefined)) {
    throw badRequest("give either advance_ms or now");
  }
  const target_ms =
    body.advance_ms !== undefined
      ? now_ms + body.advance_ms
      : typeof body.now === "number"
        ? body.now
        : Date.parse(body.now ?? "");
  if (Number.isNaN(target_ms)) throw badRequest("now is no time");
  if (target_ms < now_ms) throw badRequest("the clock only moves forward");
  if (target_ms - now_ms > FARTHEST_STEP_MS) throw badRequest("the clock moves at most ten years at once");
  return target_ms;
}

export interface DevRoutesOptions {
  readonly clock: MovableClock;
  readonly scheduler: Scheduler;
  /** Moves the clock and runs what fell due on the way. */
  readonly advance: (target_ms: number) => Promise<readonly JobRunReport[]>;
  /** Keeps the moved clock, so that it survives a restart (WIRE-12). */
  readonly keepClock: () => Promise<void>;
}

/** RUN-6: endpoints that exist in development only. */
export function registerDevRoutes(app: App, { clock, scheduler, advance, keepClock }: DevRoutesOptions): void {
  let moving: Promise<unknown> = Promise.resolve();

  app.post(
    "/api/v1/dev/clock",
    {
      config: { access: development, client: "dev.moveClock" },
      schema: {
        tags,
        summary: "Move the platform's clock forward",
        description: "Every job that fell due on the way runs in due order before the reply.",
        body: ClockRequest,
        response: { 200: ClockReply },
      },
    },
    async (request) => {
      const move = async () => {
        const from_ms = clock.now();
        const reports = await advance(targetOf(request.body, from_ms));
        await keepClock();
        const now_ms = clock.now();
        return {
          now: new Date(now_ms).toISOString(),
          now_ms,
          advanced_ms: now_ms - from_ms,
          jobs_run: reports.map(runReply),
        };
      };
      // One move at a time: two at once would run each other's timers twice.
      const result = moving.then(move, move);
      moving = result;
      return result;
    },
  );

  app.post(
    "/api/v1/dev/jobs/:name/run",
    {
      config: { access: development, client: "dev.runJob" },
      schema: {
        tags,
        summary: "Run a background job now",
        params: Type.Object({ name: Type.String() }),
        response: { 200: JobRun },
      },
    },
    async (request) => {
      const { name } = request.params;
      if (!scheduler.has(name)) {
        const known = scheduler.list().map((job) => job.name);
        throw notFound(`no job is called ${name}; there are ${known.join(", ")}`);
      }
      return runReply(await scheduler.runNow(name));
    },
  );
}
