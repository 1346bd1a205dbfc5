import type { Identity } from "../identity/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Db } from "../kernel/database/database.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";

/** Every background job of the product. */
export function createJobs({ db, audit, identity }: { db: Db; audit: AuditLog; identity: Identity }): JobDefinition[] {
  return [
    {
      name: "identity-sweep",
      schedule: "*/10 * * * *",
      missed: "latest",
      run: () => identity.sweep(),
    },
    {
      name: "audit-verify",
      schedule: "30 0 * * *",
      missed: "latest",
      async run() {
        const verdict = await audit.verify(db);
        if (!verdict.ok) throw new Error(`the audit log does not add up at entry ${verdict.firstBad}`);
        return { entries_checked: verdict.checked };
      },
    },
  ];
}
