import { addVolume, tierOf, toNumber } from "./arithmetic.ts";
import type { OracleAccount, World } from "./state.ts";

const DAY_ms = 86_400_000;
const WINDOW_days = 14;
const MAX_MIDNIGHTS = 62;

export function dayOf(time_ms: number): number {
  return Math.floor(time_ms / DAY_ms);
}

/** FUT-15: every midnight between two times, accounts by number. The fund has no tier. */
export function passMidnights(world: World, time_ms: number): void {
  const today = dayOf(time_ms);
  const first = Math.max(dayOf(world.time_ms) + 1, today - MAX_MIDNIGHTS + 1);
  for (let day = first; day <= today; day += 1) {
    for (const account of world.accounts.slice(1)) reviewAtMidnight(world, account, day);
  }
}

export function countVolume(world: World, account: OracleAccount, value: bigint): void {
  const day = dayOf(world.time_ms);
  account.volumes.set(day, addVolume(account.volumes.get(day) ?? 0n, value));
  const volume = volumeOf(account, day);
  const byVolume = tierOf(volume);
  if (byVolume > account.tier) change(world, account, "upgrade_immediate", byVolume, volume);
  else if (byVolume === account.tier && account.isDowngradeScheduled) keep(world, account, volume);
}

function reviewAtMidnight(world: World, account: OracleAccount, day: number): void {
  const volume = volumeOf(account, day);
  const byVolume = tierOf(volume);
  if (byVolume === account.tier) {
    if (account.isDowngradeScheduled) keep(world, account, volume);
  } else if (account.isDowngradeScheduled) {
    change(world, account, "downgrade_applied", byVolume, volume);
  } else {
    account.isDowngradeScheduled = true;
    sayChange(world, account, "downgrade_scheduled", byVolume, volume, account.tier);
  }
}

function keep(world: World, account: OracleAccount, volume: bigint): void {
  account.isDowngradeScheduled = false;
  sayChange(world, account, "downgrade_canceled", account.tier, volume, account.tier);
}

function change(
  world: World,
  account: OracleAccount,
  name: "upgrade_immediate" | "downgrade_applied",
  tier: number,
  volume: bigint,
): void {
  const before = account.tier;
  account.tier = tier;
  account.isDowngradeScheduled = false;
  sayChange(world, account, name, tier, volume, before);
}

function sayChange(
  world: World,
  account: OracleAccount,
  change: "upgrade_immediate" | "downgrade_applied" | "downgrade_scheduled" | "downgrade_canceled",
  tier: number,
  volume: bigint,
  previousTier: number,
): void {
  const volume14d_micros = toNumber(volume);
  world.say({ kind: "tier_changed", account: account.number, change, tier, previousTier, volume14d_micros });
}

function volumeOf(account: OracleAccount, today: number): bigint {
  let sum = 0n;
  for (let day = today - WINDOW_days + 1; day <= today; day += 1) sum = addVolume(sum, account.volumes.get(day) ?? 0n);
  return sum;
}
