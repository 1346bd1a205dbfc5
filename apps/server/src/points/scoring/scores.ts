import { dayOf, type Epochs } from "../epochs.ts";
import { type PointsSource, SCOPES, type Scope } from "../tables.ts";
import { type Rule, referralPoints } from "./formulas.ts";

/** A season that still takes points: its snapshot has not been taken. */
export interface OpenSeason {
  readonly season_no: number;
  readonly start_epoch: number;
  readonly end_epoch: number;
}

/** What lines depend on beside what is scored. */
export interface ScoringFacts {
  readonly rule: Rule;
  /** Wallets that make markets, as far as they were asked for. */
  readonly makers: ReadonlySet<string>;
  readonly seasons: readonly OpenSeason[];
}

/** What a line comes from. */
export type ScoreOrigin =
  | { readonly market: number; readonly trade: number; readonly side: number }
  | { readonly subscription_id: string };

/** Points of a wallet's own doing, before anything is known of who may have them. */
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

/** Lines, and what they add to the totals and to the market makers' volumes. */
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

  /** The wallet's line, and its inviter's. Market makers get none, neither for themselves nor for those they invited. */
  add({ inviter, ...own }: Score): void {
    const { address, points_micros, time_ms, origin } = own;
    const { rule, makers } = this.#facts;
    if (makers.has(address)) return;
    this.#addLine({ ...own, invitee: null, day: dayOf(time_ms) });
    if (inviter === undefined || inviter === address || makers.has(inviter)) return;
    this.#addLine({
      address: inviter,
      source: "referral",
      points_micros: referralPoints(rule, points_micros),
      base_micros: points_micros,
      invitee: address,
      time_ms,
      day: dayOf(time_ms),
      origin,
    });
  }

  /** What a resting order of a market maker has traded; of others it is not kept. */
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
    // After its snapshot a season stays as it is, whatever is written late.
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
