import type { Command } from "@bourse/engine";
import { anyAccount, DAY_ms, HOUR_ms, numberOf, type Scene, USDT } from "./random-scene.ts";
import { FUND, isRunning, type World } from "./state.ts";

export function payDeposit(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const amount_micros = random.isIn(2) ? 1e15 : random.between(1, random.pick([100, 1_000, 50_000]) * USDT);
  const poor = world.accounts.filter(({ number, principal }) => number !== FUND && principal < 20_000_000n);
  const account = poor.length > 0 && random.isIn(70) ? random.pick(poor).number : anyAccount(scene);
  return { kind: "deposit", time_ms, account, number: numberOf(scene), amount_micros };
}

/** Near the withdrawable amount, often slightly above it. */
export function withdraw(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const account = anyAccount(scene);
  const principal = Number(world.accounts[account]?.principal ?? 0n);
  const amount_micros = Math.max(1, Math.floor((principal * random.between(1, 110)) / 100));
  return { kind: "hold_withdrawal", time_ms, account, number: numberOf(scene), amount_micros };
}

export function settleHeld(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const waiting = world.accounts.filter((account) => account.inFlight > 0n);
  const account = waiting.length > 0 && random.isIn(90) ? random.pick(waiting).number : anyAccount(scene);
  const held = Number(world.accounts[account]?.inFlight ?? 0n);
  const amount_micros = Math.max(1, random.isIn(70) ? held : Math.floor((held * random.between(1, 130)) / 100));
  const isDone = random.isIn(60);
  return { kind: "settle_withdrawal", time_ms, account, number: numberOf(scene), amount_micros, isDone };
}

export function grantBonus(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const account = anyAccount(scene);
  const principal = Math.max(0, Number(world.accounts[account]?.principal ?? 0n));
  const sizes = [principal, principal * 2, principal / 3, 100 * USDT, 1_000 * USDT, 1_001];
  const amount_micros = random.isIn(1) ? 1e15 : Math.min(1e15, Math.max(1, Math.floor(random.pick(sizes))));
  const expires_ms = time_ms + random.pick([1, HOUR_ms, DAY_ms, 3 * DAY_ms, 7 * DAY_ms]);
  const maxLeverage = random.pick([1, 3, 5, 10, 20, 125]);
  return { kind: "grant_bonus", time_ms, account, number: numberOf(scene), amount_micros, maxLeverage, expires_ms };
}

/** Mostly an account whose bonus is in one of these states. */
function withBonus(scene: Scene, isMeant: (state: World["accounts"][number]["bonusState"]) => boolean): number {
  const meant = scene.world.accounts.filter((account) => isMeant(account.bonusState));
  return meant.length > 0 && scene.random.isIn(85) ? scene.random.pick(meant).number || 1 : anyAccount(scene);
}

export function freezeBonus(scene: Scene): Command {
  const account = withBonus(scene, isRunning);
  return { kind: "freeze_bonus", time_ms: scene.time_ms, account, number: numberOf(scene) };
}

export function unfreezeBonus(scene: Scene): Command {
  const account = withBonus(scene, (state) => state === "frozen");
  return { kind: "unfreeze_bonus", time_ms: scene.time_ms, account, number: numberOf(scene) };
}

export function recallBonus(scene: Scene): Command {
  return {
    kind: "recall_bonus",
    time_ms: scene.time_ms,
    account: withBonus(scene, isRunning),
    number: numberOf(scene),
  };
}

/** Often exactly at its time, which moves the clock. */
export function expireBonus(scene: Scene): Command {
  const account = withBonus(scene, isRunning);
  const due_ms = scene.world.accounts[account]?.expires_ms ?? 0;
  const time_ms = scene.random.isIn(8) ? Math.max(due_ms, scene.time_ms) : scene.time_ms;
  return { kind: "expire_bonus", time_ms, account };
}

export function closeExpiredBonus(scene: Scene): Command {
  const account = withBonus(scene, (state) => state === "expired_pending");
  const due_ms = (scene.world.accounts[account]?.expires_ms ?? 0) + 7 * DAY_ms;
  const time_ms = scene.random.isIn(15) ? Math.max(due_ms, scene.time_ms) : scene.time_ms;
  return { kind: "close_expired_bonus", time_ms, account };
}

export function setTerms(scene: Scene): Command {
  const version = scene.random.below(9);
  return { kind: "set_terms", time_ms: scene.time_ms, account: anyAccount(scene), number: numberOf(scene), version };
}

/** Mostly existing leaders, occasionally the fund or a missing account. */
export function followTerms(scene: Scene): Command {
  const { random, accounts, time_ms } = scene;
  const account = anyAccount(scene);
  const leader = random.isIn(8) ? random.pick([0, accounts + 1, 2 ** 24, 2 ** 24 + 1]) : anyAccount(scene);
  return { kind: "follow_terms", time_ms, account, number: numberOf(scene), leader };
}

export function setDiscount(scene: Scene): Command {
  const discount_bps = scene.random.pick([0, 1, 333, 1_000, 5_000, 10_000]);
  const account = anyAccount(scene);
  return { kind: "set_discount", time_ms: scene.time_ms, account, number: numberOf(scene), discount_bps };
}

/** Often too little, so that auto-deleveraging is needed. */
export function seedFund(scene: Scene): Command {
  const { random, time_ms } = scene;
  const amount_micros = random.pick([1, 1_000, 10 * USDT, 1_000 * USDT, 30_000 * USDT]);
  return { kind: "seed_fund", time_ms, number: numberOf(scene), amount_micros };
}

export function payOut(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const amount_micros = Math.max(1, Math.floor((Number(world.feeAccount) * random.between(1, 120)) / 100));
  return { kind: "pay_out", time_ms, number: numberOf(scene), amount_micros };
}

export function returnPayout(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const amount_micros = Math.max(1, Math.floor((Number(world.payouts) * random.between(1, 120)) / 100));
  return { kind: "return_payout", time_ms, number: numberOf(scene), amount_micros };
}

export function openAnother({ random, accounts, time_ms }: Scene): Command {
  const account = accounts < 14 ? accounts + 1 : random.between(1, accounts + 3);
  return { kind: "open_account", time_ms, account: random.isIn(70) ? account : accounts + 2 };
}

/** LOG-1: now and then for an account that has one. */
export function commitWallet(scene: Scene): Command {
  return {
    kind: "commit_wallet",
    time_ms: scene.time_ms,
    account: anyAccount(scene),
    number: numberOf(scene),
    commitment: scene.random.isIn(90) ? anyDigest(scene) : "",
  };
}

export function note(scene: Scene): Command {
  return { kind: "note", time_ms: scene.time_ms, number: numberOf(scene), details: "{}" };
}

/** LOG-5: up, or to where it is. */
export function raiseRules(scene: Scene): Command {
  const { random, world, time_ms, newestRules } = scene;
  const version = Math.min(newestRules, world.rulesVersion + random.below(2));
  return { kind: "set_rules_version", time_ms, number: numberOf(scene), version };
}

const anyDigest = ({ random }: Scene) =>
  random
    .below(2 ** 30)
    .toString(16)
    .padStart(64, "0");

/** LOG-1: what comes from the outside world mostly says where from. */
export function stamped(command: Command, scene: Scene): Command {
  const { random } = scene;
  const isOpening = command.kind === "open_account" || command.kind === "add_market";
  if (!isOpening && !("number" in command)) return command;
  if (random.isIn(20)) return command;
  const number = isOpening ? { number: numberOf(scene) } : {};
  const commitment = isOpening && random.isIn(60) ? { commitment: anyDigest(scene) } : {};
  return { ...command, ...number, reference: `row:${random.below(1e9)}`, ...commitment } as Command;
}
