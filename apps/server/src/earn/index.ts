export { createEarn, type Earn } from "./earn.ts";
export { earnMigrations } from "./migrations.ts";
export { principalsAt } from "./principals.ts";
export { findByRequest } from "./product-store.ts";
export { walletsWithReservation } from "./reservation-store.ts";
export { earnDb } from "./tables.ts";
