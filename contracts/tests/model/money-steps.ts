import { stringToHex } from "viem";
import { PAYERS, wallets } from "../support/world.ts";
import { idOf, type Maker, type Scene, type Step } from "./scene.ts";

/** Moves money into the Vault and out of it. */
export class VaultSteps {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  makers(): readonly Maker[] {
    return [
      [7, () => this.#deposit()],
      [7, () => this.#depositFor()],
      [5, () => this.#contribute()],
      [14, () => this.#pay("withdraw")],
      [8, () => this.#pay("payout")],
      [3, () => this.#setLimit()],
    ];
  }

  #deposit(): Step {
    const { world, model, random } = this.#scene;
    const [payer, amount] = [random.pick(PAYERS), this.#scene.amount()];
    const verdict = model.vault.deposit(payer, amount, this.#scene.now());
    return { name: "deposit", verdict, send: () => world.vault.write.deposit([amount], world.by(payer)) };
  }

  #depositFor(): Step {
    const { world, model, random } = this.#scene;
    const [payer, amount] = [random.pick(PAYERS), this.#scene.amount()];
    const args = [wallets[this.#scene.user()].address, amount] as const;
    const verdict = model.vault.deposit(payer, amount, this.#scene.now());
    return { name: "depositFor", verdict, send: () => world.vault.write.depositFor(args, world.by(payer)) };
  }

  #contribute(): Step {
    const { world, model, random } = this.#scene;
    const [payer, amount] = [random.pick(PAYERS), this.#scene.amount()];
    const verdict = model.vault.contribute(payer, amount);
    return {
      name: "contribute",
      verdict,
      send: () => world.vault.write.contribute([idOf(0), amount], world.by(payer)),
    };
  }

  #pay(name: "withdraw" | "payout"): Step {
    const { world, model, random } = this.#scene;
    const [user, amount, id] = [this.#scene.user(), this.#scene.amount(), idOf(random.below(40))];
    const verdict = model.vault.pay(name, id, user, amount, this.#scene.now());
    const args = [id, wallets[user].address, amount] as const;
    return { name, verdict, send: () => world.vault.write[name](args, world.by("operator")) };
  }

  #setLimit(): Step {
    const { world, model, random } = this.#scene;
    const limit = random.isIn(40) ? 0n : 5n * this.#scene.amount();
    const verdict = model.vault.setLimit(limit);
    return {
      name: "setOutflowLimit",
      verdict,
      send: () => world.vault.write.setOutflowLimit([limit], world.by("admin")),
    };
  }
}

/** Sets codes, tiers and rebates, and claims them. */
export class ReferralSteps {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  makers(): readonly Maker[] {
    return [
      [4, () => this.#withCode("registerCode")],
      [5, () => this.#withCode("useCode")],
      [4, () => this.#setTier()],
      [12, () => this.#sync()],
      [12, () => this.#claim()],
    ];
  }

  #withCode(name: "registerCode" | "useCode"): Step {
    const { world, model, random } = this.#scene;
    const [user, code] = [this.#scene.user(), stringToHex(`code ${random.below(4)}`, { size: 32 })];
    const verdict = name === "useCode" ? model.referral.use(user, code) : model.referral.register(user, code);
    return { name, verdict, send: () => world.referral.write[name]([code], world.by(user)) };
  }

  #setTier(): Step {
    const { world, model, random } = this.#scene;
    const [affiliate, tier] = [this.#scene.user(), random.below(8)];
    const verdict = model.referral.setTier(affiliate, tier);
    const args = [wallets[affiliate].address, tier] as const;
    return { name: "setTier", verdict, send: () => world.referral.write.setTier(args, world.by("operator")) };
  }

  #sync(): Step {
    const { world, model, random } = this.#scene;
    const batchId = idOf(random.below(30));
    const users = Array.from({ length: random.below(6) }, () => this.#scene.user());
    const amounts = users.map(() => this.#scene.amount());
    const verdict = model.referral.sync(batchId, users, amounts);
    const args = [batchId, users.map((user) => wallets[user].address), amounts] as const;
    return { name: "syncRebates", verdict, send: () => world.referral.write.syncRebates(args, world.by("operator")) };
  }

  #claim(): Step {
    const { world, model } = this.#scene;
    const user = this.#scene.user();
    const verdict = model.referral.claim(user);
    return { name: "claimRebate", verdict, send: () => world.referral.write.claim(world.by(user)) };
  }
}
