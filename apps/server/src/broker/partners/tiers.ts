import type { Tier, TierThresholds, TierThresholdsRequest } from "@bourse/api";
import { type Selectable, sql } from "kysely";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Actor } from "../callers.ts";
import { readName, readReason } from "../inputs.ts";
import { type Notes, noteRows, TIERS, TIERS_LOCK } from "../noted.ts";
import { amountText, ratioText, readAmount, readRatio } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { type BrokerDb, type BrokerTierTable, type BrokerTx, brokerDb } from "../tables.ts";

export interface TiersOptions {
  readonly database: Pick<Database, "db">;
  readonly audit: AuditLog;
  readonly engineRequests: Notes;
}

type TierRow = Selectable<BrokerTierTable>;

const MAX_LABEL_chars = 40;

const shownTier = ({ level, label, rate_e6, min_fee_30d_micros }: TierRow): Tier => ({
  level,
  label,
  rebate_rate: ratioText(rate_e6),
  min_fee_30d: amountText(min_fee_30d_micros),
});

const read = (db: BrokerDb): Promise<TierRow[]> => db.selectFrom("broker_tier").selectAll().orderBy("level").execute();

/** BRK-6: the tier of a level; 500 if no tiers are configured. */
export async function findTier(db: BrokerDb, level: number): Promise<TierRow | undefined> {
  const tiers = await read(db);
  if (tiers.length === 0) throw refusals.tierNotConfigured();
  return tiers.find((tier) => tier.level === level);
}

/** Whether KOLs may have this level: any level, while no tiers are configured. */
export async function isLevelOpen(db: BrokerDb, level: number): Promise<boolean> {
  const tiers = await read(db);
  return tiers.length === 0 || tiers.some((tier) => tier.level === level);
}

function readTiers({ tiers }: TierThresholdsRequest): TierRow[] {
  const rows = tiers.map(({ level, label, rebate_rate, min_fee_30d }, at) => ({
    level,
    label: readName(`tiers.${at}.label`, label, MAX_LABEL_chars),
    rate_e6: readRatio(`tiers.${at}.rebate_rate`, rebate_rate),
    min_fee_30d_micros: readAmount(`tiers.${at}.min_fee_30d`, min_fee_30d),
  }));
  rows.sort((a, b) => a.level - b.level);
  for (const [at, row] of rows.entries()) {
    const lower = rows[at - 1];
    if (lower === undefined) continue;
    if (row.level === lower.level) throw refusals.invalidField("tiers", `name the level ${row.level} twice`);
    if (row.rate_e6 < lower.rate_e6)
      throw refusals.invalidField("tiers", `give level ${row.level} a lower rebate_rate`);
    if (row.min_fee_30d_micros < lower.min_fee_30d_micros) {
      throw refusals.invalidField("tiers", `give level ${row.level} a lower min_fee_30d`);
    }
  }
  return rows;
}

/** WIRE-3: the tier thresholds. Changing them does not change existing KOLs. */
export class Tiers {
  readonly #options: TiersOptions;

  constructor(options: TiersOptions) {
    this.#options = options;
  }

  async read(): Promise<TierThresholds> {
    return { tiers: (await read(brokerDb(this.#options.database))).map(shownTier) };
  }

  async set(request: TierThresholdsRequest, actor: Actor): Promise<TierThresholds> {
    const rows = readTiers(request);
    return await this.#replace(rows, "broker.tiers.set", actor, readReason(request.reason));
  }

  async unset(actor: Actor): Promise<TierThresholds> {
    return await this.#replace([], "broker.tiers.unset", actor);
  }

  async #replace(rows: readonly TierRow[], action: string, actor: Actor, reason?: string): Promise<TierThresholds> {
    const { database, audit, engineRequests } = this.#options;
    const tiers = rows.map(shownTier);
    await brokerDb(database)
      .transaction()
      .execute(async (tx: BrokerTx) => {
        // Serialised: two configurations must not be mixed.
        await lockInTransaction(tx, TIERS_LOCK);
        const former = await read(tx);
        const before = { tiers: former.map(shownTier) };
        await tx.deleteFrom("broker_tier").execute();
        if (rows.length > 0) await tx.insertInto("broker_tier").values(rows).execute();
        const gone = former.filter(({ level }) => rows.every((row) => row.level !== level));
        await engineRequests.note(
          tx,
          TIERS,
          gone.map(({ level }) => ({ level })),
          true,
        );
        await noteRows(engineRequests, tx, TIERS, sql`true`);
        await audit.append(tx, { ...actor, action, target: "tier_thresholds", before, after: { tiers }, reason });
      });
    return { tiers };
  }
}
