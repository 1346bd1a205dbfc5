import type { Link, RiskWallet } from "./links.ts";

/** Wallets connected by links. */
export interface Cluster {
  /** Ordered by address; the first address names the cluster. */
  readonly wallets: readonly string[];
  readonly max_score: number;
}

/** Disjoint sets of wallets (union-find); each set has one of its wallets as its leader. */
class Joined {
  readonly #places = new Map<RiskWallet, number>();
  readonly #leaders: number[] = [];

  /** The leader's index, which changes when sets are joined. */
  leaderOf(wallet: RiskWallet): number {
    let place = this.#places.get(wallet);
    if (place === undefined) {
      place = this.#leaders.length;
      this.#places.set(wallet, place);
      this.#leaders.push(place);
    }
    while (this.#leaders[place] !== place) {
      // Path halving: the next search on this path is half as long.
      this.#leaders[place] = this.#leaders[this.#leaders[place]!]!;
      place = this.#leaders[place]!;
    }
    return place;
  }

  join(one: RiskWallet, other: RiskWallet): void {
    this.#leaders[this.leaderOf(one)] = this.leaderOf(other);
  }

  get wallets(): Iterable<RiskWallet> {
    return this.#places.keys();
  }
}

/** BON-12: the clusters joined by links of at least this score: highest score first, then largest. */
export function clustersOf(links: readonly Link[], min_score: number): Cluster[] {
  const joined = new Joined();
  const counted = links.filter(({ score }) => score >= min_score);
  for (const { wallets } of counted) joined.join(...wallets);
  const members = new Map<number, { wallets: string[]; max_score: number }>();
  for (const wallet of joined.wallets) {
    const leader = joined.leaderOf(wallet);
    const known = members.get(leader);
    if (known === undefined) members.set(leader, { wallets: [wallet.address], max_score: 0 });
    else known.wallets.push(wallet.address);
  }
  for (const { wallets, score } of counted) {
    const cluster = members.get(joined.leaderOf(wallets[0]))!;
    cluster.max_score = Math.max(cluster.max_score, score);
  }
  for (const { wallets } of members.values()) wallets.sort();
  return [...members.values()].sort(
    (one, other) => other.max_score - one.max_score || other.wallets.length - one.wallets.length || byName(one, other),
  );
}

/** The clusters of a report: those proposed for freezing are exactly what `freeze-linked` freezes; weaker links join the others. */
export function shownClusters(links: readonly Link[], proposed_score: number, min_score: number): Cluster[] {
  const proposed = clustersOf(links, Math.max(proposed_score, min_score));
  const taken = new Set(proposed.flatMap(({ wallets }) => wallets));
  const rest = links.filter(({ wallets }) => wallets.every(({ address }) => !taken.has(address)));
  return [...proposed, ...clustersOf(rest, min_score)];
}

const byName = (one: Cluster, other: Cluster) => (one.wallets[0]! < other.wallets[0]! ? -1 : 1);

/** The cluster of this wallet, the wallet included. */
export function clusterOf(links: readonly Link[], min_score: number, address: string): readonly string[] {
  return clustersOf(links, min_score).find(({ wallets }) => wallets.includes(address))?.wallets ?? [address];
}
