export { createBroker } from "./broker.ts";
export { brokerMigrations } from "./migrations.ts";
export { createInviters } from "./partners/inviters.ts";
export { projectPayouts } from "./payouts/projection.ts";
export { projectAccruals } from "./settlement/accrual.ts";
export { createRebateInvariant } from "./settlement/invariant.ts";
