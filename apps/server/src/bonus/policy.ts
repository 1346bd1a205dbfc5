import type { Access } from "../kernel/http/access.ts";
import { accountsPolicy } from "./accounts/policy.ts";
import { grantsPolicy } from "./grants/policy.ts";
import { reconcilePolicy } from "./reconcile/policy.ts";
import { riskPolicy } from "./risk/policy.ts";

/** SEC-6: who may call what of the bonus program. */
export const bonusPolicy: Readonly<Record<string, Access>> = {
  ...grantsPolicy,
  ...accountsPolicy,
  ...reconcilePolicy,
  ...riskPolicy,
};
