import { fundEquity, fundWorth } from "../risk/fund-equity.ts";
import { MARKET_RULE_NAMES } from "../rules/market-rules.ts";
import type { FairBonus } from "../state/fairness.ts";
import { UNTIL_RESUMED } from "../state/fund-record.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import { type Columns, decimal } from "./text-table.ts";
import { timeText } from "./time-text.ts";

type Section = <Row>(title: string, columns: Columns<Row>, count: number, rows: Iterable<Row>) => string[];

const MICRO_places = 6;
const usdt = (micros: number) => decimal(BigInt(micros), MICRO_places);

function cappedText(cappedUntil_ms: number): string {
  if (cappedUntil_ms === 0) return "";
  return cappedUntil_ms === UNTIL_RESUMED ? "until resumed" : timeText(cappedUntil_ms);
}

/** What a state has from rules version 5 on: the rules of its markets, the fund, fair bonuses, held gains. */
export function fairSections(state: State, section: Section): string[] {
  const { markets, fundHours, fairness, time_ms } = state;
  const now_s = Math.floor(time_ms / 1000);
  const rules: Columns<MarketState> = [
    ["market", ({ definition }) => definition.symbol],
    ...MARKET_RULE_NAMES.map((name) => [name, ({ rules }: MarketState) => String(rules[name])] as const),
  ];
  const fund: Columns<MarketState> = [
    ["market", ({ definition }) => definition.symbol],
    ["worth", (market) => usdt(fundWorth(state, market))],
    ["realised", ({ fund }) => usdt(fund.realised_micros)],
    ["worth at start", ({ fund }) => usdt(fund.worthAtStart_micros)],
    ["since", ({ fund }) => timeText(fund.since_ms)],
    ["unwound second", ({ fund }) => String(fund.unwound_s)],
    ["capped", ({ fund }) => cappedText(fund.cappedUntil_ms)],
    ["stopped", ({ fund }) => (fund.isStopped ? "yes" : "no")],
    ["seconds of index", ({ indexWindow }) => secondsText([...indexWindow.seconds(now_s)])],
  ];
  const bonuses: Columns<readonly [number, FairBonus]> = [
    ["account", ([account]) => String(account)],
    ["grant", ([, { grant_micros }]) => usdt(grant_micros)],
    ["slip", ([, { slip_micros }]) => usdt(slip_micros)],
    ["own", ([, { own_micros }]) => usdt(own_micros)],
    ["owed", ([, { owed_micros }]) => usdt(owed_micros)],
  ];
  const gains = [...fairness.held]
    .sort(byAccount)
    .flatMap(([account, own]) => own.map((gain) => ({ account, ...gain })));
  return [
    ...section("Rules of markets", rules, markets.length, markets),
    ...section("The fund in markets", fund, markets.length, markets),
    "",
    `The fund: equity ${usdt(fundEquity(state))}, ${usdt(fundHours.start_micros)} in hour ${fundHours.hour}`,
    `Highest equity by hour: ${fundHours.highs.map(({ hour, highest_micros }) => `${hour} ${usdt(highest_micros)}`).join(", ")}`,
    ...section("Fair bonuses", bonuses, fairness.bonuses.size, [...fairness.bonuses].sort(byAccount)),
    ...section(
      "Held gains",
      [
        ["account", ({ account }) => String(account)],
        ["hour", ({ hour }) => String(hour)],
        ["amount", ({ micros }) => usdt(micros)],
      ] satisfies Columns<(typeof gains)[number]>,
      gains.length,
      gains,
    ),
  ];
}

const byAccount = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b;

const secondsText = (seconds: readonly { second: number; highest: number; lowest: number }[]) =>
  seconds.map(({ second, highest, lowest }) => `${second}: ${lowest}–${highest}`).join(", ");
