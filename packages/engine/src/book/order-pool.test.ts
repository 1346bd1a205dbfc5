import assert from "node:assert/strict";
import { test } from "node:test";
import { BUY, SELL } from "./codes.ts";
import { BookFault, MAX_ACCOUNT, MAX_FLAGS, MAX_LOTS, MAX_MARKET, MAX_ORDER_ID, MAX_TICKS } from "./limits.ts";
import { NO_SLOT, OrderPool } from "./order-pool.ts";

test("a taken slot holds what it was given, at the ends of every range too", () => {
  const pool = new OrderPool();
  const smallest = pool.take(1, 0, 0, BUY, 1, 1, 0);
  const largest = pool.take(MAX_ORDER_ID, MAX_ACCOUNT, MAX_MARKET, SELL, MAX_TICKS, MAX_LOTS, MAX_FLAGS);
  const read = (slot: number) => [
    ...[pool.id(slot), pool.account(slot), pool.market(slot), pool.side(slot), pool.ticks(slot)],
    ...[pool.originalLots(slot), pool.remainingLots(slot), pool.flags(slot)],
  ];
  assert.deepEqual(read(smallest), [1, 0, 0, BUY, 1, 1, 1, 0]);
  assert.deepEqual(read(largest), [
    MAX_ORDER_ID,
    MAX_ACCOUNT,
    MAX_MARKET,
    SELL,
    MAX_TICKS,
    MAX_LOTS,
    MAX_LOTS,
    MAX_FLAGS,
  ]);
  assert.equal(pool.taken, 2);
});

test("what lies outside the ranges is refused and takes no slot", () => {
  const pool = new OrderPool();
  const good: readonly number[] = [7, 1, 1, BUY, 100, 5, 0];
  const wrong: readonly (readonly [at: number, value: number])[] = [
    ...[0, 1.5, 1e15, Number.NaN].map((value) => [0, value] as const),
    ...[-1, 0.5, 2 ** 31].map((value) => [1, value] as const),
    ...[-1, 2 ** 16].map((value) => [2, value] as const),
    ...[-1, 2, 0.5].map((value) => [3, value] as const),
    ...[-1, MAX_FLAGS + 1, 0.5].map((value) => [6, value] as const),
    ...[0, -1, 2.5, MAX_TICKS + 1, Number.NaN].map((value) => [4, value] as const),
    ...[0, -5, 0.1, MAX_LOTS + 1, Number.POSITIVE_INFINITY].map((value) => [5, value] as const),
  ];
  for (const [at, value] of wrong) {
    const [id, account, market, side, ticks, lots, flags] = good.with(at, value);
    assert.throws(() => pool.take(id!, account!, market!, side!, ticks!, lots!, flags!), BookFault, `${at}: ${value}`);
  }
  assert.equal(pool.taken, 0);
});

test("each property of a record changes alone", () => {
  const pool = new OrderPool();
  const neighbours = [1, 2, 3].map((id) => pool.take(id, 9, MAX_MARKET, SELL, 100, 5, 0));
  const slot = neighbours[1]!;
  const read = (at: number) => ({
    ...{ id: pool.id(at), account: pool.account(at), market: pool.market(at), side: pool.side(at) },
    ...{ ticks: pool.ticks(at), original: pool.originalLots(at), remaining: pool.remainingLots(at) },
    ...{ flags: pool.flags(at), quote: pool.quote_micros(at), position: pool.position(at) },
    ...{ previous: pool.previous(at), next: pool.next(at) },
    ...{ ownerPrevious: pool.ownerPrevious(at), ownerNext: pool.ownerNext(at) },
  });
  type Property = keyof ReturnType<typeof read>;
  const changes: readonly (readonly [Property, number, () => void])[] = [
    ["ticks", MAX_TICKS, () => pool.setTicks(slot, MAX_TICKS)],
    ["original", MAX_LOTS, () => pool.setOriginalLots(slot, MAX_LOTS)],
    ["remaining", MAX_LOTS - 1, () => pool.setRemainingLots(slot, MAX_LOTS - 1)],
    ["flags", MAX_FLAGS, () => pool.setFlags(slot, MAX_FLAGS)],
    ["flags", 1, () => pool.setFlags(slot, 1)],
    ["quote", 2 ** 52, () => pool.addQuote(slot, 2 ** 52)],
    ["quote", 2 ** 52 + 1, () => pool.addQuote(slot, 1)],
    ["position", 2 ** 31 - 1, () => pool.setPosition(slot, 2 ** 31 - 1)],
    ["previous", 11, () => pool.setPrevious(slot, 11)],
    ["next", 12, () => pool.setNext(slot, 12)],
    ["ownerPrevious", 13, () => pool.setOwnerPrevious(slot, 13)],
    ["ownerNext", 14, () => pool.setOwnerNext(slot, 14)],
  ];
  const around = [read(neighbours[0]!), read(neighbours[2]!)];
  for (const [property, value, change] of changes) {
    const before = read(slot);
    change();
    assert.deepEqual(read(slot), { ...before, [property]: value });
  }
  assert.deepEqual([read(neighbours[0]!), read(neighbours[2]!)], around);
  for (const flags of [-1, MAX_FLAGS + 1, 0.5]) assert.throws(() => pool.setFlags(slot, flags), BookFault);
  assert.equal(pool.flags(slot), 1);
});

test("a slot taken again starts without the quote, the position and the owner of the one before", () => {
  const pool = new OrderPool();
  const slot = pool.take(1, 1, 1, BUY, 100, 5, 3);
  pool.addQuote(slot, 500);
  pool.setPosition(slot, 4);
  pool.setOwnerPrevious(slot, 5);
  pool.setOwnerNext(slot, 6);
  pool.release(slot);
  assert.equal(pool.take(2, 1, 1, SELL, 100, 5, 0), slot);
  const fresh = [pool.quote_micros(slot), pool.position(slot), pool.ownerPrevious(slot), pool.ownerNext(slot)];
  assert.deepEqual([...fresh, pool.side(slot), pool.flags(slot)], [0, 0, 0, 0, SELL, 0]);
});

test("released slots are taken again before new ones, and a double release is a fault", () => {
  const pool = new OrderPool();
  const slots = [1, 2, 3].map((id) => pool.take(id, 1, 1, BUY, 100, 5, 0));
  assert.deepEqual(slots, [1, 2, 3]);
  pool.release(2);
  pool.release(1);
  assert.throws(() => pool.release(1), BookFault);
  assert.throws(() => pool.release(NO_SLOT), BookFault);
  assert.throws(() => pool.release(99), BookFault);
  assert.deepEqual(
    [4, 5, 6].map((id) => pool.take(id, 1, 1, BUY, 100, 5, 0)),
    [1, 2, 4],
  );
});

test("growing keeps every order and resizes columns kept elsewhere before the new slot is taken", () => {
  const pool = new OrderPool();
  let column = new Float64Array(0);
  const capacities: number[] = [];
  pool.onGrow((capacity) => {
    capacities.push(capacity);
    const larger = new Float64Array(capacity);
    larger.set(column);
    column = larger;
  });
  const count = 5000;
  for (let id = 1; id <= count; id++) {
    const slot = pool.take(id, id, 1, id % 2, id, id * 2, 0);
    assert.ok(slot < column.length);
    column[slot] = id;
  }
  assert.deepEqual(capacities, [1024, 2048, 4096, 8192]);
  assert.equal(pool.capacity, 8192);
  for (let slot = 1; slot <= count; slot++) {
    assert.equal(pool.id(slot), column[slot]);
    assert.equal(pool.ticks(slot), slot);
    assert.equal(pool.remainingLots(slot), slot * 2);
  }
});
