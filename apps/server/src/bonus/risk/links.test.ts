import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { clusterOf, clustersOf } from "./clusters.ts";
import { linkedHolds } from "./linked-holds.ts";
import { type Facts, findLinks, type Group, MAX_PAIRED_wallets, type PairTrades, type RiskWallet } from "./links.ts";

const USDT = 1_000_000n;
const START_ms = Date.UTC(2026, 5, 1);
const addressOf = (place: number) => `0x${place.toString(16).padStart(40, "0")}`;

const wallets = (count: number): RiskWallet[] =>
  Array.from({ length: count }, (_, place) => ({
    address: addressOf(place),
    account: place + 1,
    status: "active",
    granted_ms: START_ms,
  }));

const facts = (count: number, more: Partial<Facts> = {}): Facts => ({
  wallets: wallets(count),
  pnl_micros: Array.from({ length: count }, () => 0n),
  sources: [],
  ips: [],
  orders: [],
  positions: [],
  trades: [],
  ...more,
});

const group = (name: string, ...members: number[]): Group => ({ name, wallets: members });
const order = (wallet: number, side: number = BUY, lots = 100) => ({
  wallet,
  market: 0,
  side,
  lots,
  time_ms: START_ms,
});
const all = (count: number) => Array.from({ length: count }, (_, place) => place);

/** Pairs with their scores. */
async function scores(known: Facts): Promise<Record<string, number>> {
  const links = await findLinks(known);
  return Object.fromEntries(
    links.map(({ wallets: [one, other], score }) => [`${Number(one.address)}-${Number(other.address)}`, score]),
  );
}

describe("links between wallets", () => {
  const source = group("0xsource", 0, 1);
  const ip = group("203.0.113.7", 0, 1);
  const mirrored = [order(0), order(1, SELL)];
  const symmetric = [10n * USDT, -10n * USDT];

  it("BON-12: every combination of reasons has its score, and is listed from 50 on", async () => {
    for (let set = 0; set < 16; set += 1) {
      const has = (bit: number) => (set & bit) !== 0;
      const known = facts(2, {
        ...(has(1) ? { sources: [source] } : {}),
        ...(has(2) ? { orders: mirrored } : {}),
        ...(has(4) ? { pnl_micros: symmetric } : {}),
        ...(has(8) ? { ips: [ip] } : {}),
      });
      const score = (has(1) ? 40 : 0) + (has(2) ? 30 : 0) + (has(4) ? 20 : 0) + (has(8) ? 10 : 0);
      assert.deepEqual(await scores(known), score >= 50 ? { "0-1": score } : {}, `set ${set}`);
    }
  });

  const trades = (more: Partial<PairTrades> = {}): PairTrades => ({
    ...{ bonus: 0, other: 1, grant_micros: 500n * USDT, volume_micros: 0n, total_micros: 1_000n * USDT },
    ...{ off_mark_micros: 0n, isWithMaker: false, opposite_percent: 0, ...more },
  });
  const pairOf = (more: Partial<PairTrades>, rest: Partial<Facts> = {}) =>
    scores(facts(2, { trades: [trades(more)], ...rest }));

  it("BON-12: off-mark money is 40, most of the volume 20, opposite positions 30, and they add up with the others", async () => {
    const unfair = { off_mark_micros: 10n * USDT };
    const most = { volume_micros: 500n * USDT };
    const held = { opposite_percent: 50 };
    assert.deepEqual(await pairOf({ ...unfair }), {});
    assert.deepEqual(await pairOf({ ...unfair }, { ips: [ip] }), { "0-1": 50 });
    assert.deepEqual(await pairOf({ ...unfair, ...most }), { "0-1": 60 });
    assert.deepEqual(await pairOf({ ...most, ...held }), { "0-1": 50 });
    assert.deepEqual(await pairOf({ ...unfair, ...most, ...held }), { "0-1": 90 });
    assert.deepEqual(await pairOf({ ...unfair, ...most, ...held }, { sources: [source] }), { "0-1": 100 });
  });

  it("BON-12: opposite positions and mirrored orders are one reason", async () => {
    assert.deepEqual(await pairOf({ off_mark_micros: 10n * USDT, opposite_percent: 90 }, { orders: mirrored }), {
      "0-1": 70,
    });
  });

  it("BON-12: a market maker on the list has everybody's volume, which says nothing", async () => {
    const unfair = { off_mark_micros: 10n * USDT, volume_micros: 900n * USDT };
    assert.deepEqual(await pairOf({ ...unfair, isWithMaker: true }), {});
    assert.deepEqual(await pairOf(unfair), { "0-1": 60 });
  });

  it("BON-12: a wallet without a bonus is scored with one that has or had one, and not with another without", async () => {
    const [bonus, clean, other] = wallets(3);
    const known = facts(3, {
      wallets: [bonus!, { ...clean!, status: "none" }, { ...other!, status: "none" }],
      sources: [group("0xsource", 0, 1, 2)],
      ips: [group("ip", 0, 1, 2)],
    });
    assert.deepEqual(await scores(known), { "0-1": 50, "0-2": 50 });
  });

  it("BON-12: each of a pair is held to what it has gained, once, to the largest of its links", async () => {
    const known = facts(3, {
      sources: [group("0xsource", 0, 1, 2)],
      ips: [group("ip", 0, 1, 2)],
      pnl_micros: [70n * USDT, -5n * USDT, 9n * USDT],
    });
    const holds = linkedHolds({ links: await findLinks(known) });
    assert.deepEqual(
      holds.map(({ ref, account, amount_micros }) => [ref, account, amount_micros]),
      [
        ["linked-bonus:1", 1, 70n * USDT],
        ["linked-bonus:3", 3, 9n * USDT],
      ],
    );
  });

  it("BON-12: a pair says why, in the order of its wallets", async () => {
    const orders = [...mirrored, order(1, BUY, 7)];
    const [link] = await findLinks(facts(2, { sources: [source], ips: [ip], pnl_micros: symmetric, orders }));
    assert.deepEqual(
      link?.wallets.map(({ address }) => address),
      [addressOf(0), addressOf(1)],
    );
    assert.deepEqual(link?.reasons, [
      { kind: "funding", points: 40, sources: ["0xsource"], is_direct: false, wallets_funded: 2 },
      { kind: "mirrored", points: 30, relation: "mirrored", basis: "orders", matched: 1, of: [1, 2] },
      { kind: "pnl", points: 20, pnl_micros: [10n * USDT, -10n * USDT] },
      { kind: "ip", points: 10, ips: ["203.0.113.7"] },
    ]);
  });

  it("BON-12: the highest score comes first, then the order of addresses", async () => {
    const known = facts(30, {
      sources: [group("0xa", 5, 11, 20), group("0xb", 2, 3)],
      ips: [group("ip", ...all(30))],
      orders: [order(5), order(20)],
    });
    const order_ = (await findLinks(known)).map(({ wallets: [one, other], score }) => [
      score,
      Number(one.address),
      Number(other.address),
    ]);
    assert.deepEqual(order_, [
      [80, 5, 20],
      [50, 2, 3],
      [50, 5, 11],
      [50, 11, 20],
    ]);
  });

  it("BON-12: positions count as orders do, and both together count once", async () => {
    assert.deepEqual(await scores(facts(2, { sources: [source], positions: mirrored })), { "0-1": 70 });
    const [link] = await findLinks(facts(2, { sources: [source], positions: mirrored, orders: mirrored }));
    assert.equal(link?.score, 70);
  });

  it("BON-12: a wallet that has paid the other is its source", async () => {
    const [link] = await findLinks(facts(2, { sources: [group(addressOf(0), 0, 1)], ips: [ip] }));
    const [funding] = link?.reasons ?? [];
    assert.ok(funding?.kind === "funding" && funding.is_direct);
  });

  it("BON-12: several common sources and IPs count once", async () => {
    const sources = [source, group("0xother", 0, 1), group("0xthird", 0)];
    const ips = [ip, group("203.0.113.8", 0, 1)];
    const [link] = await findLinks(facts(2, { sources, ips }));
    assert.equal(link?.score, 50);
    assert.deepEqual(
      link?.reasons.map((reason) => ("sources" in reason ? reason.sources : "ips" in reason ? reason.ips : [])),
      [
        ["0xother", "0xsource"],
        ["203.0.113.7", "203.0.113.8"],
      ],
    );
  });

  it("BON-12: a large group with one source and one IP is one cluster, and not all of its pairs", async () => {
    const count = 3_000;
    const known = facts(count, { sources: [group("0xhot", ...all(count))], ips: [group("ip", ...all(count))] });
    const links = await findLinks(known);
    assert.equal(links.length, count - 1);
    const clusters = clustersOf(links, 50);
    assert.deepEqual(
      clusters.map((cluster) => [cluster.wallets.length, cluster.max_score]),
      [[count, 50]],
    );
  });

  it("BON-12: a small group is looked at pair by pair, a large one finds symmetric PnL as well", async () => {
    const small = facts(MAX_PAIRED_wallets, {
      sources: [group("0xs", ...all(MAX_PAIRED_wallets))],
      ips: [group("ip", ...all(MAX_PAIRED_wallets))],
    });
    assert.equal((await findLinks(small)).length, (MAX_PAIRED_wallets * (MAX_PAIRED_wallets - 1)) / 2);
    const count = 400;
    const pnl_micros = all(count).map((place) => (place % 2 === 0 ? 1n : -1n) * BigInt(1 + (place >> 1)) * 10n * USDT);
    const large = await scores(facts(count, { sources: [group("0xs", ...all(count))], pnl_micros }));
    for (let place = 0; place < count; place += 2) assert.equal(large[`${place}-${place + 1}`], 60, `${place}`);
  });

  it("BON-12: everybody's hot wallet and one IP for many strangers list nobody by themselves", async () => {
    const count = 300;
    assert.deepEqual(await scores(facts(count, { sources: [group("0xhot", ...all(count))] })), {});
    assert.deepEqual(await scores(facts(count, { ips: [group("ip", ...all(count))] })), {});
  });

  it("BON-12: clusters hang together by links of at least the score", async () => {
    // 0–1 at 90, 1–2 at 50, 3–4 at 60.
    const known = facts(6, {
      sources: [group("0xa", 0, 1, 2), group("0xb", 3, 4)],
      orders: mirrored,
      pnl_micros: [10n * USDT, -10n * USDT, 0n, 5n * USDT, -5n * USDT, 0n],
      ips: [group("ip", 1, 2)],
    });
    const links = await findLinks(known);
    assert.deepEqual(
      clustersOf(links, 50).map((cluster) => [cluster.max_score, cluster.wallets.map(Number)]),
      [
        [90, [0, 1, 2]],
        [60, [3, 4]],
      ],
    );
    assert.deepEqual(
      clustersOf(links, 80).map((cluster) => cluster.wallets.map(Number)),
      [[0, 1]],
    );
    assert.deepEqual(clusterOf(links, 50, addressOf(2)).map(Number), [0, 1, 2]);
    assert.deepEqual(clusterOf(links, 80, addressOf(2)).map(Number), [2], "alone");
    assert.deepEqual(clusterOf(links, 50, addressOf(5)).map(Number), [5]);
  });
});
