import type { RedeemReply } from "@bourse/api";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JobLocks } from "../../kernel/database/locks.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import { moneyText } from "../../kernel/units.ts";
import { assertHeadroom } from "../pool.ts";
import { refusals } from "../refusals.ts";
import { BONUS_GRANTS, type BonusTx, bonusDb, bonusTx } from "../tables.ts";
import { type CampaignRow, isRedemptionOpen } from "./campaign-rules.ts";
import { runningCampaign } from "./campaigns.ts";
import { type BatchRow, type CodeRow, findBatch, lockCode, markRedeemed } from "./code-store.ts";
import { hashOfCode, readCode } from "./code-text.ts";
import { expiryOf, grantRef, type IssuedBonus, type Issuer, walletsInDebt, walletsWithBonus } from "./issue.ts";
import type { WrongCodes } from "./wrong-codes.ts";

export interface RedemptionsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly locks: JobLocks;
  readonly directory: Pick<AccountDirectory, "load" | "numberOf">;
  readonly exchange: Pick<Exchange, "engine">;
  readonly issuer: Issuer;
  readonly engineRequests: Pick<EngineRequests, "stored">;
  readonly wrongCodes: WrongCodes;
  readonly cap_micros: bigint;
}

/** The wallet that redeems, and its IP. */
export interface Redeemer {
  /** Lower case. */
  readonly wallet: string;
  readonly address: string;
}

interface Redemption {
  readonly issued: IssuedBonus;
  readonly reply: RedeemReply;
}

/** BON-1: a wallet redeems a code for a bonus. */
export class Redemptions {
  readonly #options: RedemptionsOptions;

  constructor(options: RedemptionsOptions) {
    this.#options = options;
  }

  async redeem(redeemer: Redeemer, text: string): Promise<RedeemReply> {
    const { locks, directory, engineRequests, wrongCodes } = this.#options;
    await wrongCodes.assertFew(redeemer.wallet, redeemer.address);
    const { issued, reply } = await locks.withLock(BONUS_GRANTS, async (tx) => {
      // Checked again: requests sent at the same moment have been counted by now.
      await wrongCodes.assertFew(redeemer.wallet, redeemer.address);
      return await this.#decide(bonusTx(tx), redeemer, text);
    });
    await directory.load();
    await refuseIfLate(engineRequests.stored(grantRef(issued.bonus_account_id)), refusals.redeemedAndOnItsWay);
    await this.#assertTaken(issued);
    return reply;
  }

  async #decide(tx: BonusTx, redeemer: Redeemer, text: string): Promise<Redemption> {
    const { issuer, wrongCodes, cap_micros } = this.#options;
    const { wallet } = redeemer;
    const now = new Date(this.#options.clock.now());
    const campaign = await runningCampaign(tx);
    if ((await walletsWithBonus(tx, campaign.id, [wallet])).size > 0) throw refusals.alreadyHasBonus();
    // Before the code is looked at: a wallet that cannot have a bonus learns nothing about codes.
    const { exchange, directory } = this.#options;
    if (walletsInDebt(exchange, directory, [wallet]).size > 0) throw refusals.accountInDebt();
    const found = await redeemable(tx, text, campaign, now);
    if (found === undefined) {
      await wrongCodes.count(wallet, redeemer.address);
      throw refusals.codeNotRedeemable();
    }
    const { code, batch } = found;
    const { code_hash, amount_micros } = code;
    await assertHeadroom(tx, amount_micros, cap_micros);
    await markRedeemed(tx, code_hash, wallet, now);
    const { id: batch_id, max_leverage, grant_tier } = batch;
    const terms = { campaign, batch_id, amount_micros, max_leverage, grant_tier, code_hash, now };
    const [issued] = await issuer.issue(tx, { ...terms, addresses: [wallet] });
    if (issued === undefined) throw new Error(`the bonus of ${wallet} was not written`);
    const times = { granted_at: now.toISOString(), expires_at: expiryOf(campaign, now).toISOString() };
    return {
      issued,
      reply: { status: "active", amount: moneyText(amount_micros), max_leverage, grant_tier, ...times },
    };
  }

  /**
   * The engine decides: it refuses a grant to an account that is full, or that went into debt on the way (BON-15; the code is
   * unused again then).
   */
  async #assertTaken({ bonus_account_id }: IssuedBonus): Promise<void> {
    const { status, refusal } = await bonusDb(this.#options.database)
      .selectFrom("bonus_account")
      .select(["status", "refusal"])
      .where("id", "=", bonus_account_id)
      .executeTakeFirstOrThrow();
    if (refusal === "account_in_debt") throw refusals.accountInDebt();
    if (status === "refused") {
      throw refusals.notDone("balance_limit", "the account would hold more than an account may");
    }
  }
}

/** The code and its batch; undefined for every kind of invalid code. */
async function redeemable(
  tx: BonusTx,
  text: string,
  campaign: CampaignRow,
  now: Date,
): Promise<{ readonly code: CodeRow; readonly batch: BatchRow } | undefined> {
  const given = readCode(text);
  const code = given === undefined ? undefined : await lockCode(tx, hashOfCode(given));
  if (code === undefined || code.status !== "unused" || code.expires_at <= now) return undefined;
  if (!isRedemptionOpen(campaign, now)) return undefined;
  const batch = await findBatch(tx, code.batch_id);
  // Codes end with their campaign.
  return batch.campaign_id === campaign.id ? { code, batch } : undefined;
}
