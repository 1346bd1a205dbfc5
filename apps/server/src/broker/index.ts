export { createBroker } from "./broker.ts";
export { brokerMigrations } from "./migrations.ts";
export { BROKER_ROWS } from "./noted.ts";
export { createInviters } from "./partners/inviters.ts";
export { projectPayouts } from "./payouts/projection.ts";
export { brokerPart } from "./rebuild.ts";
export { projectAccruals } from "./settlement/accrual.ts";
export { createRebateInvariant } from "./settlement/invariant.ts";
