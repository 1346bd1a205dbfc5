import type { Command, MarketDefinition } from "@bourse/engine";
import { abs, defaultRules, ruleNumbers } from "./arithmetic.ts";
import { standingOf } from "./margin.ts";
import { CUSTOM, MAJOR, OTHER } from "./random-markets.ts";
import { anyAccount, anyMarket, HOUR_ms, type Scene, USDT } from "./random-scene.ts";
import { ALL_CROSS, FUND, HALTED, ISOLATED, REDUCE_ONLY, TRADING } from "./state.ts";

/** A slow random walk around its base, with jumps, and occasionally to a price near a liquidation. */
export function movePrice(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const danger = random.isIn(20) ? dangerousPrice(scene) : null;
  const market = danger?.market ?? anyMarket(scene);
  const base = scene.baseTicks(market);
  const now = Number(world.markets[market]?.mark ?? 0n) || base;
  const isJump = random.isIn(9);
  const reach_bps = isJump ? random.between(300, 3_000) : random.pick([3, 10, 30, 90, 200]);
  const isFar = now > base * 1.6 || now < base / 1.6;
  const back_bps = now > base ? -reach_bps : reach_bps;
  const move_bps = isFar && random.isIn(60) ? back_bps : random.between(-reach_bps, reach_bps);
  const moved = danger?.ticks ?? now + Math.trunc((now * move_bps) / 10_000) + random.between(-1, 1);
  const markTicks = clampTicks(moved);
  // By version 5 the mark follows the index; mostly it is within the clamp.
  const apart_bps = random.isIn(15) ? random.between(-150, 150) : 0;
  const indexTicks = clampTicks(markTicks + Math.trunc((markTicks * apart_bps) / 10_000) + random.between(-3, 3));
  return { kind: "set_price", time_ms, market, indexTicks, markTicks };
}

/** About the bankruptcy price of some position, at most 30 % away. */
function dangerousPrice({ random, world }: Scene): { readonly market: number; readonly ticks: number } | null {
  const positions = world.holdings.filter((holding) => holding.lots !== 0n && holding.account !== FUND);
  if (positions.length === 0) return null;
  const { account, market: number, lots, mode } = random.pick(positions);
  const { mark, unit } = world.markets[number]!;
  const { balance } = standingOf(world, account, mode === ISOLATED ? number : ALL_CROSS);
  const distance = Math.min(Number(balance / (abs(lots) * unit)), Number(mark) * 0.3);
  const step = Math.floor((distance * random.pick([20, 40, 50, 60, 70, 80, 90, 95, 99, 100, 105])) / 100);
  return { market: number, ticks: Number(mark) + (lots > 0n ? -step : step) };
}

function clampTicks(ticks: number): number {
  return Math.min(2 ** 24 - 1, Math.max(1, ticks));
}

export function payFunding(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const market = anyMarket(scene);
  const last = world.markets[market]?.lastHour ?? 0;
  const hour = Math.max(Math.floor(time_ms / HOUR_ms), last + 1) - (random.isIn(5) ? 30 * 24 : 0);
  const rate_e8 = random.pick([1_250, -3_750, 6_250, 93_750, -93_750, 234_375, random.between(-93_750, 93_750), 0]);
  return { kind: "apply_funding", time_ms, market, rate_e8, hour: Math.max(0, hour) };
}

/** A market that is not trading is likely set to trading again. */
export function changeStatus(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const stopped = world.markets.find((market) => market.status !== TRADING);
  const isBack = stopped !== undefined && random.isIn(95);
  const market = isBack ? stopped.number : anyMarket(scene);
  const status = isBack || random.isIn(60) ? TRADING : random.pick([REDUCE_ONLY, HALTED] as const);
  return { kind: "set_market_status", time_ms, market, status };
}

/** One bound of a market wider or narrower, sometimes too wide. */
export function changeRules(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const market = anyMarket(scene);
  const own = world.markets[market]?.rules;
  const rules = ruleNumbers(
    own ?? defaultRules([{ cap_micros: 1n, maxLeverage: 1n, rate_e8: 1n, cumulative_micros: 0n }]),
  );
  const name = random.pick(Object.keys(rules) as (keyof typeof rules)[]);
  const changed = Math.max(1, Math.floor((rules[name] * random.pick([50, 80, 90, 110, 150, 400])) / 100));
  return { kind: "set_market_rules", time_ms, market, rules: { ...rules, [name]: changed } };
}

/** A new market, an existing one, or an invalid one. */
export function addAnother({ random, world, time_ms }: Scene): Command {
  const known = random.pick([MAJOR, OTHER, ...CUSTOM]).definition;
  const symbol = random.isIn(50) && world.markets.length < 5 ? `NEW${world.markets.length}` : known.symbol;
  const wrong: readonly Partial<MarketDefinition>[] = [
    { tickSize_e8: known.tickSize_e8 + 0.5 },
    { brackets: [] },
    { marketBound_e8: known.percentPrice_e8 + 1 },
    { brackets: [...known.brackets].reverse() },
  ];
  const definition = { ...known, symbol, ...(random.isIn(30) ? random.pick(wrong) : {}) };
  return { kind: "add_market", time_ms, definition };
}

export function changeLeverage(scene: Scene): Command {
  const leverage = scene.random.pick([1, 2, 5, 10, 10, 13, 20, 20, 20, 25, 33, 40, 50, 50, 50, 100, 0, 1_000]);
  return {
    kind: "set_leverage",
    time_ms: scene.time_ms,
    account: anyAccount(scene),
    market: anyMarket(scene),
    leverage,
  };
}

export function changeMode(scene: Scene): Command {
  const mode = scene.random.pick([0, 1, 1] as const);
  return {
    kind: "set_margin_mode",
    time_ms: scene.time_ms,
    account: anyAccount(scene),
    market: anyMarket(scene),
    mode,
  };
}

export function moveMargin(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const isolated = world.holdings.filter((holding) => holding.mode === ISOLATED && holding.lots !== 0n);
  const holding = isolated.length > 0 && random.isIn(90) ? random.pick(isolated) : null;
  const account = holding?.account ?? anyAccount(scene);
  const market = holding?.market ?? anyMarket(scene);
  const max = Number(abs(holding?.isolated ?? 0n)) || 100 * USDT;
  const amount = Math.max(1, Math.floor((max * random.between(1, 120)) / 100));
  return { kind: "move_isolated_margin", time_ms, account, market, amount_micros: random.isIn(50) ? amount : -amount };
}
