import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PrivateEvents } from "./private-events.ts";

/** FUT-18, LOG-8: private events are kept for `PRIVATE_EVENT_HOURS`. */
export function privateEventsJob(events: Pick<PrivateEvents, "prune">): JobDefinition {
  return {
    name: "private-events",
    schedule: "7 * * * *",
    missed: "latest",
    run: ({ due_ms }) => events.prune(due_ms),
  };
}
