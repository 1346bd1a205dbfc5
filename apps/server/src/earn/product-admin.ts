import type { ProductChangeRequest, ProductDetail, ProductRequest } from "@bourse/api";
import type { AuditEntry, AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { lockInTransaction } from "../kernel/database/locks.ts";
import type { JsonValue } from "../kernel/database/tables.ts";
import { badRequest } from "../kernel/errors.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { isUuid } from "../kernel/uuid.ts";
import { findActionByRequest, insertAction, lastAction } from "./action-store.ts";
import type { ActionResult, EarnActions } from "./actions.ts";
import type { ProductMoves } from "./moves.ts";
import { changedTerms, readChange, readProduct, readReason, readWei } from "./product-request.ts";
import {
  changeProduct,
  findByChainId,
  findByRequest,
  findUnregistered,
  insertProduct,
  lockProduct,
  type NewProduct,
  type Product,
} from "./product-store.ts";
import type { Products } from "./products.ts";
import { adminRefusals, refusals } from "./refusals.ts";
import { allowed, type Operation } from "./rules.ts";
import { type ActionKind, type EarnTx, earnDb } from "./tables.ts";
import { termsAsJson } from "./term-columns.ts";
import { areEqualTerms } from "./terms.ts";

/** The actor for the audit log. */
export type Actor = Pick<AuditEntry, "actor" | "role" | "ip" | "request_id">;

export interface ProductAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly actions: EarnActions;
  readonly moves: ProductMoves;
  readonly products: Products;
}

const WAIT_ms = 20_000;
const CHAIN_ID = /^[1-9]\d{0,17}$/;

/** An admin's decision: the product, and the action on chain, if one is needed. */
interface Decision {
  readonly productId: string;
  readonly actionId: string | undefined;
}

/**
 * Creates, changes, cancels and funds products. A decision, its audit entry and its action are written in one transaction; then the
 * action is carried out, and the reply is sent when the chain has it. After a crash in between, the action continues at the next
 * read of the chain, under the same reference.
 */
export class ProductAdmin {
  readonly #options: ProductAdminOptions;

  constructor(options: ProductAdminOptions) {
    this.#options = options;
  }

  async create(request: ProductRequest, actor: Actor): Promise<ProductDetail> {
    const reason = readReason(request.reason);
    const wanted = { ...readProduct(request, this.#now_s), requestId: request.request_id ?? null };
    const decision = await this.#decide(async (tx) => {
      const known = await this.#sameRequest(tx, wanted);
      if (known !== undefined) return { productId: known.id, actionId: await this.#actionOf(tx, known.id, "create") };
      const id = randomUuid(this.#options.random);
      await insertProduct(tx, { id, ...wanted }, this.#now);
      const after = termsAsJson(wanted.terms);
      const actionId = await this.#order(tx, { productId: id, kind: "create", payload: { after } });
      const shown = { name: wanted.name, description: wanted.description, ...after };
      await this.#note(tx, actor, { action: "earn.product.create", target: id, after: shown, reason });
      return { productId: id, actionId };
    });
    return await this.#carryOut(decision);
  }

  async update(id: string, request: ProductChangeRequest, actor: Actor): Promise<ProductDetail> {
    const reason = readReason(request.reason);
    const { change, given } = readChange(request);
    const decision = await this.#decide(async (tx) => {
      const product = await this.#lock(tx, id);
      const terms = Object.keys(given).length === 0 ? product.terms : changedTerms(product.terms, given, this.#now_s);
      const hasNewTerms = !areEqualTerms(terms, product.terms);
      let actionId: string | undefined;
      if (hasNewTerms) {
        this.#assertAllowed(product, "update_terms", "terms can be changed until the subscription starts");
        if (this.#now_s >= product.terms.subscribeStart) {
          throw adminRefusals.invalidState(product.status, "the subscription has started: its terms are final");
        }
        await this.#assertIdle(tx, product.id, "update");
        const payload = { before: termsAsJson(product.terms), after: termsAsJson(terms) };
        actionId = await this.#order(tx, { productId: product.id, kind: "update", payload });
      }
      await changeProduct(tx, product.id, { ...change, ...(hasNewTerms ? { terms } : {}) }, this.#now);
      const before = { name: product.name, description: product.description, ...termsAsJson(product.terms) };
      const after = { ...before, ...change, ...termsAsJson(terms) };
      await this.#note(tx, actor, { action: "earn.product.update", target: product.id, before, after, reason });
      return { productId: product.id, actionId };
    });
    return await this.#carryOut(decision);
  }

  async cancel(id: string, request: { readonly reason?: string }, actor: Actor): Promise<ProductDetail> {
    const reason = readReason(request.reason);
    const decision = await this.#decide(async (tx) => {
      const product = await this.#lock(tx, id);
      this.#assertAllowed(product, "cancel", "only a product that is not settled can be cancelled");
      const earlier = await lastAction(tx, product.id, "cancel");
      if (earlier !== undefined && earlier.status !== "failed") return { productId: product.id, actionId: earlier.id };
      const actionId = await this.#order(tx, { productId: product.id, kind: "cancel", payload: {} });
      const entry = { before: { status: product.status }, after: { status: "cancelled" }, reason };
      await this.#note(tx, actor, { action: "earn.product.cancel", target: product.id, ...entry });
      return { productId: product.id, actionId };
    });
    return await this.#carryOut(decision);
  }

  async fund(
    id: string,
    request: { readonly amount: string | number; readonly reason?: string; readonly request_id?: string },
    actor: Actor,
  ): Promise<ProductDetail> {
    const reason = readReason(request.reason);
    const amount = readWei("amount", request.amount).toString();
    const requestId = request.request_id ?? null;
    const decision = await this.#decide(async (tx) => {
      const product = await this.#lock(tx, id);
      const earlier = requestId === null ? undefined : await findActionByRequest(tx, "fund", requestId);
      if (earlier !== undefined) {
        const isSame = earlier.product_id === product.id && (earlier.payload as { amount: string }).amount === amount;
        if (!isSame) throw adminRefusals.requestIdConflict();
        return { productId: product.id, actionId: earlier.id };
      }
      this.#assertAllowed(product, "fund", "only a product that is not settled can be funded");
      const actionId = await this.#order(tx, { productId: product.id, kind: "fund", payload: { amount }, requestId });
      await this.#note(tx, actor, { action: "earn.product.fund", target: product.id, after: { amount }, reason });
      return { productId: product.id, actionId };
    });
    return await this.#carryOut(decision);
  }

  get #now(): Date {
    return new Date(this.#options.clock.now());
  }

  get #now_s(): number {
    return Math.floor(this.#options.clock.now() / 1_000);
  }

  /** Serialised: of two equal concurrent requests, the second is a repetition of the first. */
  #decide(decide: (tx: EarnTx) => Promise<Decision>): Promise<Decision> {
    return earnDb(this.#options.database)
      .transaction()
      .execute(async (tx) => {
        await lockInTransaction(tx, "earn-admin");
        return await decide(tx);
      });
  }

  /** Finds a repeated request by its id, or by equal contents if the first one's product is not on chain yet. */
  async #sameRequest(tx: EarnTx, wanted: Omit<NewProduct, "id">): Promise<Product | undefined> {
    if (wanted.requestId === null) return await findUnregistered(tx, wanted.name, wanted.terms);
    const known = await findByRequest(tx, wanted.requestId);
    if (known !== undefined && (known.name !== wanted.name || !areEqualTerms(known.terms, wanted.terms))) {
      throw adminRefusals.requestIdConflict();
    }
    return known;
  }

  async #actionOf(tx: EarnTx, productId: string, kind: ActionKind): Promise<string | undefined> {
    return (await lastAction(tx, productId, kind))?.id;
  }

  /** Refuses products that are not on chain yet; a malformed id and an unknown one get different refusals (WIRE-3). */
  async #lock(tx: EarnTx, id: string): Promise<Product> {
    if (!isUuid(id) && !CHAIN_ID.test(id)) throw badRequest("the id is neither a UUID nor a number on chain");
    const uuid = isUuid(id) ? id : (await findByChainId(tx, BigInt(id)))?.id;
    const product = uuid === undefined ? undefined : await lockProduct(tx, uuid);
    if (product === undefined) throw refusals.productNotFound();
    if (product.chainProductId !== undefined) return product;
    throw adminRefusals.invalidState(product.status, "the product is not on chain");
  }

  #assertAllowed({ status }: Product, operation: Operation, text: string): void {
    if (!allowed[status][operation]) throw adminRefusals.invalidState(status, text);
  }

  async #assertIdle(tx: EarnTx, productId: string, kind: ActionKind): Promise<void> {
    const earlier = await lastAction(tx, productId, kind);
    if (earlier?.status !== "open") return;
    throw adminRefusals.invalidState("open", "an earlier change is still on its way to the chain");
  }

  async #order(
    tx: EarnTx,
    order: { productId: string; kind: ActionKind; payload: JsonValue; requestId?: string | null },
  ): Promise<string> {
    const id = randomUuid(this.#options.random);
    await insertAction(tx, { requestId: null, ...order, id, bySystem: false }, this.#now);
    return id;
  }

  async #note(
    tx: EarnTx,
    actor: Actor,
    entry: Pick<AuditEntry, "action" | "target" | "before" | "after" | "reason">,
  ): Promise<void> {
    await this.#options.audit.append(tx, { ...actor, ...entry });
  }

  /** Carries out the action, updates the product's state, and returns the product. */
  async #carryOut({ productId, actionId }: Decision): Promise<ProductDetail> {
    const { actions, moves, products } = this.#options;
    if (actionId !== undefined) {
      assertDone(productId, await actions.run(actionId, { wait_ms: WAIT_ms, isAttended: true }));
    }
    await moves.bringUp(productId);
    return await products.read(productId);
  }
}

function assertDone(productId: string, result: ActionResult): void {
  if (result.state === "done") return;
  if (result.state === "waiting") throw adminRefusals.outcomeUnknown(productId, result.reason);
  throw result.isRefused ? adminRefusals.refusedByChain(result.reason) : adminRefusals.chainUnavailable(result.reason);
}
