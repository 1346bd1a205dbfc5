import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ReadWriteGate } from "./gate.ts";

it("readers share the gate; a writer waits for those inside and is then alone", async () => {
  const gate = new ReadWriteGate();
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const reads = [
    gate.read(() => first.promise.then(() => steps.push("first read"))),
    gate.read(async () => steps.push("second read")),
  ];
  const write = gate.write(async () => {
    steps.push("write begins");
    await written.promise;
    steps.push("write ends");
  });
  const late = gate.read(async () => steps.push("late read"));
  await nextTurn();
  assert.deepEqual(steps, ["second read"]);
  first.resolve();
  await nextTurn();
  assert.deepEqual(steps, ["second read", "first read", "write begins"]);
  written.resolve();
  await Promise.all([...reads, write, late]);
  assert.deepEqual(steps, ["second read", "first read", "write begins", "write ends", "late read"]);
});

it("a reader or writer that fails lets the others in", async () => {
  const gate = new ReadWriteGate();
  const failing = async () => {
    throw new Error("no");
  };
  await assert.rejects(gate.read(failing), /no/);
  await assert.rejects(gate.write(failing), /no/);
  assert.equal(await gate.write(async () => 1), 1);
  assert.equal(await gate.read(async () => 2), 2);
});
