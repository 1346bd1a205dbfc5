import type { SyncStep } from "../chain/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { insertAction, lastAction } from "./action-store.ts";
import type { EarnActions } from "./actions.ts";
import type { EarnContract } from "./contract.ts";
import { factsOf, findProduct, liveProducts, lockProduct, moveProduct, type Product } from "./product-store.ts";
import { dueOnChain, pathFrom, type Status } from "./rules.ts";
import { earnDb } from "./tables.ts";

export interface MovesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly random: Random;
  readonly contract: EarnContract;
  readonly actions: EarnActions;
}

const WAIT_ms = 5_000;
/** The maximum number of actions that an overdue product needs in one run: a cancellation or a settlement. */
const MAX_ROUNDS = 3;

/** ERN-1, WIRE-4: changes product states according to time and chain. Runs after every read of the chain. */
export class ProductMoves implements SyncStep {
  readonly name = "earn";
  readonly #options: MovesOptions;

  constructor(options: MovesOptions) {
    this.#options = options;
    this.run = this.run.bind(this);
  }

  /** A product that fails does not stop the others; the failures are reported at the end. */
  async run(): Promise<{ readonly moves: readonly string[] }> {
    const errors: unknown[] = [];
    const moves: string[] = [];
    const attempt = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await action();
      } catch (error) {
        errors.push(error);
        return undefined;
      }
    };
    await attempt(() => this.#options.actions.resume());
    for (const product of await liveProducts(this.#db)) {
      moves.push(...((await attempt(() => this.#bringUp(product))) ?? []));
    }
    if (errors.length > 0) {
      const reasons = errors.map((error) => (error instanceof Error ? error.message : String(error)));
      throw new AggregateError(errors, reasons.join("; "));
    }
    return { moves };
  }

  /** The same for one product that was just changed. */
  async bringUp(id: string): Promise<void> {
    const product = await findProduct(this.#db, id);
    if (product !== undefined) await this.#bringUp(product);
  }

  get #db() {
    return earnDb(this.#options.database);
  }

  get #now_s(): number {
    return Math.floor(this.#options.clock.now() / 1_000);
  }

  async #bringUp(product: Product): Promise<string[]> {
    const moves: string[] = [];
    let current: Product | undefined = product;
    for (let round = 0; round < MAX_ROUNDS && current !== undefined; round += 1) {
      const status = await this.#move(current, moves);
      const due = dueOnChain(status, factsOf(current, this.#now_s));
      if (due === undefined || !(await this.#carryOut(current, due))) return moves;
      current = await findProduct(this.#db, product.id);
    }
    return moves;
  }

  /** One transition after the other, as the table allows. */
  async #move(product: Product, moves: string[]): Promise<Status> {
    let from = product.status;
    for (const to of pathFrom(product.status, factsOf(product, this.#now_s))) {
      const now = new Date(this.#options.clock.now());
      // The product was moved concurrently: the next run continues from there.
      if (!(await moveProduct(this.#db, { id: product.id, from, to, now }))) return from;
      moves.push(`${product.id}: ${from} → ${to}`);
      from = to;
    }
    return from;
  }

  /** Returns whether the action is done, so that the product can continue at once. */
  async #carryOut(product: Product, kind: "cancel" | "settle"): Promise<boolean> {
    const { actions, contract } = this.#options;
    const isCertain =
      kind === "settle" || (await contract.isEmptyForGood(product.chainProductId!, product.terms.subscribeEnd));
    if (!isCertain) return false;
    const id = await this.#decide(product.id, kind);
    if (id === undefined) return false;
    const { state } = await actions.run(id, { wait_ms: WAIT_ms, isAttended: false });
    return state === "done";
  }

  /** The action to carry out; none if one is in progress, or is done and not indexed yet. */
  #decide(productId: string, kind: "cancel" | "settle"): Promise<string | undefined> {
    const { random, clock } = this.#options;
    return this.#db.transaction().execute(async (tx) => {
      await lockProduct(tx, productId);
      const earlier = await lastAction(tx, productId, kind);
      if (earlier !== undefined && earlier.status !== "failed") return undefined;
      const id = randomUuid(random);
      const action = { id, productId, kind, payload: {}, requestId: null, bySystem: true };
      await insertAction(tx, action, new Date(clock.now()));
      return id;
    });
  }
}
