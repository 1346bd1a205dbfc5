import { Decimal } from "@bourse/money";
import { DAY_ms } from "../../../kernel/dates.ts";
import type { FillEvent } from "./scoring-books.ts";

/** The rule of PTS-3 as documented. */
export interface OracleRule {
  readonly version: number;
  readonly pointsPerFee: string;
  readonly makerFactor: string;
  readonly referralShare: string;
  readonly boosts: ReadonlyMap<number, string>;
}

export interface OracleFill {
  readonly fill: FillEvent;
  readonly time_ms: number;
  readonly wallet: string;
  readonly inviter: string | undefined;
  readonly rule: OracleRule;
}

export interface OracleSeason {
  readonly season_no: number;
  readonly start_ms: number;
  readonly end_ms: number;
}

const micros = (value: number | bigint) => Decimal.fromUnits(BigInt(value), 6);
const floored = (value: Decimal) => value.toUnits(6, "floor");

/** The countable fee, by another calculation. */
function countedMicros(fill: FillEvent): number {
  const isForced = ["liquidation", "takeover", "adl"].includes(fill.cause);
  if (fill.isSelfTrade === 1 || fill.isOffMarket === 1 || isForced) return 0;
  return Math.max(0, fill.fee_micros - fill.feeFromBonus_micros);
}

/** A naive implementation of PTS-3, fill by fill with decimals and maps. It shares no code with the implementation it checks. */
export class ScoringOracle {
  /** As comparable texts: wallet, source, points, base, invitee, rule, fill. */
  readonly lines: string[] = [];
  readonly totals = new Map<string, readonly [bigint, bigint]>();
  readonly volumes = new Map<string, bigint>();
  readonly #genesis_ms: number;
  readonly #makers: ReadonlySet<string>;
  readonly #seasons: readonly OracleSeason[];

  constructor(genesis_ms: number, makers: ReadonlySet<string>, seasons: readonly OracleSeason[]) {
    this.#genesis_ms = genesis_ms;
    this.#makers = makers;
    this.#seasons = seasons;
  }

  score({ fill, time_ms, wallet, inviter, rule }: OracleFill): void {
    if (time_ms < this.#genesis_ms) return;
    if (this.#makers.has(wallet)) {
      this.#makerFill(fill, time_ms, wallet);
      return;
    }
    const counted = countedMicros(fill);
    const points = micros(counted)
      .mul(Decimal.parse(rule.pointsPerFee))
      .mul(Decimal.parse(fill.isMaker === 1 ? rule.makerFactor : "1"))
      .mul(Decimal.parse(rule.boosts.get(fill.market) ?? "1"));
    const own = floored(points);
    this.#line(fill, time_ms, [wallet, "trade", own, BigInt(counted), null, rule.version]);
    if (inviter === undefined || inviter === wallet || this.#makers.has(inviter)) return;
    const share = floored(micros(own).mul(Decimal.parse(rule.referralShare)));
    this.#line(fill, time_ms, [inviter, "referral", share, own, wallet, rule.version]);
  }

  #makerFill({ isMaker, isSelfTrade, isOffMarket, ticks, lots }: FillEvent, time_ms: number, wallet: string): void {
    if (isMaker === 0 || isSelfTrade === 1 || isOffMarket === 1) return;
    const key = `${this.#epochOf(time_ms)} ${wallet}`;
    this.volumes.set(key, (this.volumes.get(key) ?? 0n) + BigInt(ticks) * BigInt(lots) * 100n);
  }

  #line(
    { market, trade, side }: FillEvent,
    time_ms: number,
    parts: [string, string, bigint, bigint, string | null, number],
  ): void {
    const [wallet, , points] = parts;
    if (points === 0n) return;
    this.lines.push([...parts, market, trade, side, time_ms].join(" "));
    this.#total(`day ${Math.floor(time_ms / DAY_ms)} ${wallet}`, points, time_ms);
    this.#total(`epoch ${this.#epochOf(time_ms)} ${wallet}`, points, time_ms);
    for (const { season_no, start_ms, end_ms } of this.#seasons) {
      if (time_ms >= start_ms && time_ms < end_ms) this.#total(`season ${season_no} ${wallet}`, points, time_ms);
    }
  }

  #total(key: string, points: bigint, time_ms: number): void {
    const [sum, last] = this.totals.get(key) ?? [0n, 0n];
    this.totals.set(key, [sum + points, BigInt(time_ms) > last ? BigInt(time_ms) : last]);
  }

  #epochOf(time_ms: number): number {
    return Math.floor((time_ms - this.#genesis_ms) / (7 * DAY_ms)) + 1;
  }
}
