import { areSizesAlike, LIKE_ms } from "./rules.ts";
import { Turns } from "./turns.ts";

/** A filled order or an open position of a wallet: market, side, time and size. */
export interface Activity {
  /** The wallet's index in the list of wallets. */
  readonly wallet: number;
  readonly market: number;
  /** The engine's number of the side. */
  readonly side: number;
  readonly lots: number;
  readonly time_ms: number;
}

/** The similarity of two wallets' activities. */
export interface Similarity {
  /** The lower index first. */
  readonly wallets: readonly [number, number];
  /** Whether most of the matched activities are on opposite sides or on the same side. */
  readonly relation: "mirrored" | "copied";
  /** The number of activities matched one to one. */
  readonly matched: number;
  /** The number of activities of each wallet, in the order of `wallets`. */
  readonly of: readonly [number, number];
}

/** An activity similar to those of more wallets than this is common behaviour: it does not link any two of them. */
export const CROWD_wallets = 100;
/** Similar sizes are in the same or in neighbouring classes: a class is wider than 10 %. */
const CLASS_RATIO = 1.12;

interface Place {
  readonly activity: Activity;
  readonly sizeClass: number;
}

const classKey = (market: number, sizeClass: number) => `${market}:${sizeClass}`;
const byTime = (one: Activity, other: Activity) => one.time_ms - other.time_ms;

/** BON-12: finds pairs of wallets of which at least half of the activities of each match one to one. */
export async function findSimilarities(activities: readonly Activity[]): Promise<Similarity[]> {
  const turns = new Turns();
  const index = await ActivityIndex.of(activities, turns);
  const distinctive = new Map<number, Activity[]>();
  const partners = new Map<number, ReadonlySet<number>>();
  for (const [wallet, own] of index.ofWallet) {
    const counts = new Map<number, number>();
    const kept: Activity[] = [];
    for (const place of own) {
      const met = index.walletsLike(place);
      if (met === undefined) continue;
      kept.push(place.activity);
      for (const other of met) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    distinctive.set(wallet, kept);
    const close = new Set<number>();
    for (const [other, count] of counts) if (2 * count >= own.length) close.add(other);
    partners.set(wallet, close);
    if (turns.isOver) await turns.next();
  }
  return await matchAll(index, distinctive, partners, turns);
}

async function matchAll(
  index: ActivityIndex,
  distinctive: ReadonlyMap<number, readonly Activity[]>,
  partners: ReadonlyMap<number, ReadonlySet<number>>,
  turns: Turns,
): Promise<Similarity[]> {
  const found: Similarity[] = [];
  for (const [one, others] of partners) {
    for (const other of others) {
      // Each pair once, and only if each of the two meets the other often enough.
      if (other < one || partners.get(other)?.has(one) !== true) continue;
      const similarity = match(one, other, index, distinctive);
      if (similarity !== undefined) found.push(similarity);
    }
    if (turns.isOver) await turns.next();
  }
  return found;
}

function match(
  one: number,
  other: number,
  index: ActivityIndex,
  distinctive: ReadonlyMap<number, readonly Activity[]>,
): Similarity | undefined {
  const of = [index.countOf(one), index.countOf(other)] as const;
  const { matched, opposite } = matchOneToOne(distinctive.get(one) ?? [], distinctive.get(other) ?? []);
  if (matched === 0 || 2 * matched < of[0] || 2 * matched < of[1]) return undefined;
  return { wallets: [one, other], relation: 2 * opposite >= matched ? "mirrored" : "copied", matched, of };
}

/** Each activity, in the order of time, takes the first free similar activity of the other wallet. */
function matchOneToOne(own: readonly Activity[], others: readonly Activity[]) {
  const taken = new Set<Activity>();
  let opposite = 0;
  for (const activity of own) {
    for (const other of others) {
      if (other.time_ms > activity.time_ms + LIKE_ms) break;
      if (taken.has(other) || other.market !== activity.market || other.time_ms < activity.time_ms - LIKE_ms) continue;
      if (!areSizesAlike(activity.lots, other.lots)) continue;
      taken.add(other);
      if (other.side !== activity.side) opposite += 1;
      break;
    }
  }
  return { matched: taken.size, opposite };
}

/** Activities by wallet, and by market and size class in the order of time. */
class ActivityIndex {
  readonly ofWallet = new Map<number, Place[]>();
  readonly #classes = new Map<string, Activity[]>();

  static async of(activities: readonly Activity[], turns: Turns): Promise<ActivityIndex> {
    const index = new ActivityIndex();
    for (const activity of activities) {
      const sizeClass = Math.floor(Math.log(activity.lots) / Math.log(CLASS_RATIO));
      append(index.ofWallet, activity.wallet, { activity, sizeClass });
      append(index.#classes, classKey(activity.market, sizeClass), activity);
      if (turns.isOver) await turns.next();
    }
    for (const own of index.ofWallet.values()) own.sort((one, other) => byTime(one.activity, other.activity));
    for (const alike of index.#classes.values()) {
      alike.sort(byTime);
      if (turns.isOver) await turns.next();
    }
    return index;
  }

  countOf(wallet: number): number {
    return this.ofWallet.get(wallet)?.length ?? 0;
  }

  /** The other wallets with a similar activity; undefined if they are more than CROWD_wallets. */
  walletsLike({ activity, sizeClass }: Place): ReadonlySet<number> | undefined {
    const met = new Set<number>();
    for (let near = sizeClass - 1; near <= sizeClass + 1; near += 1) {
      const others = this.#classes.get(classKey(activity.market, near)) ?? [];
      for (let at = firstFrom(others, activity.time_ms - LIKE_ms); at < others.length; at += 1) {
        const other = others[at]!;
        if (other.time_ms > activity.time_ms + LIKE_ms) break;
        if (other.wallet === activity.wallet || !areSizesAlike(activity.lots, other.lots)) continue;
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

/** The first index at or after the time. */
function firstFrom(activities: readonly Activity[], time_ms: number): number {
  let [low, high] = [0, activities.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (activities[middle]!.time_ms < time_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
