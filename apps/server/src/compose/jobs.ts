import { walletsInProgram } from "../broker/index.ts";
import { walletsWithReservation } from "../earn/index.ts";
import { type AccountDirectory, forgetKept } from "../exchange/index.ts";
import type { Identity, WalletHolding } from "../identity/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Db } from "../kernel/database/database.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import { tradersWithCode } from "../referral/index.ts";
import { forgetWithdrawAddresses } from "../wallet/index.ts";

export interface JobOptions {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly identity: Identity;
  readonly directory: Pick<AccountDirectory, "numbersOf">;
}

/** SEC-11: whoever has a deposit or a grant has an account. */
const walletHoldings = (directory: JobOptions["directory"]): WalletHolding[] => [
  { keeps: async (tx, addresses) => (await directory.numbersOf(tx, addresses)).keys(), forget: forgetKept },
  { keeps: walletsWithReservation },
  { keeps: tradersWithCode },
  { keeps: walletsInProgram },
  { forget: forgetWithdrawAddresses },
];

/** Background jobs that belong to no single module. */
export function createJobs({ db, audit, identity, directory }: JobOptions): JobDefinition[] {
  return [
    {
      name: "wallet-sweep",
      schedule: "50 2 * * *",
      missed: "latest",
      isRepeatable: true,
      run: () => identity.walletSweep.run(walletHoldings(directory)),
    },
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
