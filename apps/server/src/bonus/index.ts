export { projectBonus } from "./accounts/projection.ts";
export { createBonus } from "./bonus.ts";
export { bonusMigrations } from "./migrations.ts";
export { bonusPart } from "./rebuild.ts";
export { projectLinked } from "./risk/linked-projection.ts";
