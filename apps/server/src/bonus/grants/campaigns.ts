import type { BonusCampaign, CampaignRequest } from "@bourse/api";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JobLocks } from "../../kernel/database/locks.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Actor } from "../callers.ts";
import { refusals } from "../refusals.ts";
import { BONUS_GRANTS, type BonusDb, type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { type CampaignRow, campaignView, changedTerms, firstCampaign, termsView } from "./campaign-rules.ts";

export interface CampaignsOptions {
  readonly settings: Pick<Settings, "environment">;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly locks: JobLocks;
  readonly cap_micros: bigint;
}

const findRunning = (db: BonusDb): Promise<CampaignRow | undefined> =>
  db.selectFrom("bonus_campaign").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();

/** The campaign to which new grants and redemptions belong. */
export async function runningCampaign(db: BonusDb): Promise<CampaignRow> {
  const campaign = await findRunning(db);
  if (campaign === undefined) throw new Error("there is no bonus campaign: none was seeded");
  return campaign;
}

/** T13: the campaign's parameters, stored as data. */
export class Campaigns {
  readonly #options: CampaignsOptions;

  constructor(options: CampaignsOptions) {
    this.#options = options;
  }

  /** Creates the first campaign if there is none. */
  async seed(): Promise<void> {
    const { settings, database, locks } = this.#options;
    if ((await findRunning(bonusDb(database))) !== undefined) return;
    await locks.withLock(BONUS_GRANTS, async (raw) => {
      const tx = bonusTx(raw);
      if ((await findRunning(tx)) !== undefined) return;
      const now = this.#now();
      const dates = { created_at: now, updated_at: now };
      const terms = firstCampaign(settings.environment, now);
      await tx
        .insertInto("bonus_campaign")
        .values({ ...terms, ...dates })
        .execute();
    });
  }

  async read(): Promise<BonusCampaign> {
    return campaignView(await runningCampaign(bonusDb(this.#options.database)), this.#options.cap_micros);
  }

  /** Changes the running campaign, or begins the next one. Granted bonuses keep their parameters. */
  async change(request: CampaignRequest, actor: Actor): Promise<BonusCampaign> {
    const { locks, audit, cap_micros } = this.#options;
    return await locks.withLock(BONUS_GRANTS, async (raw) => {
      const tx = bonusTx(raw);
      const before = await runningCampaign(tx);
      const after = await (request.new === true ? this.#begin(tx, request, before) : this.#update(tx, request, before));
      await audit.append(tx, {
        ...actor,
        action: request.new === true ? "bonus.campaign.begin" : "bonus.campaign.change",
        target: String(after.id),
        before: termsView(before),
        after: termsView(after),
      });
      return campaignView(after, cap_micros);
    });
  }

  async #begin(tx: BonusTx, request: CampaignRequest, before: CampaignRow): Promise<CampaignRow> {
    if (request.name === undefined) throw refusals.fieldRequired("name");
    const terms = changedTerms(request, before, this.#options.cap_micros);
    // This also keeps a repeated call, whose first reply was lost, from beginning a third campaign.
    if (terms.name === before.name) {
      throw refusals.notDone("campaign_exists", "the running campaign has this name; a new one needs another");
    }
    const now = this.#now();
    return await tx
      .insertInto("bonus_campaign")
      .values({ ...terms, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async #update(tx: BonusTx, request: CampaignRequest, before: CampaignRow): Promise<CampaignRow> {
    return await tx
      .updateTable("bonus_campaign")
      .set({ ...changedTerms(request, before, this.#options.cap_micros), updated_at: this.#now() })
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
