import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkBook } from "../book/check-book.ts";
import { Prng } from "../book/testing/prng.ts";
import { ByteReader } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { decodeCommand, encodeCommand } from "../codec/command-codec.ts";
import { OrderFlow } from "../codec/testing/order-flow.ts";
import type { Command } from "../contract/commands.ts";
import { Engine } from "../engine.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import { stateHash } from "./state-hash.ts";
import { busyEngine } from "./testing/busy-engine.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const COMMANDS = 4_000;

/** Applies the command to both engines and compares their events. */
function applyToBoth(live: Engine, restored: Engine, command: Command, number: number): void {
  live.apply(command);
  restored.apply(command);
  const where = `command ${number}: ${command.kind}`;
  assert.deepEqual(restored.events.texts, live.events.texts, where);
  if (Buffer.compare(bytesOf(live), bytesOf(restored)) === 0) return;
  assert.deepEqual(restored.events.decode(), live.events.decode(), where);
  assert.fail(`different numbers in the events of ${where}`);
}

function bytesOf(engine: Engine): Uint8Array {
  const { numbers } = engine.events;
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

describe("INV-6", () => {
  for (const seed of SEEDS) {
    it(`INV-6: snapshot and log give the live state, from random points on (seed ${seed})`, () => {
      const prng = new Prng(seed);
      const live = new Engine();
      const flow = new OrderFlow(seed, live.state);
      let restored = new Engine();
      let untilSnapshot = prng.between(1, 300);
      for (let number = 1; number <= COMMANDS; number += 1) {
        applyToBoth(live, restored, flow.next(), number);
        untilSnapshot -= 1;
        if (untilSnapshot > 0) continue;
        untilSnapshot = prng.between(1, 600);
        const snapshot = writeSnapshot(live.state);
        // The other engine has been through snapshots and restores; its state must be the same to the byte.
        assert.equal(Buffer.compare(writeSnapshot(restored.state), snapshot), 0, `after command ${number}`);
        restored = readSnapshot(snapshot);
        assert.equal(Buffer.compare(writeSnapshot(restored.state), snapshot), 0, `restored after command ${number}`);
        for (const market of restored.state.markets) checkBook(market.book);
      }
      assert.equal(stateHash(restored.state), stateHash(live.state));
    });
  }

  it("INV-6: commands that went through the log's bytes give the same state", () => {
    const live = new Engine();
    const flow = new OrderFlow(11, live.state);
    const writer = new ByteWriter();
    for (let i = 0; i < COMMANDS; i += 1) {
      const command = flow.next();
      encodeCommand(command, writer);
      live.apply(command);
    }
    const replayed = new Engine();
    const reader = new ByteReader(writer.bytes);
    while (reader.remaining > 0) replayed.apply(decodeCommand(reader));
    assert.equal(stateHash(replayed.state), stateHash(live.state));
  });

  it("INV-6: what is not in a snapshot is rebuilt as it was kept", () => {
    const { engine } = busyEngine(21, COMMANDS);
    const { state: live } = engine;
    const { state: restored } = readSnapshot(writeSnapshot(live));
    assert.ok(live.pool.taken > 0 && live.conditionals.count > 0);
    assert.equal(restored.pool.taken, live.pool.taken);
    assert.equal(restored.index.size, live.index.size);
    for (let at = 1; at <= live.positions.count; at += 1) {
      assert.equal(restored.positions.reduceOnlyLots(at), live.positions.reduceOnlyLots(at));
      assert.equal(restored.positions.conditionals(at), live.positions.conditionals(at));
      assert.equal(restored.positions.maxNotional(at), live.positions.maxNotional(at));
      for (const side of [0, 1]) {
        assert.equal(restored.positions.openLots(at, side), live.positions.openLots(at, side));
        assert.equal(restored.positions.openValue(at, side), live.positions.openValue(at, side));
      }
    }
    for (let account = 0; account <= live.accounts.count; account += 1) {
      assert.equal(restored.accounts.openPositions(account), live.accounts.openPositions(account));
      assert.equal(restored.accounts.volume14d(account), live.accounts.volume14d(account));
    }
    for (const [number, market] of live.markets.entries()) {
      const other = restored.markets[number]!;
      assert.equal(other.openInterestLots, market.openInterestLots);
      assert.deepEqual(other.positions, market.positions);
      assert.deepEqual(other.triggers, market.triggers);
      assert.deepEqual([other.bandTicks, other.boundTicks], [market.bandTicks, market.boundTicks]);
    }
  });
});
