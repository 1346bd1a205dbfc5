import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CodecFault } from "@bourse/engine";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { decodePack, encodePack, type Pack } from "./pack.ts";
import { decodeSubmission, encodeSubmission, type Submission } from "./submissions.ts";

const pack: Pack = {
  term: 7,
  firstNumber: 12_345_678_901,
  records: [
    { bytes: Uint8Array.of(1, 2, 3), origin: { sender: 2 ** 47 + 5, request: 9 } },
    { bytes: Uint8Array.of(4), origin: undefined },
  ],
  place: { rulesVersion: 4, chain: Buffer.alloc(32, 7) },
};

const plain = ({ term, firstNumber, records, place }: Pack) => ({
  term,
  firstNumber,
  place: { ...place, chain: place.chain?.toString("hex") },
  records: records.map(({ bytes, origin }) => ({ bytes: [...bytes], origin })),
});

describe("messages of the command stream", () => {
  it("RUN-3: come out as they went in, also the one that only begins a term", () => {
    assert.deepEqual(plain(decodePack(encodePack(pack), "it")), plain(pack));
    const fence = { term: 8, firstNumber: 3, records: [], place: { rulesVersion: 3, chain: undefined } };
    assert.deepEqual(decodePack(encodePack(fence), "it"), fence);
  });

  it("RUN-3: one that is cut, longer or has any other byte is refused by its name", () => {
    const message = encodePack(pack);
    const refused = (damaged: Uint8Array, what: string) =>
      assert.throws(
        () => decodePack(damaged, "message 5 of it"),
        (error: Error) => {
          assert.ok(error instanceof LogFault, what);
          assert.match(error.message, /^message 5 of it /);
          return true;
        },
      );
    for (let length = 0; length < message.length; length += 1) refused(message.subarray(0, length), `cut at ${length}`);
    refused(Buffer.concat([message, Buffer.of(0)]), "longer");
    for (let at = 0; at < message.length; at += 1) {
      const damaged = Buffer.from(message);
      damaged[at] = damaged[at]! ^ 0x11;
      refused(damaged, `byte ${at}`);
    }
  });
});

describe("submissions", () => {
  const submission: Submission = {
    sender: 99,
    now_ms: 1_790_000_000_123,
    oldest: 4,
    commands: [
      { request: 4, isExempt: true, bytes: Uint8Array.of(9, 8) },
      { request: 5, isExempt: false, bytes: Uint8Array.of() },
    ],
  };

  it("RUN-3: come out as they went in", () => {
    const { commands, ...rest } = decodeSubmission(encodeSubmission(submission));
    assert.deepEqual(rest, { sender: 99, now_ms: 1_790_000_000_123, oldest: 4 });
    assert.deepEqual(
      commands.map(({ bytes, ...one }) => ({ ...one, bytes: [...bytes] })),
      submission.commands.map(({ bytes, ...one }) => ({ ...one, bytes: [...bytes] })),
    );
  });

  it("RUN-3: those that are cut or longer are no submissions", () => {
    const message = encodeSubmission(submission);
    for (let length = 0; length < message.length; length += 1) {
      assert.throws(() => decodeSubmission(message.subarray(0, length)), CodecFault);
    }
    assert.throws(() => decodeSubmission(Buffer.concat([message, Buffer.of(1)])), CodecFault);
  });
});
