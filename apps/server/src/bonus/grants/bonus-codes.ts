import type { EndCodesRequest, GenerateCodesReply, GenerateCodesRequest } from "@bourse/api";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JobLocks } from "../../kernel/database/locks.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { moneyText } from "../../kernel/units.ts";
import type { Actor } from "../callers.ts";
import { readOperator, readReason, readRequestId } from "../inputs.ts";
import { assertHeadroom } from "../pool.ts";
import { refusals } from "../refusals.ts";
import { BONUS_GRANTS, type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { assertWithinCampaign } from "./campaign-rules.ts";
import { runningCampaign } from "./campaigns.ts";
import { endCodes, expireDue, findBatch, firstHashOf, insertCodes } from "./code-store.ts";
import type { CodeMaker } from "./code-text.ts";
import { readAmount, readBatchId, readCount } from "./inputs.ts";
import { type Decision, decideOnce } from "./once.ts";

export interface BonusCodesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly locks: JobLocks;
  readonly codeMaker: CodeMaker;
  readonly cap_micros: bigint;
}

/** A parsed request for codes. */
interface WantedCodes {
  readonly grant_batch_id: string;
  readonly amount_micros: bigint;
  readonly count: number;
  readonly ttl_days: number;
  readonly operator_addr: string;
}

/** The stored part of the answer: everything but the codes. */
type StoredReply = Pick<GenerateCodesReply, "expires_at">;

export interface EndedCodes {
  readonly audit_id: number;
  readonly ended: number;
  readonly replayed: boolean;
}

/** The endpoints that end unused codes early, with the status they set. */
const ENDINGS = { "expire-codes": "expired", "void-codes": "void" } as const;
export type CodesEnding = keyof typeof ENDINGS;

const SWEPT_AT_ONCE = 10_000;

function readCodes(request: GenerateCodesRequest): WantedCodes {
  const grant_batch_id = readBatchId("grant_batch_id", request.grant_batch_id);
  const operator_addr = readOperator(request.operator_addr);
  const count = readCount(request.count);
  const amount_micros = readAmount("amount", request.amount);
  return { grant_batch_id, operator_addr, count, amount_micros, ttl_days: request.ttl_days };
}

/** BON-3: codes that wallets redeem for a bonus. */
export class BonusCodes {
  readonly #options: BonusCodesOptions;

  constructor(options: BonusCodesOptions) {
    this.#options = options;
  }

  async generate(request: GenerateCodesRequest, actor: Actor): Promise<GenerateCodesReply> {
    const request_id = readRequestId(request.request_id);
    const wanted = readCodes(request);
    const { locks, audit, codeMaker, database } = this.#options;
    // Before the lock is taken: thousands of codes take a while.
    const made = await codeMaker.makeAll(request_id, wanted.count);
    const hashes = made.map(({ hash }) => hash);
    const { response, replayed } = await locks.withLock(BONUS_GRANTS, async (raw) => {
      const tx = bonusTx(raw);
      const now = this.#now();
      const input = { ...wanted, amount_micros: String(wanted.amount_micros) };
      return await decideOnce<StoredReply>(tx, audit, { endpoint: "generate-codes", request_id, input, now }, () =>
        this.#decide(tx, wanted, { request_id, hashes, now }, actor),
      );
    });
    if (replayed && !(await firstHashOf(bonusDb(database), request_id)).equals(hashes[0]!)) {
      throw new Error(`the codes of ${request_id} do not follow from SECRETS_KEY any more: it is another one`);
    }
    const { audit_id, expires_at } = response;
    return { audit_id, codes: made.map(({ code }) => code), replayed, expires_at };
  }

  /** Ends the unused codes of a batch. */
  async end(ending: CodesEnding, request: EndCodesRequest, actor: Actor): Promise<EndedCodes> {
    const request_id = readRequestId(request.request_id);
    const grant_batch_id = readBatchId("grant_batch_id", request.grant_batch_id);
    const operator_addr = readOperator(request.operator_addr);
    const reason = request.reason === undefined ? null : readReason(request.reason);
    const { locks, audit } = this.#options;
    const { response, replayed } = await locks.withLock(BONUS_GRANTS, async (raw) => {
      const tx = bonusTx(raw);
      const now = this.#now();
      const input = { grant_batch_id, operator_addr, reason };
      return await decideOnce(tx, audit, { endpoint: ending, request_id, input, now }, async () => {
        await findBatch(tx, grant_batch_id);
        const status = ENDINGS[ending];
        const change = status === "expired" ? { status, expires_at: now } : { status };
        const ended = await endCodes(tx, grant_batch_id, change);
        const after = { status, codes: ended, operator_addr };
        const entry = { ...actor, action: `bonus.${ending}`, target: grant_batch_id, after, reason };
        return { response: { ended }, entry };
      });
    });
    return { ...response, replayed };
  }

  /** Marks codes that had expired by `at`. Redemption refuses them by their time, marked or not. */
  async sweep(at: Date): Promise<{ readonly expired: number }> {
    for (let expired = 0; ; ) {
      const swept = await this.#options.locks.withLock(BONUS_GRANTS, (tx) => expireDue(bonusTx(tx), at, SWEPT_AT_ONCE));
      expired += swept;
      if (swept < SWEPT_AT_ONCE) return { expired };
    }
  }

  async #decide(
    tx: BonusTx,
    { grant_batch_id, amount_micros, count, ttl_days, operator_addr }: WantedCodes,
    { request_id, hashes, now }: { request_id: string; hashes: readonly Buffer[]; now: Date },
    actor: Actor,
  ): Promise<Decision<StoredReply>> {
    const batch = await findBatch(tx, grant_batch_id);
    const campaign = await runningCampaign(tx);
    if (batch.campaign_id !== campaign.id) {
      throw refusals.notDone(
        "campaign_over",
        "the batch belongs to an earlier campaign, whose codes nobody can redeem",
      );
    }
    assertWithinCampaign(campaign, amount_micros);
    await assertHeadroom(tx, amount_micros * BigInt(count), this.#options.cap_micros);
    const expires_at = new Date(now.getTime() + ttl_days * DAY_ms);
    await insertCodes(tx, { batch_id: batch.id, request_id, amount_micros, expires_at, now, hashes });
    const shown = { count, amount: moneyText(amount_micros), expires_at: expires_at.toISOString(), operator_addr };
    return {
      response: { expires_at: shown.expires_at },
      entry: { ...actor, action: "bonus.generate-codes", target: batch.id, after: shown },
    };
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}
