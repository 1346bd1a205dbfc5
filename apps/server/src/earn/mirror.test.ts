import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toHex } from "viem";
import { type EarnEvent, Mirror, MirrorFault, positionId } from "./mirror.ts";

const ALICE = "0x00000000000000000000000000000000000000Aa";
const BOB = "0x00000000000000000000000000000000000000bB";
const TERMS = {
  annualRateBps: 1_200,
  durationSeconds: 2_592_000,
  totalQuota: 10n ** 12n,
  minAmount: 1n,
  maxAmountPerUser: 10n ** 12n,
  subscribeStart: 1_000,
  subscribeEnd: 2_000,
};
const NEW_TERMS = { ...TERMS, annualRateBps: 2_400 };

/** Takes names and arguments only; the events' locations on chain follow from their index in the list. */
function eventsOf(...happened: readonly Pick<EarnEvent, "name" | "args">[]): EarnEvent[] {
  return happened.map((event, place) => {
    const hash = toHex(place + 1, { size: 32 });
    const where = { blockNumber: place, blockHash: hash, blockTime_ms: place * 1_000, transactionHash: hash };
    return { contract: "earn", ...where, logIndex: 0, ordinal: 0, ...event } as EarnEvent;
  });
}

const digest = toHex(0, { size: 32 });
const settledStory = eventsOf(
  { name: "ProductCreated", args: { productId: 1n, terms: TERMS } },
  { name: "ProductUpdated", args: { productId: 1n, oldTerms: TERMS, newTerms: NEW_TERMS } },
  { name: "Subscribed", args: { user: ALICE, productId: 1n, amount: 1_000_000_001n, tokenId: 1n, digest } },
  { name: "Subscribed", args: { user: BOB, productId: 1n, amount: 500n, tokenId: 2n, digest } },
  { name: "Subscribed", args: { user: ALICE, productId: 1n, amount: 7n, tokenId: 1n, digest } },
  {
    name: "ProductFunded",
    args: { productId: 1n, funder: BOB, amount: 20_000_000n, oldFunded: 0n, newFunded: 20_000_000n },
  },
  {
    name: "ProductSettled",
    args: { productId: 1n, principal: 1_000_000_508n, interest: 19_726_036n, funded: 20_000_000n },
  },
  {
    name: "Claimed",
    args: { user: ALICE, productId: 1n, principal: 1_000_000_008n, interest: 19_726_027n, tokenId: 1n },
  },
  { name: "ExcessWithdrawn", args: { productId: 1n, to: BOB, amount: 273_964n, oldFunded: 273_973n, newFunded: 9n } },
  { name: "Claimed", args: { user: BOB, productId: 1n, principal: 500n, interest: 9n, tokenId: 2n } },
);
const cancelledStory = eventsOf(
  { name: "ProductCreated", args: { productId: 2n, terms: TERMS } },
  { name: "Subscribed", args: { user: ALICE, productId: 2n, amount: 100n, tokenId: 3n, digest } },
  { name: "ProductCancelled", args: { productId: 2n, principal: 100n, funded: 0n } },
  { name: "EmergencyClaimed", args: { user: ALICE, productId: 2n, principal: 100n, tokenId: 3n } },
);

const books = (mirror: Mirror) => structuredClone({ products: mirror.products, positions: mirror.positions });

describe("the mirror of the contract's books", () => {
  it("ERN-8: counts what each event says", () => {
    const mirror = new Mirror();
    for (const event of settledStory.slice(0, 7)) mirror.apply(event);
    const { subscriberCount, subscribed, principal, interestOwed, funded, status } = mirror.products.get(1n)!;
    assert.deepEqual([subscriberCount, subscribed, principal, status], [2, 1_000_000_508n, 1_000_000_508n, "settled"]);
    assert.deepEqual([interestOwed, funded], [19_726_036n, 20_000_000n], "each position's own interest, rounded down");
    for (const event of settledStory.slice(7)) mirror.apply(event);
    const left = mirror.products.get(1n)!;
    assert.deepEqual([left.principal, left.interestOwed, left.funded, left.subscribed], [0n, 0n, 0n, 1_000_000_508n]);
    const alice = mirror.positions.get(positionId(1n, ALICE.toLowerCase() as `0x${string}`))!;
    assert.equal(alice.subscribeTxHash, settledStory[2]!.transactionHash);
    assert.deepEqual(alice.claim, { transactionHash: settledStory[7]!.transactionHash, time_ms: 7_000 });
  });

  for (const [name, story] of Object.entries({ settled: settledStory, cancelled: cancelledStory })) {
    it(`ERN-9: every event of a product that was ${name} is taken back exactly`, () => {
      const mirror = new Mirror();
      const before: ReturnType<typeof books>[] = [];
      for (const event of story) {
        before.push(books(mirror));
        mirror.apply(event);
      }
      const end = books(mirror);
      for (const [place, event] of [...story.entries()].reverse()) {
        mirror.undo(event);
        assert.deepEqual(books(mirror), before[place], event.name);
      }
      for (const event of story) mirror.apply(event);
      assert.deepEqual(books(mirror), end, "and comes again as it was");
    });
  }

  it("events that do not fit the books are an error, not a guess", () => {
    const mirror = new Mirror();
    const [created, , subscribed] = settledStory;
    assert.throws(() => mirror.apply(subscribed!), MirrorFault);
    mirror.apply(created!);
    assert.throws(() => mirror.apply(created!), MirrorFault);
    assert.throws(() => mirror.apply(settledStory[7]!), MirrorFault);
    mirror.apply(subscribed!);
    assert.throws(() => mirror.apply(settledStory[7]!), /holds 1000000001, but 1000000008 was paid out/);
  });
});
