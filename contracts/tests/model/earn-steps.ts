import type { Hex } from "viem";
import type { EarnTerms } from "../../src/index.ts";
import { subscriptionArgs } from "../support/earn-scenes.ts";
import { DAY_SECONDS, PAYERS, wallets } from "../support/world.ts";
import { EarnModel, type ModelProduct } from "./earn-model.ts";
import type { Maker, Scene, Step, User } from "./scene.ts";

const MAX_PRODUCTS = 16;
const HOUR_SECONDS = 3_600;

/** Creates products, and does with them what wallets and the operator do. */
export class EarnSteps {
  readonly #scene: Scene;
  #last: { readonly user: User; readonly args: readonly [bigint, bigint, bigint, Hex] } | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  makers(): readonly Maker[] {
    return [
      [52, () => this.#createOrSubscribe(this.#isAnythingOffered() ? 8 : 60)],
      [16, () => this.#fund()],
      [14, () => this.#settle()],
      [3, () => this.#cancel()],
      [16, () => this.#claim("claim")],
      [10, () => this.#claim("emergencyClaim")],
      [6, () => this.#withdrawExcess()],
    ];
  }

  #create(): Step {
    const { model, world } = this.#scene;
    const terms = this.#terms();
    const verdict = model.earn.create(terms);
    return {
      name: "createProduct",
      verdict,
      send: () => world.earn.write.createProduct([terms], world.by("operator")),
    };
  }

  #terms(): EarnTerms {
    const { random } = this.#scene;
    const now = this.#scene.now();
    const minAmount = random.pick([7n, 1_000n, 1_000_003n]);
    const maxAmountPerUser = minAmount * BigInt(random.pick([3, 50, 1_000]));
    const subscribeStart = now - HOUR_SECONDS + random.below(6 * HOUR_SECONDS);
    return {
      annualRateBps: random.pick([0, 1_200, 99_999, 99_999]),
      durationSeconds: random.pick([HOUR_SECONDS, DAY_SECONDS + 7, 5 * DAY_SECONDS]),
      minAmount,
      maxAmountPerUser,
      totalQuota: maxAmountPerUser * 2n + BigInt(random.below(9)),
      subscribeStart,
      subscribeEnd: Math.max(now, subscribeStart) + 1 + random.below(2 * DAY_SECONDS),
    };
  }

  /** Mostly creates a product if none can be subscribed to; creates no more if there are many. */
  #createOrSubscribe(createPercent: number): Step | Promise<Step> {
    const { products } = this.#scene.model.earn;
    const isWanted = products.length < MAX_PRODUCTS && this.#scene.random.isIn(createPercent);
    return isWanted ? this.#create() : this.#subscribe();
  }

  async #subscribe(): Promise<Step> {
    const { world, model, random } = this.#scene;
    const isRepeated = this.#last !== undefined && random.isIn(8);
    const { user, args } = isRepeated ? this.#last! : await this.#newSubscription();
    this.#last = { user, args };
    const verdict = model.earn.subscribe(user, args[0], args[1], args[2], this.#scene.now());
    return { name: "subscribe", verdict, send: () => world.earn.write.subscribe(args, world.by(user)) };
  }

  async #newSubscription() {
    const { world, model } = this.#scene;
    const user = this.#scene.user();
    const productId = this.#productId((product) => this.#isSubscribing(product));
    const product = model.earn.product(productId);
    const amount = product === undefined ? 1n : this.#subscriptionAmount(user, product);
    return { user, args: await subscriptionArgs(world, user, productId, { amount }) };
  }

  /** Mostly within the product's limits; otherwise exactly at or just beyond them. */
  #subscriptionAmount(user: User, { terms, subscribed, principals }: ModelProduct): bigint {
    const { random } = this.#scene;
    const room = terms.maxAmountPerUser - (principals.get(user) ?? 0n);
    const quotaLeft = terms.totalQuota - subscribed;
    const max = room < quotaLeft ? room : quotaLeft;
    const between = terms.minAmount + (max * BigInt(random.below(1_000))) / 2_500n;
    if (random.isIn(70)) return between;
    return random.pick([terms.minAmount - 1n, max, room + 1n, quotaLeft + 1n]);
  }

  #fund(): Step {
    const { world, model, random } = this.#scene;
    const productId = this.#productId(({ status, subscribed }) => status === "open" && subscribed > 0n);
    const payer = random.pick(PAYERS);
    const product = model.earn.product(productId);
    const missing = product === undefined ? 1n : model.earn.owedBy(product) - product.funded;
    const isMeantToSuffice = missing > 0n && random.isIn(80);
    const amount = isMeantToSuffice ? missing + BigInt(random.below(3) - 1) : this.#scene.amount();
    const verdict = model.earn.fund(payer, productId, amount);
    return { name: "fund", verdict, send: () => world.earn.write.fund([productId, amount], world.by(payer)) };
  }

  #settle(): Step {
    const { world, model } = this.#scene;
    const productId = this.#productId((product) => this.#isOver(product) && product.subscribed > 0n);
    const verdict = model.earn.settle(productId, this.#scene.now());
    return { name: "settle", verdict, send: () => world.earn.write.settle([productId], world.by("carol")) };
  }

  #cancel(): Step {
    const { world, model } = this.#scene;
    const productId = this.#productId(({ status, subscribed }) => status === "open" && subscribed > 0n);
    const verdict = model.earn.cancel(productId);
    return { name: "cancel", verdict, send: () => world.earn.write.cancel([productId], world.by("operator")) };
  }

  #claim(name: "claim" | "emergencyClaim"): Step {
    const { world, model } = this.#scene;
    const user = this.#scene.user();
    const status = name === "claim" ? "settled" : "cancelled";
    const productId = this.#productId((product) => product.status === status && product.principals.size > 0);
    const verdict = model.earn[name](user, productId);
    return { name, verdict, send: () => world.earn.write[name]([productId], world.by(user)) };
  }

  #withdrawExcess(): Step {
    const { world, model } = this.#scene;
    const productId = this.#productId(({ status, funded }) => status !== "open" && funded > 0n);
    const args = [productId, wallets.operator.address] as const;
    const verdict = model.earn.withdrawExcess(productId, "operator");
    return { name: "withdrawExcess", verdict, send: () => world.earn.write.withdrawExcess(args, world.by("operator")) };
  }

  /** Mostly a product for which the step is valid, otherwise any, occasionally a missing one. */
  #productId(makesSense: (product: ModelProduct) => boolean): bigint {
    const { random, model } = this.#scene;
    const { products } = model.earn;
    const fitting = products.flatMap((product, index) => (makesSense(product) ? [index + 1] : []));
    if (fitting.length > 0 && random.isIn(92)) return BigInt(random.pick(fitting));
    return BigInt(1 + random.below(products.length + 1));
  }

  #isOver({ status, terms }: ModelProduct): boolean {
    return status === "open" && this.#scene.now() >= EarnModel.settleTime(terms);
  }

  #isAnythingOffered(): boolean {
    return this.#scene.model.earn.products.some((product) => this.#isSubscribing(product));
  }

  #isSubscribing({ status, terms }: ModelProduct): boolean {
    const now = this.#scene.now();
    return status === "open" && now >= terms.subscribeStart && now < terms.subscribeEnd;
  }
}
