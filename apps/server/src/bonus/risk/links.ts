import type { BonusAccountStatus } from "../tables.ts";
import { type Activity, findSimilarities, type Similarity } from "./activity.ts";
import {
  areSymmetric,
  isMostVolume,
  isOffMark,
  LINK_POINTS,
  LISTED_score,
  MAX_score,
  OPPOSITE_percent,
} from "./rules.ts";
import { Turns } from "./turns.ts";

/** A wallet that has or had a bonus of the running campaign, or that has traded with one. */
export interface RiskWallet {
  readonly address: string;
  readonly account: number;
  /** `none`: it never had a bonus, and is here because it has traded with those that had. */
  readonly status: BonusAccountStatus | "none";
  /** When it was granted; of a wallet without a bonus, when the first of its counterparties got one. */
  readonly granted_ms: number;
}

/** What a bonus wallet has traded with another wallet since its grant. */
export interface PairTrades {
  /** The index of the wallet with the bonus, and of the other. */
  readonly bonus: number;
  readonly other: number;
  readonly grant_micros: bigint;
  readonly volume_micros: bigint;
  /** The bonus wallet's volume with everybody. */
  readonly total_micros: bigint;
  /** What its trades gave the other side against the mark. */
  readonly off_mark_micros: bigint;
  /** Whether the other is on the list of market makers, who trade with everybody. */
  readonly isWithMaker: boolean;
  /** Of the time in which the bonus wallet held positions, in percent: how long the other held the opposite, within 10 %. */
  readonly opposite_percent: number;
}

/** Wallets, by their index in the list, that share a source or an IP. */
export interface Group {
  /** The source on chain, or the IP. */
  readonly name: string;
  readonly wallets: readonly number[];
}

export interface Facts {
  /** Ordered by address. */
  readonly wallets: readonly RiskWallet[];
  /** Realised since the grant plus unrealised now, by the wallet's index. */
  readonly pnl_micros: readonly bigint[];
  readonly sources: readonly Group[];
  readonly ips: readonly Group[];
  readonly orders: readonly Activity[];
  readonly positions: readonly Activity[];
  readonly trades: readonly PairTrades[];
}

export type Reason =
  | { readonly kind: "off_mark"; readonly points: number; readonly off_mark_micros: bigint }
  | { readonly kind: "volume"; readonly points: number; readonly volume_micros: bigint; readonly total_micros: bigint }
  | { readonly kind: "opposite"; readonly points: number; readonly percent: number }
  | {
      readonly kind: "funding";
      readonly points: number;
      readonly sources: readonly string[];
      /** Whether one of the two paid the other. */
      readonly is_direct: boolean;
      /**
       * The number of bonus wallets that the source paid, for the source with the fewest: a hot wallet of an exchange pays many.
       */
      readonly wallets_funded: number;
    }
  | {
      readonly kind: "mirrored";
      readonly points: number;
      readonly relation: Similarity["relation"];
      readonly basis: "orders" | "positions";
      readonly matched: number;
      readonly of: readonly [number, number];
    }
  | { readonly kind: "pnl"; readonly points: number; readonly pnl_micros: readonly [bigint, bigint] }
  | { readonly kind: "ip"; readonly points: number; readonly ips: readonly string[] };

/** Two wallets and the reasons that link them. */
export interface Link {
  readonly wallets: readonly [RiskWallet, RiskWallet];
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** What each has gained since the grant, at least 0. */
  readonly gains_micros: readonly [bigint, bigint];
}

/** In a larger group not every pair is compared: its wallets are linked in a chain, which makes the same cluster. */
export const MAX_PAIRED_wallets = 50;
/** In a larger group a wallet is compared with this many wallets whose profit and loss is nearest to the opposite of its own. */
const NEAREST_wallets = 20;
const SHOWN_names = 5;

/**
 * BON-12: finds the listed pairs without comparing all pairs. A pair reaches the listing score only by similar orders, by trading with
 * each other, or by a common source together with a common IP or symmetric profit and loss.
 */
export async function findLinks(facts: Facts): Promise<Link[]> {
  const turns = new Turns();
  const search = new LinkSearch(facts, await findSimilarities(facts.orders), await findSimilarities(facts.positions));
  const found = new Map<number, Link>();
  const seen = new Set<number>();
  for (const pair of search.candidates()) {
    if (turns.isOver) await turns.next();
    if (pair === undefined) continue;
    const key = search.keyOf(pair);
    if (seen.has(key)) continue;
    seen.add(key);
    const link = search.linkOf(pair);
    if (link !== undefined) found.set(key, link);
  }
  return inListOrder(found);
}

/** Highest score first, then by addresses: keys rise with addresses, and sorting numbers is fast. */
function inListOrder(links: ReadonlyMap<number, Link>): Link[] {
  const byScore = new Map<number, number[]>();
  for (const [key, { score }] of links) {
    const keys = byScore.get(score);
    if (keys === undefined) byScore.set(score, [key]);
    else keys.push(key);
  }
  const scores = [...byScore.keys()].sort((one, other) => other - one);
  return scores.flatMap((score) => {
    const keys = Float64Array.from(byScore.get(score)!).sort();
    return Array.from(keys, (key) => links.get(key)!);
  });
}

/** The lower index first. */
type Pair = readonly [number, number];

class LinkSearch {
  readonly #facts: Facts;
  readonly #sourcesOf: ReadonlyMap<number, readonly Group[]>;
  readonly #ipsOf: ReadonlyMap<number, readonly Group[]>;
  readonly #alike = new Map<number, Reason>();
  /** One for each side with a bonus. */
  readonly #trades = new Map<number, PairTrades[]>();

  constructor(facts: Facts, orders: readonly Similarity[], positions: readonly Similarity[]) {
    this.#facts = facts;
    this.#sourcesOf = groupsByWallet(facts.sources);
    this.#ipsOf = groupsByWallet(facts.ips);
    for (const [basis, similarities] of [["positions", positions] as const, ["orders", orders] as const]) {
      for (const { wallets, relation, matched, of } of similarities) {
        const reason = { kind: "mirrored", points: LINK_POINTS.mirrored, relation, basis, matched, of } as const;
        this.#alike.set(this.keyOf(wallets), reason);
      }
    }
    for (const trades of facts.trades) {
      const key = this.keyOf(inOrder(trades.bonus, trades.other));
      this.#trades.set(key, [...(this.#trades.get(key) ?? []), trades]);
    }
  }

  /** May yield a pair more than once. Yields undefined from time to time so that the caller can pause. */
  *candidates(): Generator<Pair | undefined> {
    const count = this.#facts.wallets.length;
    for (const key of this.#alike.keys()) yield [Math.floor(key / count), key % count];
    for (const key of this.#trades.keys()) yield [Math.floor(key / count), key % count];
    for (const { wallets } of this.#facts.sources) {
      yield undefined;
      if (wallets.length <= MAX_PAIRED_wallets) yield* this.#pairsOf(wallets);
      else {
        yield* this.#rowsOf(wallets);
        yield* this.#nearestOf(wallets);
      }
    }
  }

  keyOf([one, other]: Pair): number {
    return one * this.#facts.wallets.length + other;
  }

  /** Undefined if the pair is not listed. */
  linkOf(pair: Pair): Link | undefined {
    const { wallets, pnl_micros } = this.#facts;
    const [one, other] = pair;
    // Scored is every pair in which one side has or had a bonus.
    if (wallets[one]!.status === "none" && wallets[other]!.status === "none") return undefined;
    const trades = this.#trades.get(this.keyOf(pair)) ?? [];
    const reasons = [
      this.#funding(one, other),
      offMark(trades),
      this.#alike.get(this.keyOf(pair)) ?? opposite(trades),
      mostVolume(trades),
      this.#pnl(one, other),
      this.#ip(one, other),
    ];
    const found = reasons.filter((reason) => reason !== undefined);
    const score = Math.min(
      MAX_score,
      found.reduce((sum, { points }) => sum + points, 0),
    );
    if (score < LISTED_score) return undefined;
    const gainOf = (wallet: number) => (pnl_micros[wallet]! > 0n ? pnl_micros[wallet]! : 0n);
    const gains_micros = [gainOf(one), gainOf(other)] as const;
    return { wallets: [wallets[one]!, wallets[other]!], score, reasons: found, gains_micros };
  }

  /** The pairs of a source's wallets that have another reason as well. */
  *#pairsOf(wallets: readonly number[]): Generator<Pair> {
    for (const [place, one] of wallets.entries()) {
      for (const other of wallets.slice(place + 1)) {
        if (this.#pnl(one, other) !== undefined || common(this.#ipsOf, one, other).length > 0)
          yield inOrder(one, other);
      }
    }
  }

  *#rowsOf(wallets: readonly number[]): Generator<Pair> {
    const last = new Map<Group, number>();
    for (const wallet of wallets) {
      for (const ip of this.#ipsOf.get(wallet) ?? []) {
        const before = last.get(ip);
        if (before !== undefined) yield inOrder(before, wallet);
        last.set(ip, wallet);
      }
    }
  }

  *#nearestOf(wallets: readonly number[]): Generator<Pair> {
    const { pnl_micros } = this.#facts;
    const pnlOf = (wallet: number) => pnl_micros[wallet]!;
    const ascending = (one: number, other: number) => (pnlOf(one) < pnlOf(other) ? -1 : 1);
    const gained = wallets.filter((wallet) => pnlOf(wallet) > 0n).sort(ascending);
    const lost = wallets.filter((wallet) => pnlOf(wallet) < 0n).sort((one, other) => ascending(other, one));
    let at = 0;
    for (const wallet of gained) {
      while (at < lost.length && -pnlOf(lost[at]!) < pnlOf(wallet)) at += 1;
      const nearest = lost.slice(Math.max(0, at - NEAREST_wallets / 2), at + NEAREST_wallets / 2);
      for (const other of nearest) if (this.#pnl(wallet, other) !== undefined) yield inOrder(wallet, other);
    }
  }

  #funding(one: number, other: number): Reason | undefined {
    const groups = common(this.#sourcesOf, one, other);
    if (groups.length === 0) return undefined;
    const { wallets } = this.#facts;
    const own = new Set([wallets[one]!.address, wallets[other]!.address]);
    return {
      kind: "funding",
      points: LINK_POINTS.funding,
      sources: shown(groups),
      is_direct: groups.some(({ name }) => own.has(name)),
      wallets_funded: Math.min(...groups.map((group) => group.wallets.length)),
    };
  }

  #pnl(one: number, other: number): Reason | undefined {
    const { pnl_micros } = this.#facts;
    const [a, b] = [pnl_micros[one]!, pnl_micros[other]!];
    return areSymmetric(a, b) ? { kind: "pnl", points: LINK_POINTS.pnl, pnl_micros: [a, b] } : undefined;
  }

  #ip(one: number, other: number): Reason | undefined {
    const groups = common(this.#ipsOf, one, other);
    return groups.length === 0 ? undefined : { kind: "ip", points: LINK_POINTS.ip, ips: shown(groups) };
  }
}

function offMark(trades: readonly PairTrades[]): Reason | undefined {
  const found = trades.filter(({ off_mark_micros, grant_micros }) => isOffMark(off_mark_micros, grant_micros));
  if (found.length === 0) return undefined;
  const off_mark_micros = found.reduce((sum, each) => sum + each.off_mark_micros, 0n);
  return { kind: "off_mark", points: LINK_POINTS.off_mark, off_mark_micros };
}

function mostVolume(trades: readonly PairTrades[]): Reason | undefined {
  const found = trades.find(
    ({ volume_micros, total_micros, isWithMaker }) => !isWithMaker && isMostVolume(volume_micros, total_micros),
  );
  if (found === undefined) return undefined;
  const { volume_micros, total_micros } = found;
  return { kind: "volume", points: LINK_POINTS.volume, volume_micros, total_micros };
}

function opposite(trades: readonly PairTrades[]): Reason | undefined {
  const percent = Math.max(0, ...trades.map(({ opposite_percent }) => opposite_percent));
  return percent < OPPOSITE_percent ? undefined : { kind: "opposite", points: LINK_POINTS.opposite, percent };
}

const inOrder = (one: number, other: number): Pair => (one < other ? [one, other] : [other, one]);
const shown = (groups: readonly Group[]) =>
  groups
    .map(({ name }) => name)
    .sort()
    .slice(0, SHOWN_names);

function groupsByWallet(groups: readonly Group[]): Map<number, Group[]> {
  const byWallet = new Map<number, Group[]>();
  for (const group of groups) {
    for (const wallet of group.wallets) {
      const known = byWallet.get(wallet);
      if (known === undefined) byWallet.set(wallet, [group]);
      else known.push(group);
    }
  }
  return byWallet;
}

function common(groupsOf: ReadonlyMap<number, readonly Group[]>, one: number, other: number): Group[] {
  const others = groupsOf.get(other) ?? [];
  return (groupsOf.get(one) ?? []).filter((group) => others.includes(group));
}
