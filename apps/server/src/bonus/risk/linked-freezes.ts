import type { LinkedFreezeReply, LinkedFreezeRequest } from "@bourse/api";
import { COMMAND_TOPIC } from "../../exchange/host/outbox-delivery.ts";
import type { Projector } from "../../exchange/projector/projector.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../../kernel/outbox/outbox.ts";
import type { OutboxOutcomes } from "../../wallet/outcomes.ts";
import type { Actor } from "../callers.ts";
import { readAddress, readOperator, readReason, readRequestId } from "../inputs.ts";
import { refusals } from "../refusals.ts";
import { beginRequest, findRequest, noteAudit, type RequestRow } from "../requests.ts";
import { type BonusDb, type BonusTx, bonusDb } from "../tables.ts";
import type { Assessments } from "./assessments.ts";
import { clusterOf } from "./clusters.ts";
import { type LinkedPlan, linkedRef } from "./linked-plan.ts";
import { keepPlan, LINKED_ENDPOINT } from "./linked-store.ts";
import { PROPOSED_score } from "./rules.ts";
import { hasHadBonus, type RunningBonus, runningBonuses } from "./wallet-store.ts";

export interface LinkedFreezesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: Pick<OutboxOutcomes, "wait">;
  readonly projector: Pick<Projector, "waitForAll">;
  readonly assessments: Pick<Assessments, "fresh">;
}

const ENGINE_WAIT_ms = 10_000;
const PROJECTOR_WAIT_ms = 5_000;

/** What was asked for, as it was understood. */
interface Wanted {
  readonly target_address: string;
  readonly reason: string;
  readonly operator_addr: string;
  readonly request_id: string;
  readonly min_score: number;
}

/**
 * BON-12: freezes the bonuses of linked wallets and recalls those of which nothing is in margin. Who belongs together is
 * decided once, with the commands for all of them, in one transaction; the engine then answers for each wallet.
 */
export class LinkedFreezes {
  readonly #options: LinkedFreezesOptions;
  readonly #db: BonusDb;

  constructor(options: LinkedFreezesOptions) {
    this.#options = options;
    this.#db = bonusDb(options.database);
  }

  async freeze(request: LinkedFreezeRequest, actor: Actor): Promise<LinkedFreezeReply> {
    const wanted = read(request);
    const key = { endpoint: LINKED_ENDPOINT, request_id: wanted.request_id };
    // The engine and the chain are asked before the transaction; a repetition needs neither.
    const isKnown = (await findRequest(this.#db, key)) !== undefined;
    const cluster = isKnown ? [] : await this.#clusterOf(wanted);
    const replayed = await this.#db.transaction().execute((tx) => this.#decide(tx, wanted, cluster, actor));
    const { response, audit_id } = await this.#answered(wanted.request_id);
    return { ...(response as unknown as LinkedFreezeReply), audit_id: Number(audit_id), replayed };
  }

  async #clusterOf({ target_address, min_score }: Wanted): Promise<readonly string[]> {
    if (!(await hasHadBonus(this.#db, target_address))) throw refusals.noBonus();
    const { links } = await this.#options.assessments.fresh();
    return clusterOf(links, min_score, target_address);
  }

  /** Whether it was decided before. */
  async #decide(tx: BonusTx, wanted: Wanted, cluster: readonly string[], actor: Actor): Promise<boolean> {
    const { clock, audit, outbox } = this.#options;
    const { request_id, reason, target_address, operator_addr, min_score } = wanted;
    const key = { endpoint: LINKED_ENDPOINT, request_id };
    const input = { target_address, reason, operator_addr, min_score };
    if ((await beginRequest(tx, { ...key, input, now: new Date(clock.now()) })) !== undefined) return true;
    const bonuses = await runningBonuses(tx, cluster);
    if (bonuses.length === 0) throw refusals.noBonus();
    await keepPlan(tx, key, planOf(target_address, bonuses));
    await outbox.enqueueAll(tx, messagesFor(bonuses, request_id, reason));
    const { seq } = await audit.append(tx, {
      ...actor,
      action: "bonus.freeze-linked",
      target: target_address,
      after: { wallets: bonuses.map(({ address }) => address), min_score, operator_addr, request_id },
      reason,
    });
    await noteAudit(tx, key, seq);
    return false;
  }

  /** The request once the engine has answered for every wallet. */
  async #answered(request_id: string): Promise<RequestRow> {
    const { dispatcher, outcomes, projector } = this.#options;
    const known = await this.#row(request_id);
    if (known.status !== null) return known;
    const { wallets } = known.response as unknown as LinkedPlan;
    dispatcher.notify();
    await outcomes.wait(linkedRef(request_id, wallets.at(-1)!.bonus_account_id, "recall"), ENGINE_WAIT_ms);
    try {
      await projector.waitForAll(PROJECTOR_WAIT_ms);
    } catch (error) {
      throw error instanceof ProjectionTimeout ? refusals.notReady() : error;
    }
    const answered = await this.#row(request_id);
    if (answered.status === null) throw refusals.notReady();
    return answered;
  }

  async #row(request_id: string): Promise<RequestRow> {
    const row = await findRequest(this.#db, { endpoint: LINKED_ENDPOINT, request_id });
    if (row === undefined) throw new Error(`the request ${LINKED_ENDPOINT} ${request_id} is gone`);
    return row;
  }
}

function read({ target_address, reason, operator_addr, request_id, min_score }: LinkedFreezeRequest): Wanted {
  return {
    target_address: readAddress("target_address", target_address),
    reason: readReason(reason),
    operator_addr: readOperator(operator_addr),
    request_id: readRequestId(request_id),
    min_score: min_score ?? PROPOSED_score,
  };
}

const planOf = (target_address: string, bonuses: readonly RunningBonus[]): LinkedPlan => ({
  target_address,
  wallets: bonuses.map(({ address, id }) => ({ address, bonus_account_id: String(id), outcome: null })),
});

/** All are frozen before the first is recalled: nobody trades on while others are looked at. */
function messagesFor(bonuses: readonly RunningBonus[], request_id: string, reason: string) {
  const message = (action: "freeze" | "recall", { id, account }: RunningBonus) => ({
    topic: COMMAND_TOPIC,
    ref: linkedRef(request_id, String(id), action),
    payload: { kind: action === "freeze" ? "freeze_bonus" : "recall_bonus", account, reason },
  });
  return [...bonuses.map((bonus) => message("freeze", bonus)), ...bonuses.map((bonus) => message("recall", bonus))];
}
