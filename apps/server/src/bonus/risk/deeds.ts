import { areSizesAlike, LIKE_ms } from "./rules.ts";
import { Turns } from "./turns.ts";

/** An order that was filled, or a position that is held: what a wallet did in a market, when and how much. */
export interface Deed {
  /** The wallet's place in the list of wallets. */
  readonly wallet: number;
  readonly market: number;
  /** The engine's number of the side. */
  readonly side: number;
  readonly lots: number;
  readonly time_ms: number;
}

/** How the deeds of two wallets are like each other. */
export interface Likeness {
  /** The lower place first. */
  readonly wallets: readonly [number, number];
  /** Most of them on opposite sides, or on the same one. */
  readonly relation: "mirrored" | "copied";
  /** So many deeds of one have one of the other's for themselves. */
  readonly matched: number;
  /** Of so many, in the order of the wallets. */
  readonly of: readonly [number, number];
}

/** A deed that is like those of so many other wallets is what everybody does: it says nothing of any two of them. */
export const CROWD_wallets = 100;
/** Sizes that are alike are in the same class or in neighbouring ones: a class is wider than 10 %. */
const CLASS_RATIO = 1.12;

interface Place {
  readonly deed: Deed;
  readonly sizeClass: number;
}

const classKey = (market: number, sizeClass: number) => `${market}:${sizeClass}`;
const byTime = (one: Deed, other: Deed) => one.time_ms - other.time_ms;

/** BON-12: wallets whose deeds are like each other's: at least half of those of each, one to one. */
export async function findLikenesses(deeds: readonly Deed[]): Promise<Likeness[]> {
  const turns = new Turns();
  const index = await DeedIndex.of(deeds, turns);
  const telling = new Map<number, Deed[]>();
  const partners = new Map<number, ReadonlySet<number>>();
  for (const [wallet, own] of index.ofWallet) {
    const counts = new Map<number, number>();
    const kept: Deed[] = [];
    for (const place of own) {
      const met = index.walletsLike(place);
      if (met === undefined) continue;
      kept.push(place.deed);
      for (const other of met) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    telling.set(wallet, kept);
    const close = new Set<number>();
    for (const [other, count] of counts) if (2 * count >= own.length) close.add(other);
    partners.set(wallet, close);
    if (turns.isOver) await turns.next();
  }
  return await matchAll(index, telling, partners, turns);
}

async function matchAll(
  index: DeedIndex,
  telling: ReadonlyMap<number, readonly Deed[]>,
  partners: ReadonlyMap<number, ReadonlySet<number>>,
  turns: Turns,
): Promise<Likeness[]> {
  const found: Likeness[] = [];
  for (const [one, others] of partners) {
    for (const other of others) {
      // Each pair once, and only where both sides meet the other often enough.
      if (other < one || partners.get(other)?.has(one) !== true) continue;
      const likeness = match(one, other, index, telling);
      if (likeness !== undefined) found.push(likeness);
    }
    if (turns.isOver) await turns.next();
  }
  return found;
}

function match(
  one: number,
  other: number,
  index: DeedIndex,
  telling: ReadonlyMap<number, readonly Deed[]>,
): Likeness | undefined {
  const of = [index.countOf(one), index.countOf(other)] as const;
  const { matched, opposite } = matchOneToOne(telling.get(one) ?? [], telling.get(other) ?? []);
  if (matched === 0 || 2 * matched < of[0] || 2 * matched < of[1]) return undefined;
  return { wallets: [one, other], relation: 2 * opposite >= matched ? "mirrored" : "copied", matched, of };
}

/** Each deed, in the order of time, takes the first free one of the other's that is like it. */
function matchOneToOne(own: readonly Deed[], others: readonly Deed[]) {
  const taken = new Set<Deed>();
  let opposite = 0;
  for (const deed of own) {
    for (const other of others) {
      if (other.time_ms > deed.time_ms + LIKE_ms) break;
      if (taken.has(other) || other.market !== deed.market || other.time_ms < deed.time_ms - LIKE_ms) continue;
      if (!areSizesAlike(deed.lots, other.lots)) continue;
      taken.add(other);
      if (other.side !== deed.side) opposite += 1;
      break;
    }
  }
  return { matched: taken.size, opposite };
}

/** Deeds by wallet, and by market and size in the order of time. */
class DeedIndex {
  readonly ofWallet = new Map<number, Place[]>();
  readonly #classes = new Map<string, Deed[]>();

  static async of(deeds: readonly Deed[], turns: Turns): Promise<DeedIndex> {
    const index = new DeedIndex();
    for (const deed of deeds) {
      const sizeClass = Math.floor(Math.log(deed.lots) / Math.log(CLASS_RATIO));
      append(index.ofWallet, deed.wallet, { deed, sizeClass });
      append(index.#classes, classKey(deed.market, sizeClass), deed);
      if (turns.isOver) await turns.next();
    }
    for (const own of index.ofWallet.values()) own.sort((one, other) => byTime(one.deed, other.deed));
    for (const alike of index.#classes.values()) {
      alike.sort(byTime);
      if (turns.isOver) await turns.next();
    }
    return index;
  }

  countOf(wallet: number): number {
    return this.ofWallet.get(wallet)?.length ?? 0;
  }

  /** The other wallets that have done the like; undefined where that is a crowd. */
  walletsLike({ deed, sizeClass }: Place): ReadonlySet<number> | undefined {
    const met = new Set<number>();
    for (let near = sizeClass - 1; near <= sizeClass + 1; near += 1) {
      const others = this.#classes.get(classKey(deed.market, near)) ?? [];
      for (let at = firstFrom(others, deed.time_ms - LIKE_ms); at < others.length; at += 1) {
        const other = others[at]!;
        if (other.time_ms > deed.time_ms + LIKE_ms) break;
        if (other.wallet === deed.wallet || !areSizesAlike(deed.lots, other.lots)) continue;
        met.add(other.wallet);
        if (met.size > CROWD_wallets) return undefined;
      }
    }
    return met;
  }
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The first place at or after the time. */
function firstFrom(deeds: readonly Deed[], time_ms: number): number {
  let [low, high] = [0, deeds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (deeds[middle]!.time_ms < time_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
