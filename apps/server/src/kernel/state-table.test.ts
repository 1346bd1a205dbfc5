import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refused, refuse, StateTable } from "./state-table.ts";

describe("tables of states", () => {
  const door = new StateTable(["push", "lock"], {
    open: { push: "shut", lock: refuse("open") },
    shut: { push: "open", lock: "locked" },
    locked: refuse("locked"),
  });

  it("answer every event in every state, by the row's own answer or by one for all", () => {
    assert.deepEqual(door.states, ["open", "shut", "locked"]);
    const answers = door.states.map((state) => door.events.map((event) => String(door.answer(state, event))));
    assert.deepEqual(answers, [
      ["shut", "open"],
      ["open", "locked"],
      ["locked", "locked"],
    ]);
    assert.ok(door.answer("locked", "push") instanceof Refused);
  });

  it("give the next state, and throw where the event is refused", () => {
    assert.equal(door.next("shut", "lock"), "locked");
    assert.throws(() => door.next("open", "lock"), /lock is refused in the state open: open/);
  });

  it("cannot be made with a hole, or with a state that there is not", () => {
    const missing = { on: {}, off: { press: "on" } } as unknown as Record<"on" | "off", "on" | "off">;
    assert.throws(() => new StateTable(["press"], missing), /on answers press with undefined/);
    const unknown = { on: "of", off: "on" } as unknown as Record<"on" | "off", "on" | "off">;
    assert.throws(() => new StateTable(["press"], unknown), /on answers press with of/);
  });
});
