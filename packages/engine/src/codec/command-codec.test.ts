import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Command, PlaceOrder } from "../contract/commands.ts";
import { FIRST_MARKETS } from "../rules/market.ts";
import { NEXT_RULES } from "../rules/version.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { decodeCommand, disclosureLength, encodeCommand, PLAIN_VERSION } from "./command-codec.ts";
import { COMMAND_KINDS, COMMANDS_WITH_TERMS } from "./command-fields.ts";
import { anyCommandOf } from "./testing/any-command.ts";

const ORDER: PlaceOrder = {
  kind: "place_order",
  time_ms: Date.UTC(2026, 5, 1),
  account: 70_000,
  market: 2,
  side: 1,
  type: 0,
  timeInForce: 3,
  ticks: 601_234,
  lots: 2_500,
  quote_micros: 0,
  isReduceOnly: false,
  selfTradePrevention: 2,
  clientId: "web-7f9c2ba4e88f827d61604550",
  maxSlippage_e8: -1,
  takeProfit: { triggerTicks: 610_000, ticks: 0, workingType: 1 },
  stopLoss: null,
};

function encoded(command: Command): Uint8Array {
  const writer = new ByteWriter();
  encodeCommand(command, writer);
  return writer.bytes.slice();
}

function decoded(bytes: Uint8Array): Command {
  const reader = new ByteReader(bytes);
  const command = decodeCommand(reader);
  assert.equal(reader.remaining, 0);
  return command;
}

/** The order with one field set to a value that its type does not allow. */
function spoiled(field: string, value: unknown): Command {
  return { ...ORDER, [field]: value } as Command;
}

describe("command codec", () => {
  for (const kind of COMMAND_KINDS) {
    it(`INV-6: every ${kind} comes back as it was written`, () => {
      const bothWays = (command: Command) => assert.deepStrictEqual(decoded(encoded(command)), command);
      fc.assert(fc.property(anyCommandOf(kind), bothWays), { numRuns: 200 });
    });
  }

  it("INV-6: many commands in a row come back one by one", () => {
    const commands = fc.sample(fc.oneof(...COMMAND_KINDS.map(anyCommandOf)), { numRuns: 500, seed: 7 });
    const writer = new ByteWriter();
    for (const command of commands) encodeCommand(command, writer);
    const reader = new ByteReader(writer.bytes);
    assert.deepStrictEqual(
      commands.map(() => decodeCommand(reader)),
      commands,
    );
    assert.equal(reader.remaining, 0);
  });

  it("keeps an order small", () => {
    assert.equal(encoded(ORDER).length, 60);
    assert.equal(encoded({ ...ORDER, clientId: "", takeProfit: null }).length, 27);
  });

  it("has one form for every command: bytes are those of a command or a fault", () => {
    const faultOrOwnForm = (bytes: Uint8Array): void => {
      const reader = new ByteReader(bytes);
      let command: Command;
      try {
        command = decodeCommand(reader);
      } catch (error) {
        assert.ok(error instanceof CodecFault, String(error));
        return;
      }
      assert.deepEqual(encoded(command), bytes.slice(0, bytes.length - reader.remaining));
    };
    const kindNumber = fc.integer({ min: 0, max: 40 });
    const noise = fc
      .tuple(fc.integer({ min: 1, max: 3 }), kindNumber, fc.uint8Array({ maxLength: 60 }))
      .map(([version, number, rest]) => Uint8Array.of(version, number, ...rest));
    fc.assert(fc.property(noise, faultOrOwnForm), { numRuns: 3_000 });
    // One wrong byte in a valid command is a more likely fault than random bytes.
    const bytes = encoded(ORDER);
    for (let at = 0; at < bytes.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damaged = bytes.slice();
        damaged[at]! ^= 1 << bit;
        faultOrOwnForm(damaged);
      }
    }
  });

  it("finds every command that ends too early", () => {
    for (const kind of COMMAND_KINDS) {
      const [command] = fc.sample(anyCommandOf(kind), { numRuns: 1, seed: 3 });
      const bytes = encoded(command!);
      for (let length = 0; length < bytes.length; length += 1) {
        assert.throws(() => decodeCommand(new ByteReader(bytes.subarray(0, length))), CodecFault, kind);
      }
    }
  });

  it("reads no other version and no unknown kind", () => {
    const bytes = encoded(ORDER);
    bytes[0] = 4;
    assert.throws(() => decoded(bytes), /codec version 4/);
    bytes[0] = PLAIN_VERSION;
    const forms = COMMAND_KINDS.length + Object.keys(COMMANDS_WITH_TERMS).length;
    for (const number of [0, forms + 1, 255]) {
      bytes[1] = number;
      assert.throws(() => decoded(bytes), /no kind of command/);
    }
  });

  it("LOG-1: what is private stands before the record, which is the same command without it", () => {
    const stamp = { reference: "open-account:1", details: "{}", commitment: "ab".repeat(32) };
    const opening: Command = { kind: "open_account", time_ms: 1, account: 1, number: 7, ...stamp };
    const withDisclosure = encoded({ ...opening, disclosure: "00ff:0xabc" });
    assert.deepEqual(decoded(withDisclosure), { ...opening, disclosure: "00ff:0xabc" });
    const published = withDisclosure.subarray(disclosureLength(withDisclosure));
    assert.deepEqual(published, encoded(opening));
    assert.deepEqual(decoded(published), opening);
    assert.equal(disclosureLength(published), 0);
  });

  it("LOG-6: what came with rules version 6 has numbers of its own, and a command without it keeps its bytes", () => {
    const plain = encoded(ORDER);
    assert.equal(plain[1], 1);
    assert.deepEqual(encoded({ ...ORDER, goodTill_ms: 0, priceMatch: 0 }), plain);
    for (const terms of [
      { goodTill_ms: 1_790_000_000_000, priceMatch: 0 } as const,
      { goodTill_ms: 0, priceMatch: 5 } as const,
    ]) {
      const bytes = encoded({ ...ORDER, ...terms });
      assert.equal(bytes[1], 34);
      assert.deepEqual(decoded(bytes), { ...ORDER, ...terms });
    }
    // What is refused stays what it was, so that a replay refuses it too.
    assert.deepEqual(decoded(encoded({ ...ORDER, goodTill_ms: -0, priceMatch: 0 })), {
      ...ORDER,
      goodTill_ms: -0,
      priceMatch: 0,
    });
    const modify: Command = {
      kind: "modify_order",
      time_ms: 1,
      account: 1,
      order: 2,
      clientId: "",
      side: -1,
      ticks: 0,
      lots: 3,
    };
    assert.deepEqual(decoded(encoded({ ...modify, priceMatch: 8 })), { ...modify, priceMatch: 8 });
    assert.equal(encoded({ ...modify, priceMatch: 8 })[1], 35);
    assert.equal(encoded(modify)[1], 3);
    const empty = encoded({ ...modify, priceMatch: 8 });
    empty[empty.length - 1] = 0;
    assert.throws(() => decoded(empty), /without any/);
    assert.throws(() => encoded({ ...ORDER, goodTill_ms: Number.NaN }), CodecFault);
    assert.throws(() => encoded({ ...ORDER, priceMatch: "QUEUE" } as never), CodecFault);
  });

  it("LOG-5: a rules version that this release does not know is neither written nor read", () => {
    const raise: Command = { kind: "set_rules_version", time_ms: 1, number: 1, version: NEXT_RULES };
    const bytes = encoded(raise);
    assert.deepEqual(decoded(bytes), raise);
    assert.throws(() => encoded({ ...raise, version: NEXT_RULES + 1 }), /knows up to/);
    bytes[bytes.length - 1] = NEXT_RULES + 1;
    assert.throws(() => decoded(bytes), /knows up to/);
  });

  it("reads no number in a longer form than it needs", () => {
    const forms = [
      [0x81, 0x00],
      [0x80, 0x80, 0x00],
      [0x80, 0x00, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
      [0x80, 0x00, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    ];
    for (const form of forms) assert.throws(() => new ByteReader(Uint8Array.from(form)).number(), CodecFault);
    assert.equal(new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f)).number(), 2 ** 53 - 1);
  });

  it("refuses what cannot be written, and leaves nothing of it behind", () => {
    const writer = new ByteWriter();
    encodeCommand(ORDER, writer);
    const before = writer.bytes.slice();
    const impossible = [
      null as unknown as Command,
      "place_order" as unknown as Command,
      spoiled("kind", "steal_money"),
      spoiled("kind", "toString"),
      spoiled("ticks", Number.NaN),
      spoiled("ticks", Number.POSITIVE_INFINITY),
      spoiled("lots", "7"),
      spoiled("lots", 7n),
      spoiled("lots", undefined),
      spoiled("lots", null),
      spoiled("isReduceOnly", 1),
      spoiled("clientId", null),
      spoiled("maxSlippage_e8", Number.NEGATIVE_INFINITY),
      spoiled("takeProfit", undefined),
      spoiled("stopLoss", 5),
      spoiled("stopLoss", { triggerTicks: 5, ticks: 0 }),
    ];
    for (const command of impossible) assert.throws(() => encodeCommand(command, writer), CodecFault);
    assert.deepEqual(writer.bytes, before);
  });

  it("refuses definitions that JSON would change", () => {
    const definition = FIRST_MARKETS[0]!;
    for (const value of [Number.NaN, -0, undefined, 5n, new Date(0), () => 1, Symbol("x"), new Array(2)]) {
      const command = { kind: "add_market", time_ms: 0, definition: { ...definition, tickSize_e8: value } };
      assert.throws(() => encoded(command as unknown as Command), CodecFault, String(value));
    }
    for (const nothing of [null, undefined, 5]) {
      assert.throws(() => encoded({ kind: "add_market", time_ms: 0, definition: nothing } as never), CodecFault);
    }
  });
});
