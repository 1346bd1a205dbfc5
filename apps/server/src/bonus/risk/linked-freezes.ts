import type { LinkedFreezeReply, LinkedFreezeRequest } from "@bourse/api";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { EngineRequest, EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { refuseIfLate } from "../../kernel/late.ts";
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
  readonly engineRequests: Pick<EngineRequests, "tellAll" | "stored">;
  readonly assessments: Pick<Assessments, "fresh">;
}

/** The parsed request. */
interface Wanted {
  readonly target_address: string;
  readonly reason: string;
  readonly operator_addr: string;
  readonly request_id: string;
  readonly min_score: number;
}

/**
 * BON-12: freezes the bonuses of linked wallets and recalls those that are not used as margin. One transaction decides which
 * wallets are linked and writes the commands for all of them; then the engine answers for each wallet.
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
    // The engine and the chain are queried before the transaction; a repeated request needs neither.
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

  /** Returns whether the request was decided before. */
  async #decide(tx: BonusTx, wanted: Wanted, cluster: readonly string[], actor: Actor): Promise<boolean> {
    const { clock, audit, engineRequests } = this.#options;
    const { request_id, reason, target_address, operator_addr, min_score } = wanted;
    const key = { endpoint: LINKED_ENDPOINT, request_id };
    const input = { target_address, reason, operator_addr, min_score };
    if ((await beginRequest(tx, { ...key, input, now: new Date(clock.now()) })) !== undefined) return true;
    const bonuses = await runningBonuses(tx, cluster);
    if (bonuses.length === 0) throw refusals.noBonus();
    await keepPlan(tx, key, planOf(target_address, bonuses));
    await engineRequests.tellAll(tx, requestsFor(bonuses, request_id, reason));
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

  /** Returns the request when the engine has answered for every wallet. */
  async #answered(request_id: string): Promise<RequestRow> {
    const known = await this.#row(request_id);
    if (known.status !== null) return known;
    const { wallets } = known.response as unknown as LinkedPlan;
    const last = linkedRef(request_id, wallets.at(-1)!.bonus_account_id, "recall");
    await refuseIfLate(this.#options.engineRequests.stored(last), refusals.notReady);
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

/** All wallets are frozen before the first recall, so that none of them trades meanwhile. */
function requestsFor(bonuses: readonly RunningBonus[], request_id: string, reason: string) {
  const request = (action: "freeze" | "recall", { id, account }: RunningBonus): EngineRequest => ({
    ref: linkedRef(request_id, String(id), action),
    command: { kind: `${action}_bonus`, account, reason },
  });
  return [...bonuses.map((bonus) => request("freeze", bonus)), ...bonuses.map((bonus) => request("recall", bonus))];
}
