import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MARKET_RULE_NAMES } from "../rules/market-rules.ts";
import { NEXT_RULES } from "../rules/version.ts";
import { FLAG_CALLED, FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, FLAG_OWES } from "../state/accounts.ts";
import type { Conditional } from "../state/conditionals.ts";
import { ORDER_HAS_NAME } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { ContentHash } from "./content-hash.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import { stateHash } from "./state-hash.ts";
import { busyEngine } from "./testing/busy-engine.ts";

type Change = (state: State) => void;

/** Has everything that earlier versions have, too. */
const SNAPSHOT = writeSnapshot(busyEngine(42, 1_500, NEXT_RULES).engine.state);
const ACCOUNT = 7;
const MARKET = 1;

const freshState = () => readSnapshot(SNAPSHOT).state;

/** A resting order with a client id, and an entry with several orders, which every change below needs. */
function namedOrder({ markets, pool }: State): number {
  let found = 0;
  for (const { book } of markets) {
    book.forEachResting((slot) => {
      if ((pool.flags(slot) & ORDER_HAS_NAME) !== 0) found = slot;
    });
  }
  assert.notEqual(found, 0);
  return found;
}

function swapFirstOrders(state: State): void {
  const { positions, pool } = state;
  let position = 1;
  while (positions.orders(position) < 2) position += 1;
  const first = positions.firstOrder(position);
  const second = pool.ownerNext(first);
  const third = pool.ownerNext(second);
  positions.setFirstOrder(position, second);
  pool.setOwnerNext(second, first);
  pool.setOwnerNext(first, third);
}

const STATE_CHANGES: Record<string, Change> = {
  "command number": (state) => (state.commandNumber += 1),
  time: (state) => (state.time_ms += 1),
  day: (state) => (state.day += 1),
  "external number": (state) => (state.externalNumber += 1),
  "last order id": (state) => (state.lastOrderId += 1),
  deposits: ({ totals }) => (totals.deposits_micros += 1n),
  withdrawals: ({ totals }) => (totals.withdrawals_micros += 1n),
  payouts: ({ totals }) => (totals.payouts_micros += 1n),
  seeds: ({ totals }) => (totals.seeds_micros += 1n),
  granted: ({ totals }) => (totals.granted_micros += 1n),
  returned: ({ totals }) => (totals.returned_micros += 1n),
  "fee account": ({ totals }) => totals.addFees(1),
  "a market's status": ({ markets }) => (markets[MARKET]!.status = 2),
  "a market's mark": ({ markets }) => (markets[MARKET]!.markTicks += 1),
  "a market's index": ({ markets }) => (markets[MARKET]!.indexTicks += 1),
  "a market's last price": ({ markets }) => (markets[MARKET]!.lastTicks += 1),
  "a market's trades": ({ markets }) => (markets[MARKET]!.trades += 1),
  "a market's funding hour": ({ markets }) => (markets[MARKET]!.fundingHour += 1),
};

const ACCOUNT_CHANGES: Record<string, Change> = {
  "the fund's principal": ({ accounts }) => accounts.addPrincipal(0, 1),
  principal: ({ accounts }) => accounts.addPrincipal(ACCOUNT, 1),
  "principal below zero": ({ accounts }) => accounts.setPrincipal(ACCOUNT, -accounts.principal(ACCOUNT)),
  bonus: ({ accounts }) => accounts.setBonus(ACCOUNT, accounts.bonus(ACCOUNT) + 1),
  "in flight": ({ accounts }) => accounts.setInFlight(ACCOUNT, accounts.inFlight(ACCOUNT) + 1),
  consumed: ({ accounts }) => accounts.setConsumed(ACCOUNT, accounts.consumed(ACCOUNT) + 1),
  locked: ({ accounts }) => accounts.setLocked(ACCOUNT, accounts.locked(ACCOUNT) + 1),
  expiry: ({ accounts }) => accounts.setExpires_ms(ACCOUNT, accounts.expires_ms(ACCOUNT) + 1),
  terms: ({ accounts }) => accounts.setTermsVersion(ACCOUNT, accounts.termsVersion(ACCOUNT) + 1),
  "whose terms": ({ accounts }) => accounts.setTermsLeader(ACCOUNT, accounts.termsLeader(ACCOUNT) + 1),
  tier: ({ accounts }) => accounts.setTier(ACCOUNT, accounts.tier(ACCOUNT) + 1),
  discount: ({ accounts }) => accounts.setDiscount_bps(ACCOUNT, accounts.discount_bps(ACCOUNT) + 1),
  "bonus state": ({ accounts }) => accounts.setBonusState(ACCOUNT, accounts.bonusState(ACCOUNT) + 1),
  "bonus leverage": ({ accounts }) => accounts.setBonusLeverage(ACCOUNT, accounts.bonusLeverage(ACCOUNT) + 1),
  "a new account": ({ accounts }) => accounts.open(),
  ...Object.fromEntries(
    [FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, FLAG_CALLED, FLAG_OWES].map((flag) => [
      `flag ${flag}`,
      ({ accounts }: State) =>
        accounts.hasFlag(ACCOUNT, flag) ? accounts.lowerFlag(ACCOUNT, flag) : accounts.raiseFlag(ACCOUNT, flag),
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 31 }, (_, age) => [
      `volume ${age} days ago`,
      ({ accounts, day }: State) => {
        accounts.volumes[accounts.volumesAt(ACCOUNT) + ((day - age) % 31)]! += 1;
      },
    ]),
  ),
};

const FAIR_CHANGES: Record<string, Change> = {
  "the fund's hour": ({ fundHours }) => (fundHours.hour += 1),
  "the fund's equity at its start": ({ fundHours }) => (fundHours.start_micros += 1),
  "the fund's highest equity": ({ fundHours }) => (fundHours.highs.at(-1)!.highest_micros += 1),
  "what the fund realised": ({ markets }) => (markets[MARKET]!.fund.realised_micros += 1),
  "what the fund was worth": ({ markets }) => (markets[MARKET]!.fund.worthAtStart_micros += 1),
  "since when the fund holds": ({ markets }) => (markets[MARKET]!.fund.since_ms += 1),
  "when the fund unwound": ({ markets }) => (markets[MARKET]!.fund.unwound_s += 1),
  "until when it is capped": ({ markets }) => (markets[MARKET]!.fund.cappedUntil_ms += 1),
  "who stopped it": ({ markets }) => (markets[MARKET]!.fund.isStopped = true),
  "the index of a second": ({ markets, time_ms }) =>
    markets[MARKET]!.indexWindow.note(Math.floor(time_ms / 1000), 2 ** 23),
  "a bonus's fair prices": ({ fairness }) =>
    fairness.bonuses.set(ACCOUNT, { grant_micros: 1, slip_micros: 2, own_micros: 3, owed_micros: 4 }),
  "a held gain": ({ fairness }) => fairness.hold(ACCOUNT, 1, 1),
  ...Object.fromEntries(
    MARKET_RULE_NAMES.map((name) => [
      `a market's ${name}`,
      ({ markets }: State) => {
        const { rules } = markets[MARKET]!;
        markets[MARKET]!.rules = { ...rules, [name]: rules[name] + 1 };
      },
    ]),
  ),
};

const POSITION_CHANGES: Record<string, Change> = {
  lots: ({ positions }) => positions.setHolding(2, positions.lots(2) + 1, positions.cost(2)),
  cost: ({ positions }) => positions.setHolding(2, positions.lots(2), positions.cost(2) + 1),
  isolated: ({ positions }) => positions.addIsolated(2, 1),
  leverage: ({ positions }) => positions.setLeverage(2, positions.leverage(2) + 1, positions.maxNotional(2)),
  mode: ({ positions }) => positions.setMode(2, 1 - positions.mode(2)),
  called: ({ positions }) => positions.setCalled(2, !positions.isCalled(2)),
  "a new symbol": ({ positions, accounts }) => positions.create(accounts.count, 0, 10, 1),
  "a new symbol in another market": ({ positions, accounts }) => positions.create(accounts.count, 1, 10, 1),
};

const ORDER_CHANGES: Record<string, Change> = {
  ticks: (state) => state.pool.setTicks(namedOrder(state), state.pool.ticks(namedOrder(state)) + 1),
  original: (state) => state.pool.setOriginalLots(namedOrder(state), state.pool.originalLots(namedOrder(state)) + 1),
  remaining: (state) => state.pool.setRemainingLots(namedOrder(state), state.pool.remainingLots(namedOrder(state)) + 1),
  quote: (state) => state.pool.addQuote(namedOrder(state), 1),
  flags: (state) => state.pool.setFlags(namedOrder(state), state.pool.flags(namedOrder(state)) ^ 1),
  position: (state) => state.pool.setPosition(namedOrder(state), state.pool.position(namedOrder(state)) + 1),
  created: (state) => {
    const slot = namedOrder(state);
    state.details.setCreated_ms(slot, state.details.created_ms(slot) - 1);
  },
  updated: (state) => state.details.setAge_ms(namedOrder(state), state.details.age_ms(namedOrder(state)) + 1),
  conditional: (state) => {
    const slot = namedOrder(state);
    state.details.setConditional(slot, state.details.conditional(slot) + 1);
  },
  "client id": (state) => state.details.setClientId(namedOrder(state), "another-name"),
  "order of the owner's list": swapFirstOrders,
};

/** Account and market are those of the entry. */
const DERIVED = ["account", "market"];

function changedConditional(state: State, key: string): void {
  const [conditional] = state.conditionals.all();
  const fields = conditional as unknown as Record<string, number | string | boolean>;
  const value = fields[key]!;
  if (typeof value === "boolean") fields[key] = !value;
  else fields[key] = typeof value === "number" ? value + 1 : `${value}x`;
}

const CONDITIONAL_CHANGES: Record<string, Change> = Object.fromEntries(
  Object.keys([...freshState().conditionals.all()][0] as Conditional)
    .filter((key) => !DERIVED.includes(key))
    .map((key) => [`conditional's ${key}`, (state: State) => changedConditional(state, key)]),
);

describe("state hash", () => {
  it("INV-6: any single change changes it, and each in its own way", () => {
    const changes = {
      ...STATE_CHANGES,
      ...ACCOUNT_CHANGES,
      ...FAIR_CHANGES,
      ...POSITION_CHANGES,
      ...ORDER_CHANGES,
      ...CONDITIONAL_CHANGES,
    };
    const seen = new Map([[stateHash(freshState()), "nothing"]]);
    for (const [name, change] of Object.entries(changes)) {
      const state = freshState();
      change(state);
      const hash = stateHash(state);
      assert.match(hash, /^[0-9a-f]{64}$/);
      assert.equal(seen.get(hash), undefined, `${name} looks like ${seen.get(hash)}`);
      seen.set(hash, name);
    }
    assert.ok(seen.size > 100, `${seen.size} changes`);
  });

  it("INV-6: the definition of a market changes it", () => {
    const changed = freshState();
    const definition = changed.markets[MARKET]!.definition as unknown as Record<string, number | string>;
    const seen = new Set([stateHash(changed)]);
    const names = Object.keys(definition).filter((key) => !["brackets", "unit_micros", "fundingCap_e8"].includes(key));
    for (const name of names) {
      const other = freshState();
      const value = definition[name]!;
      const market = other.markets[MARKET] as unknown as { definition: object };
      market.definition = { ...definition, [name]: typeof value === "number" ? value + 1 : `${value}2` };
      seen.add(stateHash(other));
    }
    assert.equal(seen.size, names.length + 1);
  });

  it("does not distinguish −0 from 0", () => {
    const state = freshState();
    state.accounts.setInFlight(ACCOUNT, 0);
    const hash = stateHash(state);
    state.accounts.setInFlight(ACCOUNT, -0);
    assert.equal(stateHash(state), hash);
  });

  it("is the same however the bytes are cut into pieces", () => {
    const bytes = SNAPSHOT.subarray(0, 1_000);
    const whole = new ContentHash();
    whole.update(bytes);
    const expected = whole.digest();
    for (const size of [1, 3, 15, 16, 17, 64, 999]) {
      const pieces = new ContentHash();
      for (let at = 0; at < bytes.length; at += size) pieces.update(bytes.subarray(at, at + size));
      assert.deepEqual(pieces.digest(), expected, `pieces of ${size}`);
    }
  });

  it("moves about half of its bits with any bit of the input, and knows zeros by their number", () => {
    const digest = (bytes: Uint8Array) => {
      const hash = new ContentHash();
      hash.update(bytes);
      return hash.digest();
    };
    const input = SNAPSHOT.slice(100, 150);
    const before = digest(input);
    for (let bit = 0; bit < input.length * 8; bit += 1) {
      const changed = input.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const moved = digest(changed).reduce((sum, byte, at) => sum + bitsOf(byte ^ before[at]!), 0);
      assert.ok(moved > 35 && moved < 93, `bit ${bit} moves ${moved} of 128`);
    }
    const zeros = Array.from({ length: 70 }, (_, length) =>
      Buffer.from(digest(new Uint8Array(length))).toString("hex"),
    );
    assert.equal(new Set(zeros).size, zeros.length);
  });
});

function bitsOf(byte: number): number {
  return byte.toString(2).replaceAll("0", "").length;
}
