import { dayNumberOf } from "../../kernel/dates.ts";
import type { Epochs } from "../epochs.ts";
import { type PointsSource, SCOPES, type Scope } from "../tables.ts";
import { type Rule, referralPoints } from "./formulas.ts";

/** A season that still takes points: its snapshot has not been taken. */
export interface OpenSeason {
  readonly season_no: number;
  readonly start_epoch: number;
  readonly end_epoch: number;
}

/** The facts besides the fill that determine lines. */
export interface ScoringFacts {
  readonly rule: Rule;
  /** The market makers among the requested wallets. */
  readonly makers: ReadonlySet<string>;
  readonly seasons: readonly OpenSeason[];
}

/** The source of a line. */
export type ScoreOrigin =
  | { readonly market: number; readonly trade: number; readonly side: number }
  | { readonly subscription_id: string };

/** Points of a wallet's own activity, before market makers are excluded. */
export interface Score {
  readonly source: Exclude<PointsSource, "referral">;
  readonly address: string;
  readonly inviter: string | undefined;
  readonly points_micros: bigint;
  readonly base_micros: bigint;
  readonly time_ms: number;
  readonly origin: ScoreOrigin;
}

export interface ScoredLine {
  readonly address: string;
  readonly source: PointsSource;
  readonly points_micros: bigint;
  readonly base_micros: bigint;
  readonly invitee: string | null;
  readonly time_ms: number;
  readonly day: number;
  readonly origin: ScoreOrigin;
}

export interface ScoredTotal {
  readonly scope: number;
  readonly period: number;
  readonly address: string;
  points_micros: bigint;
  last_ms: number;
}

export interface MakerVolume {
  readonly epoch: number;
  readonly address: string;
  volume_micros: bigint;
}

/** Collects lines and their additions to the totals and to the market makers' volumes. */
export class Scores {
  readonly rule: Rule;
  readonly lines: ScoredLine[] = [];
  readonly #epochs: Epochs;
  readonly #facts: ScoringFacts;
  readonly #totals = new Map<string, ScoredTotal>();
  readonly #volumes = new Map<string, MakerVolume>();

  constructor(epochs: Epochs, facts: ScoringFacts) {
    this.#epochs = epochs;
    this.#facts = facts;
    this.rule = facts.rule;
  }

  get totals(): ScoredTotal[] {
    return [...this.#totals.values()];
  }

  get volumes(): MakerVolume[] {
    return [...this.#volumes.values()];
  }

  /** Adds the wallet's line and its inviter's. Market makers get no lines, neither for themselves nor for their invitees. */
  add({ inviter, ...own }: Score): void {
    const { address, points_micros, time_ms, origin } = own;
    const { rule, makers } = this.#facts;
    if (makers.has(address)) return;
    this.#addLine({ ...own, invitee: null, day: dayNumberOf(time_ms) });
    if (inviter === undefined || inviter === address || makers.has(inviter)) return;
    this.#addLine({
      address: inviter,
      source: "referral",
      points_micros: referralPoints(rule, points_micros),
      base_micros: points_micros,
      invitee: address,
      time_ms,
      day: dayNumberOf(time_ms),
      origin,
    });
  }

  /** Adds the volume of a resting order, for market makers only. */
  addMakerVolume(address: string, volume_micros: number, time_ms: number): void {
    if (!this.#facts.makers.has(address)) return;
    const epoch = this.#epochs.of(time_ms);
    const key = `${epoch} ${address}`;
    const known = this.#volumes.get(key);
    if (known !== undefined) known.volume_micros += BigInt(volume_micros);
    else this.#volumes.set(key, { epoch, address, volume_micros: BigInt(volume_micros) });
  }

  #addLine(line: ScoredLine): void {
    if (line.points_micros === 0n) return;
    this.lines.push(line);
    const epoch = this.#epochs.of(line.time_ms);
    this.#addTotal("day", line.day, line);
    this.#addTotal("epoch", epoch, line);
    // After its snapshot a season does not change, even if fills are written late.
    const season = this.#facts.seasons.find(({ start_epoch, end_epoch }) => start_epoch <= epoch && epoch <= end_epoch);
    if (season !== undefined) this.#addTotal("season", season.season_no, line);
  }

  #addTotal(name: Scope, period: number, { address, points_micros, time_ms }: ScoredLine): void {
    const scope = SCOPES[name];
    const key = `${scope} ${period} ${address}`;
    const known = this.#totals.get(key);
    if (known === undefined) {
      this.#totals.set(key, { scope, period, address, points_micros, last_ms: time_ms });
      return;
    }
    known.points_micros += points_micros;
    known.last_ms = Math.max(known.last_ms, time_ms);
  }
}
