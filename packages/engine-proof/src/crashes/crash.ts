import { auditEngine, BUY, ISOLATED, NO_TICKS, SELL } from "@bourse/engine";
import { Prng } from "../../../engine/src/book/testing/prng.ts";
import { type Attacker, bonusMovers, enterTakers, fundFarmers, Makers, markPushers } from "./actors.ts";
import { CrashWorld, START_TICKS, USDT } from "./world.ts";

export interface Crash {
  readonly name: string;
  /** The markets that fall, by number. */
  readonly markets: readonly number[];
  /** How far the first falls in a minute, 0.3: 30 %. Others by their beta. */
  readonly drop: number;
  /** What a maker shows on a side of a major, in USDT; makers without it leave as the fall begins. */
  readonly depth: number;
  readonly stay?: boolean;
  readonly attack?: "farm" | "push" | "bonus";
  /** One of three sources says 4.9 % less than the others. */
  readonly hasLiar?: boolean;
}

export interface Outcome {
  readonly fundLost: number;
  readonly badDebt: number;
  readonly liquidations: number;
  readonly liquidatedLost: number;
  readonly deleveraged: number;
  readonly deleveragedValue: number;
  readonly deleveragedWorst: number;
  readonly attackers: number;
  readonly capped: number;
  /** What must never be, as text; empty in a sound run. Only of rules from version 5 on all of it is promised. */
  readonly faults: readonly string[];
}

const FUND = 100_000;
const BEFORE_s = 10;
const FALL_s = 60;
const AFTER_s = 40;
const BETAS = [1, 1.1, 1.3, 1.4] as const;
const TAKERS_PER_MARKET = 150;
const AUDIT_EVERY_s = 5;

/** One fall, by the rules of a version. The same seed gives the same people and the same prices. */
export function runCrash(crash: Crash, rulesVersion: number, seed: number): Outcome {
  const random = new Prng(seed);
  const world = new CrashWorld(rulesVersion, FUND);
  const makers = new Makers(world, random, crash.depth);
  enterTakers(world, random, makers, crash.markets, TAKERS_PER_MARKET * crash.markets.length);
  const attacker = attackerOf(crash, world);
  const invested = attacker.accounts.reduce((sum, account) => sum + world.worth(account), 0);
  world.tally.attackersAre(attacker.accounts);
  const faults = new Set<string>();
  for (let second = 1; second <= BEFORE_s + FALL_s + AFTER_s; second += 1) {
    const fallen = Math.min(1, Math.max(0, (second - BEFORE_s) / FALL_s));
    const isRunning = fallen > 0 && fallen < 1;
    makers.quote(crash.markets, crash.stay === false && second >= BEFORE_s ? 0 : isRunning ? 0.3 : 1);
    if (second > BEFORE_s) attacker.act();
    for (const market of crash.markets) world.price(market, sourcesOf(crash, random, market, fallen));
    world.time_ms = Math.floor(world.time_ms / 1000) * 1000 + 1000;
    if (second % AUDIT_EVERY_s === 0) for (const fault of faultsOf(world)) faults.add(fault);
  }
  for (const fault of unpaidCases(world)) faults.add(fault);
  const { tally } = world;
  if (tally.outflowExcess > 0) faults.add(`an outflow was ${tally.outflowExcess / USDT} above its bound`);
  return {
    fundLost: FUND - tally.lowestFund / USDT,
    badDebt: debtOf(world),
    liquidations: tally.liquidations,
    liquidatedLost: tally.liquidatedLost / USDT,
    deleveraged: tally.deleveraged.size,
    deleveragedValue: tally.deleveragedValue / USDT,
    deleveragedWorst: tally.deleveragedWorst / USDT,
    attackers: attacker.accounts.reduce((sum, account) => sum + world.worth(account), 0) - invested,
    capped: tally.capped,
    faults: [...faults],
  };
}

function attackerOf({ attack, markets }: Crash, world: CrashWorld): Attacker {
  const market = markets[0]!;
  if (attack === "farm") return fundFarmers(world, market);
  if (attack === "push") return markPushers(world, market);
  if (attack === "bonus") return bonusMovers(world, market);
  return { accounts: [], act: () => undefined };
}

/** Three sources around the true price. */
function sourcesOf({ drop, hasLiar = false, markets }: Crash, random: Prng, market: number, fallen: number): number[] {
  const own = Math.min(0.6, (drop * BETAS[market]!) / BETAS[markets[0]!]!);
  const truth = START_TICKS[market]! * (1 - own * fallen);
  const noisy = () => Math.round(truth * (1 + (random.below(21) - 10) / 100_000));
  const [one, two, three] = [noisy(), noisy(), noisy()];
  return [one, two, hasLiar ? Math.round(truth * 0.951) : three];
}

/** What must hold at any time. */
function faultsOf({ engine }: CrashWorld): string[] {
  const { problems, belowZero } = auditEngine(engine);
  const crossed = engine.state.markets.filter(({ book }) => {
    const [bid, ask] = [book.bestTicks(BUY), book.bestTicks(SELL)];
    return bid !== NO_TICKS && ask !== NO_TICKS && bid >= ask;
  });
  return [
    ...problems,
    ...belowZero.map(({ account }) => `account ${account} is below zero`),
    ...crossed.map(({ number }) => `the book of market ${number} is crossed`),
  ];
}

/** FUT-12: cases that patience should not have left: 2 × balance < maintenance. */
function unpaidCases({ engine }: CrashWorld): string[] {
  const { state, margin } = engine;
  const found: string[] = [];
  for (let account = 1; account <= state.accounts.count; account += 1) {
    margin.computeAll(account);
    if (2 * margin.balance_micros < margin.maintenance_micros) found.push(`account ${account} is left unpaid`);
  }
  for (const { positions } of state.markets) {
    for (const at of positions) {
      const isIsolated = state.positions.mode(at) === ISOLATED && state.positions.lots(at) !== 0;
      if (isIsolated && 2 * margin.isolatedBalance(at) < margin.maintenanceOf(at)) found.push(`position ${at} is left`);
    }
  }
  return found;
}

/** What accounts owe and cannot pay. */
function debtOf({ engine }: CrashWorld): number {
  const { state, margin } = engine;
  let debt = 0;
  for (let account = 1; account <= state.accounts.count; account += 1) {
    margin.computeBalance(account);
    debt += Math.max(0, -margin.balance_micros);
  }
  return debt / USDT;
}

export const CRASHES: readonly Crash[] = [
  { name: "BTC, thick book, −10 %", markets: [0], drop: 0.1, depth: 200_000 },
  { name: "BTC, thick book, −30 %", markets: [0], drop: 0.3, depth: 200_000 },
  { name: "BTC, thin book, −30 %", markets: [0], drop: 0.3, depth: 6_000 },
  { name: "BTC, thin book, −50 %", markets: [0], drop: 0.5, depth: 6_000 },
  { name: "AVAX, thin book, −30 %", markets: [3], drop: 0.3, depth: 20_000 },
  { name: "AVAX, nobody quotes, −50 %", markets: [3], drop: 0.5, depth: 20_000, stay: false },
  { name: "AVAX, thin book, −30 %, one source lies", markets: [3], drop: 0.3, depth: 20_000, hasLiar: true },
  { name: "BTC, calm, one source lies", markets: [0], drop: 0, depth: 200_000, hasLiar: true },
  { name: "all four, thin books, −30 %", markets: [0, 1, 2, 3], drop: 0.3, depth: 6_000 },
  { name: "all four, nobody quotes, −50 %", markets: [0, 1, 2, 3], drop: 0.5, depth: 6_000, stay: false },
  { name: "fund farmers, BTC calm", markets: [0], drop: 0, depth: 6_000, stay: false, attack: "farm" },
  { name: "fund farmers, BTC −30 %", markets: [0], drop: 0.3, depth: 6_000, attack: "farm" },
  { name: "mark pushers, AVAX calm, nobody quotes", markets: [3], drop: 0, depth: 20_000, stay: false, attack: "push" },
  { name: "mark pushers, AVAX −10 %, thin book", markets: [3], drop: 0.1, depth: 20_000, attack: "push" },
  { name: "bonus moved, AVAX calm", markets: [3], drop: 0, depth: 20_000, stay: false, attack: "bonus" },
  { name: "bonus moved, AVAX −30 %", markets: [3], drop: 0.3, depth: 20_000, attack: "bonus" },
];
