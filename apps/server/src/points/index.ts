export { Epochs } from "./epochs.ts";
export { pointsMigrations } from "./migrations.ts";
export { createPoints } from "./points.ts";
export { scoreFills } from "./scoring/fills.ts";
