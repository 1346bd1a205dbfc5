import type { Access } from "../kernel/http/access.ts";
import { partnersPolicy } from "./partners/policy.ts";
import { payoutsPolicy } from "./payouts/policy.ts";
import { reportsPolicy } from "./reports/policy.ts";
import { settlementPolicy } from "./settlement/policy.ts";

/** SEC-6: who may call what of the broker program. */
export const brokerPolicy: Readonly<Record<string, Access>> = {
  ...partnersPolicy,
  ...settlementPolicy,
  ...payoutsPolicy,
  ...reportsPolicy,
};
