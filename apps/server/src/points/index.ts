export { Epochs } from "./epochs.ts";
export { pointsMigrations } from "./migrations.ts";
export { POINTS_ROWS } from "./noted.ts";
export { createPoints } from "./points.ts";
export { createPointsPart } from "./rebuild.ts";
export { scoreFills } from "./scoring/fills.ts";
export { listedMakers } from "./scoring/makers.ts";
