import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { checkAgreement } from "./model/agreement.ts";
import { EarnModel } from "./model/earn-model.ts";
import { PlatformModel } from "./model/platform-model.ts";
import { Random } from "./model/random.ts";
import { RandomSteps } from "./model/random-steps.ts";
import { Scene, type Step, USERS } from "./model/scene.ts";
import { refuses } from "./support/outcomes.ts";
import { FIRST_TOKENS, PAYERS, startWorld, wallets } from "./support/world.ts";

const SEEDS = process.env["TEST_DEPTH"] === "long" ? [1, 2, 3, 4] : [2, 3, 4];
const STEPS = 200;

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());

/** How often each step succeeded and how often it was refused, over all seeds. */
const outcomes = new Map<string, { done: number; refused: number }>();

function count({ name, verdict }: Step): void {
  const before = outcomes.get(name) ?? { done: 0, refused: 0 };
  if (verdict === undefined) outcomes.set(name, { ...before, done: before.done + 1 });
  else outcomes.set(name, { ...before, refused: before.refused + 1 });
}

async function take(scene: Scene, step: Step): Promise<void> {
  if (step.verdict === undefined) await world.mined(step.send());
  else await refuses(step.send(), step.verdict);
  await checkAgreement(scene);
}

/** Settles or cancels every product, after which every wallet claims its tokens. */
async function closeDown(scene: Scene): Promise<void> {
  const { model } = scene;
  const { earn, by } = world;
  const ends = model.earn.products.map(({ terms }) => EarnModel.settleTime(terms));
  await world.chain.moveTo(Math.max(scene.now(), ...ends) + 1);
  for (const [index, product] of model.earn.products.entries()) {
    const productId = BigInt(index + 1);
    if (product.status === "open" && model.earn.settle(productId, scene.now()) === undefined) {
      await world.mined(earn.write.settle([productId], by("carol")));
    } else if (model.earn.cancel(productId) === undefined) {
      await world.mined(earn.write.cancel([productId], by("operator")));
    }
    const claim = product.status === "settled" ? "claim" : "emergencyClaim";
    for (const user of USERS) {
      if (model.earn[claim](user, productId) === undefined) {
        await world.mined(earn.write[claim]([productId], by(user)));
      }
    }
    if (model.earn.withdrawExcess(productId, "operator") === undefined) {
      await world.mined(earn.write.withdrawExcess([productId, wallets.operator.address], by("operator")));
    }
  }
  for (const user of USERS) {
    if (model.referral.claim(user) === undefined) await world.mined(world.referral.write.claim(by(user)));
  }
}

for (const seed of SEEDS) {
  test(`INV-5: after each of ${STEPS} random steps (seed ${seed}) the contracts agree with a plain model`, async () => {
    const scene = new Scene(world, new PlatformModel(), new Random(seed));
    const steps = new RandomSteps(scene);
    for (let number = 0; number < STEPS; number += 1) {
      const step = await steps.next();
      count(step);
      await take(scene, step);
    }
    await closeDown(scene);
    await checkAgreement(scene);
    assert.equal(await world.tokensOf(world.earn.address), 0n);
    assert.equal(await world.tokensOf(world.referral.address), 0n);
    const inPockets = await Promise.all(PAYERS.map((name) => world.tokensOf(wallets[name].address)));
    const inVault = await world.tokensOf(world.vault.address);
    assert.equal(
      inPockets.reduce((total, tokens) => total + tokens, inVault),
      FIRST_TOKENS * BigInt(PAYERS.length),
    );
  });
}

test("every kind of step went through, and every one that can be refused was", () => {
  const neverRefused = new Set(["createProduct", "setOutflowLimit"]);
  for (const [name, { done, refused }] of outcomes) {
    assert.ok(done > 0, `${name} never went through`);
    assert.ok(refused > 0 || neverRefused.has(name), `${name} was never refused`);
  }
  assert.equal(outcomes.size, 19);
});
