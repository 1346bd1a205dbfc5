import type { Migration } from "kysely/migration";
import { bonusMigrations } from "../bonus/index.ts";
import { brokerMigrations } from "../broker/index.ts";
import { indexerMigrations, operatorMigrations } from "../chain/index.ts";
import { earnMigrations } from "../earn/index.ts";
import {
  downloadMigrations,
  exchangeAccountMigrations,
  priceMigrations,
  projectorMigrations,
  statisticsMigrations,
  streamMigrations,
} from "../exchange/index.ts";
import { identityMigrations } from "../identity/index.ts";
import { kernelMigrations } from "../kernel/database/kernel-migrations.ts";
import { pointsMigrations } from "../points/index.ts";
import { referralMigrations } from "../referral/index.ts";
import { walletMigrations } from "../wallet/index.ts";

/** Every migration of the product; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  ...kernelMigrations,
  ...identityMigrations,
  ...exchangeAccountMigrations,
  ...projectorMigrations,
  ...priceMigrations,
  ...walletMigrations,
  ...streamMigrations,
  ...statisticsMigrations,
  ...downloadMigrations,
  ...operatorMigrations,
  ...indexerMigrations,
  ...referralMigrations,
  ...earnMigrations,
  ...brokerMigrations,
  ...pointsMigrations,
  ...bonusMigrations,
};
