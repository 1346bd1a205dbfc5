export { projectBonus } from "./accounts/projection.ts";
export { createBonus } from "./bonus.ts";
export { bonusMigrations } from "./migrations.ts";
export { projectLinked } from "./risk/linked-projection.ts";
