import type { Migration } from "kysely/migration";
import { bonusMigrations } from "./bonus/migrations.ts";
import { brokerMigrations } from "./broker/migrations.ts";
import { indexerMigrations } from "./chain/indexer/migrations.ts";
import { operatorMigrations } from "./chain/operator/migrations.ts";
import { earnMigrations } from "./earn/migrations.ts";
import { exchangeAccountMigrations } from "./exchange/accounts/migrations.ts";
import { priceMigrations } from "./exchange/prices/store.ts";
import { projectorMigrations } from "./exchange/projector/migrations.ts";
import { streamMigrations } from "./exchange/streams/migrations.ts";
import { identityMigrations } from "./identity/migrations.ts";
import { kernelMigrations } from "./kernel/database/kernel-migrations.ts";
import { pointsMigrations } from "./points/migrations.ts";
import { referralMigrations } from "./referral/migrations.ts";
import { walletMigrations } from "./wallet/migrations.ts";

/** Every migration of the product; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  ...kernelMigrations,
  ...identityMigrations,
  ...exchangeAccountMigrations,
  ...projectorMigrations,
  ...priceMigrations,
  ...walletMigrations,
  ...streamMigrations,
  ...operatorMigrations,
  ...indexerMigrations,
  ...referralMigrations,
  ...earnMigrations,
  ...brokerMigrations,
  ...pointsMigrations,
  ...bonusMigrations,
};
