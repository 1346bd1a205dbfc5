import type { FailedRecipient, GrantBatchReply, GrantBatchRequest, GrantForecast } from "@bourse/api";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JobLocks } from "../../kernel/database/locks.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import { type Random, randomUuid } from "../../kernel/random.ts";
import { moneyText } from "../../kernel/units.ts";
import type { Actor } from "../callers.ts";
import { readOperator, readRequestId, readText } from "../inputs.ts";
import { assertHeadroom, netOutflow_micros, readPool } from "../pool.ts";
import { refusals } from "../refusals.ts";
import { BONUS_GRANTS, type BonusDb, type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { assertWithinCampaign } from "./campaign-rules.ts";
import { runningCampaign } from "./campaigns.ts";
import { readAmount } from "./inputs.ts";
import { grantRef, type Issuer, walletsInDebt, walletsWithBonus } from "./issue.ts";
import { type Decision, decideOnce } from "./once.ts";
import { type Barred, judgeRecipients, type Recipient, readRecipients, walletsOf } from "./recipients.ts";

export interface GrantBatchesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly locks: JobLocks;
  readonly directory: Pick<AccountDirectory, "load" | "numberOf">;
  readonly exchange: Pick<Exchange, "engine">;
  readonly issuer: Issuer;
  readonly engineRequests: Pick<EngineRequests, "stored">;
  readonly cap_micros: bigint;
}

/** A parsed request for grants. */
interface WantedGrants {
  readonly batch_name: string;
  readonly grant_tier: string;
  readonly amount_micros: bigint;
  readonly max_leverage: number;
  readonly recipients: readonly Recipient[];
  readonly operator_addr: string;
  readonly notes: string | null;
}

type StoredReply = Pick<GrantBatchReply, "grant_batch_id" | "created" | "failed">;

const ENDPOINT = "grant-batch";
const MAX_NAME_chars = 100;
const MAX_TIER_chars = 32;
const MAX_NOTES_chars = 500;

function readGrants(request: GrantBatchRequest): WantedGrants {
  const { notes } = request;
  const texts = {
    batch_name: readText("batch_name", request.batch_name, MAX_NAME_chars),
    grant_tier: readText("grant_tier", request.grant_tier, MAX_TIER_chars),
    operator_addr: readOperator(request.operator_addr),
    notes: notes == null || notes.trim() === "" ? null : readText("notes", notes, MAX_NOTES_chars),
  };
  const recipients = readRecipients(request.recipients);
  const amount_micros = readAmount("per_address_amount", request.per_address_amount);
  return { ...texts, recipients, amount_micros, max_leverage: request.max_leverage };
}

/** BON-2, BON-4, BON-5: grants to many wallets at once. The bonuses are active when the reply is sent. */
export class GrantBatches {
  readonly #options: GrantBatchesOptions;

  constructor(options: GrantBatchesOptions) {
    this.#options = options;
  }

  async grant(request: GrantBatchRequest, actor: Actor): Promise<GrantBatchReply> {
    if (request.request_id === undefined) throw refusals.fieldRequired("request_id");
    const request_id = readRequestId(request.request_id);
    const wanted = readGrants(request);
    const { locks, audit, directory } = this.#options;
    const { response, replayed } = await locks.withLock(BONUS_GRANTS, async (raw) => {
      const tx = bonusTx(raw);
      const now = this.#now();
      const input = {
        ...wanted,
        amount_micros: String(wanted.amount_micros),
        recipients: wanted.recipients.map(({ address, shown }) => address ?? shown),
      };
      return await decideOnce<StoredReply>(tx, audit, { endpoint: ENDPOINT, request_id, input, now }, () =>
        this.#decide(tx, wanted, now, actor),
      );
    });
    await directory.load();
    const { grant_batch_id, created, failed, audit_id } = response;
    const refused = created === 0 ? [] : await this.#settled(grant_batch_id);
    return {
      grant_batch_id,
      created: created - refused.length,
      failed: [...failed, ...refused],
      replayed,
      audit_id,
    };
  }

  /** BON-13: what `grant` would do at this moment. */
  async forecast(request: GrantBatchRequest): Promise<GrantForecast> {
    if (request.request_id !== undefined) readRequestId(request.request_id);
    const { recipients, amount_micros } = readGrants(request);
    const { database, cap_micros } = this.#options;
    const db = bonusDb(database);
    const campaign = await runningCampaign(db);
    assertWithinCampaign(campaign, amount_micros);
    const { accepted, failed } = judgeRecipients(recipients, await this.#barred(db, campaign.id, recipients));
    const pool = await readPool(db);
    const cost_micros = amount_micros * BigInt(accepted.length);
    const outflow_micros = netOutflow_micros(pool);
    const headroom_micros = cap_micros - outflow_micros;
    return {
      dry_run: true,
      would_create: accepted.length,
      would_fail: [...failed],
      pool_cap_usdt: moneyText(cap_micros),
      net_outflow: moneyText(outflow_micros),
      headroom_before: moneyText(headroom_micros),
      headroom_after: moneyText(headroom_micros - cost_micros),
      within_cap: cost_micros <= headroom_micros,
      worst_case_cost: moneyText(cost_micros),
      grants_stopped: pool.stopped_reason !== null,
    };
  }

  async #decide(tx: BonusTx, wanted: WantedGrants, now: Date, actor: Actor): Promise<Decision<StoredReply>> {
    const { random, issuer, cap_micros } = this.#options;
    const { recipients, amount_micros, ...terms } = wanted;
    const campaign = await runningCampaign(tx);
    assertWithinCampaign(campaign, amount_micros);
    const { accepted, failed } = judgeRecipients(recipients, await this.#barred(tx, campaign.id, recipients));
    await assertHeadroom(tx, amount_micros * BigInt(accepted.length), cap_micros);
    const batch_id = randomUuid(random);
    const counts = { created_count: accepted.length, failed_count: failed.length };
    await tx
      .insertInto("bonus_batch")
      .values({
        id: batch_id,
        campaign_id: campaign.id,
        per_address_micros: amount_micros,
        created_by: actor.actor,
        created_at: now,
        ...terms,
        ...counts,
      })
      .execute();
    const { max_leverage, grant_tier } = terms;
    await issuer.issue(tx, { campaign, batch_id, amount_micros, max_leverage, grant_tier, addresses: accepted, now });
    const after = { ...terms, ...counts, campaign_id: campaign.id, per_address_amount: moneyText(amount_micros) };
    return {
      response: { grant_batch_id: batch_id, created: accepted.length, failed: [...failed] },
      entry: { ...actor, action: "bonus.grant", target: batch_id, after },
    };
  }

  async #barred(db: BonusDb, campaign_id: number, recipients: readonly Recipient[]): Promise<Barred> {
    const { exchange, directory } = this.#options;
    const wallets = walletsOf(recipients);
    const withBonus = await walletsWithBonus(db, campaign_id, wallets);
    return { withBonus, inDebt: walletsInDebt(exchange, directory, wallets) };
  }

  /** Waits until the engine has applied the batch, and returns the wallets that the engine refused. */
  async #settled(batch_id: string): Promise<FailedRecipient[]> {
    const last = grantRef(await this.#lastOf(batch_id));
    await refuseIfLate(this.#options.engineRequests.stored(last), refusals.notReady);
    const refused = await bonusDb(this.#options.database)
      .selectFrom("bonus_account")
      .select(["address", "refusal"])
      .where("batch_id", "=", batch_id)
      .where("code_hash", "is", null)
      .where("status", "=", "refused")
      .orderBy("id")
      .execute();
    return refused.map(({ address, refusal }) => ({
      address,
      reason: refusal === "account_in_debt" ? refusal : "balance_limit",
    }));
  }

  /** The last grant of the batch that goes to the engine, redeemed codes excluded. */
  async #lastOf(batch_id: string): Promise<bigint> {
    const { id } = await bonusDb(this.#options.database)
      .selectFrom("bonus_account")
      .select("id")
      .where("batch_id", "=", batch_id)
      .where("code_hash", "is", null)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return id;
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
