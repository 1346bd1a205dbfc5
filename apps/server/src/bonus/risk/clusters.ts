import type { Link, RiskWallet } from "./links.ts";

/** Wallets that hang together by links. */
export interface Cluster {
  /** In the order of addresses; the first one names the cluster. */
  readonly wallets: readonly string[];
  readonly max_score: number;
}

/** Sets of wallets that grow together; each has one of its wallets as its leader. */
class Joined {
  readonly #places = new Map<RiskWallet, number>();
  readonly #leaders: number[] = [];

  /** The leader's place, which changes when sets are joined. */
  leaderOf(wallet: RiskWallet): number {
    let place = this.#places.get(wallet);
    if (place === undefined) {
      place = this.#leaders.length;
      this.#places.set(wallet, place);
      this.#leaders.push(place);
    }
    while (this.#leaders[place] !== place) {
      // Whoever comes this way next has half of it.
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

/** BON-12: what links of at least this score join, the highest score first, then the largest. */
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

/**
 * What is shown: clusters to be frozen are those that `freeze-linked` freezes; of the others, what weaker links join.
 */
export function shownClusters(links: readonly Link[], proposed_score: number, min_score: number): Cluster[] {
  const proposed = clustersOf(links, Math.max(proposed_score, min_score));
  const taken = new Set(proposed.flatMap(({ wallets }) => wallets));
  const rest = links.filter(({ wallets }) => wallets.every(({ address }) => !taken.has(address)));
  return [...proposed, ...clustersOf(rest, min_score)];
}

const byName = (one: Cluster, other: Cluster) => (one.wallets[0]! < other.wallets[0]! ? -1 : 1);

/** The wallets that hang together with this one, itself among them. */
export function clusterOf(links: readonly Link[], min_score: number, address: string): readonly string[] {
  return clustersOf(links, min_score).find(({ wallets }) => wallets.includes(address))?.wallets ?? [address];
}
