import type { Hex } from "viem";
import type { ChainFollower, Operator, OperatorCall, OperatorOutcome } from "../chain/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import { changeAction, findAction, openActions } from "./action-store.ts";
import { type EarnContract, isRefusedByContract, refusalOf } from "./contract.ts";
import { changeProduct, dropProduct, findProduct, linkProduct, lockProduct, type Product } from "./product-store.ts";
import { type ActionRow, type EarnTx, earnDb } from "./tables.ts";
import { type JsonTerms, termsFromJson } from "./term-columns.ts";
import { areEqualTerms } from "./terms.ts";

export interface ActionsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly contract: EarnContract;
  readonly operator: Pick<Operator, "address" | "send">;
  /** Reports when the chain's events are applied up to a block. */
  readonly follower: Pick<ChainFollower, "reached">;
}

/** The state of an action. `waiting`: it may still happen, and will be retried. */
export type ActionResult =
  | { readonly state: "done" }
  | { readonly state: "waiting"; readonly reason: string }
  | { readonly state: "failed"; readonly reason: string; readonly isRefused: boolean };

interface RunOptions {
  readonly wait_ms: number;
  /**
   * A caller waits for the answer: an action that was certainly not sent is abandoned, so that it does not happen later without the
   * caller's knowledge.
   */
  readonly isAttended: boolean;
}

type Failure = { readonly reason: string; readonly isRefused: boolean; readonly mayPass: boolean };

const INDEXING_ms = 5_000;
const UNATTENDED_WAIT_ms = 5_000;

/**
 * Carries out actions on chain, one after the other. Other code decides and stores them; the operator sends each under its own
 * reference, so that it happens once despite retries and crashes.
 */
export class EarnActions {
  readonly #options: ActionsOptions;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  /** Carries out the action and waits for its outcome up to a time limit. */
  run(id: string, options: RunOptions): Promise<ActionResult> {
    const run = async (): Promise<ActionResult> => {
      const action = await findAction(this.#db, id);
      if (action === undefined) throw new Error(`there is no action ${id}`);
      if (action.status === "done") return { state: "done" };
      if (action.status === "failed") return failed(action.last_error ?? "it failed", false);
      return await this.#carryOut(action, options);
    };
    // An allowance is given and used in two steps, which must not interleave with another action's.
    const result = this.#turn.then(run, run);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Continues all open actions. One that fails does not stop the others. */
  async resume(): Promise<{ readonly open: number; readonly done: number }> {
    const actions = await openActions(this.#db);
    const errors: unknown[] = [];
    let done = 0;
    for (const { id } of actions) {
      try {
        const { state } = await this.run(id, { wait_ms: UNATTENDED_WAIT_ms, isAttended: false });
        if (state === "done") done += 1;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${actions.length} actions failed`);
    return { open: actions.length - done, done };
  }

  get #db() {
    return earnDb(this.#options.database);
  }

  async #carryOut(action: ActionRow, { wait_ms, isAttended }: RunOptions): Promise<ActionResult> {
    const product = await findProduct(this.#db, action.product_id);
    if (product === undefined) throw new Error(`action ${action.id} belongs to no product`);
    let last: OperatorOutcome | undefined;
    for (const [step, call] of this.#calls(action, product).entries()) {
      const ref = `earn:${action.id}:${action.attempt}:${step}`;
      last = await this.#send({ ref, ...call }, wait_ms);
      if (last === undefined) return { state: "waiting", reason: "its outcome is not known yet" };
      if (last.state === "unknown") return { state: "waiting", reason: last.reason ?? "it is not mined yet" };
      if (last.state !== "confirmed") {
        const failure = failureOf(last);
        return await this.#fail(action, failure, isAttended);
      }
    }
    if (last?.state !== "confirmed") throw new Error(`action ${action.id} has nothing to send`);
    await this.#finish(action, last.hash);
    // The next step may depend on the events; with confirmations they are applied later.
    await this.#options.follower.reached(last.blockNumber, INDEXING_ms);
    return { state: "done" };
  }

  /** Undefined if the outcome is unknown: the next run asks again, under the same reference. */
  async #send(call: OperatorCall, wait_ms: number): Promise<OperatorOutcome | undefined> {
    try {
      return await this.#options.operator.send(call, { wait_ms });
    } catch (error) {
      this.#options.log.error({ err: error, ref: call.ref }, "the outcome of a transaction is not known");
      return undefined;
    }
  }

  #calls(action: ActionRow, product: Product): Pick<OperatorCall, "to" | "data">[] {
    const { contract, operator } = this.#options;
    const payload = action.payload as { readonly after?: JsonTerms; readonly amount?: string };
    if (action.kind === "create") return [contract.create(termsFromJson(payload.after!))];
    const { chainProductId } = product;
    if (chainProductId === undefined) throw new Error(`product ${product.id} is not on chain`);
    if (action.kind === "update") return [contract.update(chainProductId, termsFromJson(payload.after!))];
    if (action.kind === "cancel") return [contract.cancel(chainProductId)];
    if (action.kind === "settle") return [contract.settle(chainProductId)];
    return contract.fund(chainProductId, BigInt(payload.amount!), operator.address);
  }

  async #finish(action: ActionRow, txHash: Hex): Promise<void> {
    const created = action.kind === "create" ? await this.#options.contract.createdBy(txHash) : undefined;
    await this.#db.transaction().execute(async (tx) => {
      const isOurs = await changeAction(tx, action.id, { status: "done", txHash, now: this.#now() });
      if (isOurs && created !== undefined) await linkProduct(tx, action.product_id, created);
    });
  }

  /** Handles an action that certainly did not happen: an admin's request is abandoned, a scheduled action is retried. */
  async #fail(action: ActionRow, failure: Failure, isAttended: boolean): Promise<ActionResult> {
    const { reason, isRefused, mayPass } = failure;
    const isKept = action.by_system || (mayPass && !isAttended);
    await this.#db.transaction().execute(async (tx) => {
      const status = isKept ? ("open" as const) : ("failed" as const);
      const change = { status, attempt: action.attempt + 1, lastError: reason, now: this.#now() };
      const isOurs = await changeAction(tx, action.id, change);
      if (isOurs && !isKept) await this.#takeBack(tx, action, reason);
    });
    if (!isKept) return failed(reason, isRefused);
    this.#options.log.warn({ product_id: action.product_id, kind: action.kind, reason }, "an action on chain waits");
    return { state: "waiting", reason };
  }

  async #takeBack(tx: EarnTx, action: ActionRow, reason: string): Promise<void> {
    const { product_id: id, kind } = action;
    if (kind === "create") await dropProduct(tx, id, this.#now());
    if (kind === "update") {
      const { before, after } = action.payload as { readonly before: JsonTerms; readonly after: JsonTerms };
      const product = await lockProduct(tx, id);
      if (product !== undefined && areEqualTerms(product.terms, termsFromJson(after))) {
        await changeProduct(tx, id, { terms: termsFromJson(before) }, this.#now());
      }
    }
    const entry = { actor: "system", role: "system", action: `earn.product.${kind}.failed`, target: id, reason };
    await this.#options.audit.append(tx, entry);
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

const failed = (reason: string, isRefused: boolean): ActionResult => ({ state: "failed", reason, isRefused });

function failureOf(outcome: Extract<OperatorOutcome, { state: "reverted" | "not_sent" | "confirmed" }>): Failure {
  if (outcome.state !== "not_sent") {
    return { reason: `the contract has refused the transaction ${outcome.hash}`, isRefused: true, mayPass: false };
  }
  const isRefused = isRefusedByContract(outcome.cause);
  // Without a cause, another transaction used the nonce: this reference will never be sent, but another one may.
  return { reason: refusalOf(outcome.cause) ?? outcome.reason, isRefused, mayPass: !isRefused };
}
