export { referralMigrations } from "./migrations.ts";
export { MAX_LINES_PER_PART } from "./rebate-lines.ts";
export type { RebateSync, RebateSyncReport } from "./rebate-sync.ts";
export { referralPart } from "./rebuild.ts";
export { createReferral } from "./referral.ts";
export { referrersOf } from "./referrers.ts";
export { tradersWithCode } from "./store.ts";
