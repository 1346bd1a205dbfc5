import type { CalculatedRebates } from "@bourse/api";
import { dayOf } from "../../kernel/dates.ts";
import type { JobDefinition, JobWindow } from "../../kernel/jobs/job.ts";
import { dayAfter } from "../days.ts";
import type { SettledPeriod } from "./settle.ts";
import { type SettlementService, settlementReply } from "./settlement-service.ts";

/** The result of a run for a day. */
type DayReport = CalculatedRebates & { readonly changes: SettledPeriod["changes"] };

const reportOf = (settled: SettledPeriod): DayReport => ({ ...settlementReply(settled), changes: settled.changes });

/** Closes the day before the due time, and earlier days that were missed. A manual run also settles today provisionally. */
async function closeDays(service: SettlementService, window: JobWindow): Promise<{ days: DayReport[] }> {
  const last = dayAfter(dayOf(window.due_ms), -1);
  const missed = (await service.unclosedDays(last)).filter((day) => day < last);
  const days: DayReport[] = [];
  for (const period of missed) days.push(reportOf(await service.settle(period)));
  days.push(reportOf(await service.settle(last, (tx) => window.moveWatermark(tx))));
  for (const period of await service.daysToRollUp()) await service.rollUp(period);
  if (window.isManual) days.push(reportOf(await service.settle(service.today)));
  return { days };
}

/** BRK-9. */
export const settlementJobs = (service: SettlementService): readonly JobDefinition[] => [
  { name: "settlement", schedule: "10 0 * * *", missed: "each", run: (window) => closeDays(service, window) },
  {
    name: "settlement-provisional",
    schedule: "10 * * * *",
    missed: "latest",
    run: async () => ({ days: [reportOf(await service.settle(service.today))] }),
  },
];
