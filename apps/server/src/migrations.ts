import type { Migration } from "kysely/migration";
import { identityMigrations } from "./identity/migrations.ts";
import { kernelMigrations } from "./kernel/database/kernel-migrations.ts";

/** Every migration of the product; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = { ...kernelMigrations, ...identityMigrations };
