import assert from "node:assert/strict";
import { test } from "node:test";
import type { EngineEvent } from "@bourse/engine";
import type { Applied } from "../../exchange/host/exchange.ts";
import { bonusChanges } from "./changes.ts";

const applied = (number: number, kind: string, account: number, ...events: object[]): Applied => ({
  number,
  time_ms: number * 1_000,
  command: { kind, account, time_ms: number * 1_000 } as unknown as Applied["command"],
  events: events as EngineEvent[],
});
const line = (account: number, kind: string, amount_micros: number, bonus_micros: number, locked_micros = 0) => ({
  kind: "bonus_line",
  account,
  line: kind,
  amount_micros,
  bonus_micros,
  locked_micros,
  consumed_micros: 1,
});
const state = (account: number, to: string) => ({ kind: "bonus_state_set", account, state: to, expires_ms: 9 });

test("the last line and the last state of an account count, returns and grants each have their place", () => {
  const changes = bonusChanges([
    applied(5, "grant_bonus", 1, state(1, "active"), line(1, "GRANT", 100, 100)),
    applied(6, "place_order", 1, { kind: "order_opened", account: 1 }, line(1, "LOCK", 30, 100, 30)),
    applied(7, "place_order", 2, line(2, "CONSUME_FEE", 4, 96)),
    applied(8, "expire_bonus", 1, line(1, "EXPIRE", 70, 30, 30), state(1, "expired_pending")),
    applied(9, "place_order", 1, line(1, "RECALL", 30, 0), state(1, "recalled")),
  ]);
  assert.deepEqual(
    [...changes.accounts.values()],
    [
      {
        account: 1,
        status: "recalled",
        status_ms: 9_000,
        sums: { bonus_micros: 0, locked_micros: 0, consumed_micros: 1 },
        granted: { command_number: 5, event_index: 1 },
      },
      { account: 2, sums: { bonus_micros: 96, locked_micros: 0, consumed_micros: 1 } },
    ],
  );
  assert.deepEqual(changes.returns, [
    { kind: "EXPIRE", account: 1, amount_micros: 70, command_number: 8, event_index: 0, time_ms: 8_000 },
    { kind: "RECALL", account: 1, amount_micros: 30, command_number: 9, event_index: 0, time_ms: 9_000 },
  ]);
  assert.deepEqual(Object.fromEntries(changes.lineSums), {
    GRANT: 100n,
    LOCK: 30n,
    CONSUME_FEE: 4n,
    EXPIRE: 70n,
    RECALL: 30n,
  });
});

test("what is locked after a freeze is what a line up to then says, and not a later one", () => {
  const told = applied(2, "freeze_bonus", 1, state(1, "frozen"));
  const silent = applied(4, "freeze_bonus", 2, state(2, "frozen"));
  const { lockedAfter } = bonusChanges([
    applied(1, "place_order", 1, line(1, "LOCK", 30, 100, 30)),
    told,
    applied(3, "place_order", 1, line(1, "UNLOCK", 20, 100, 10)),
    silent,
    applied(5, "place_order", 2, line(2, "LOCK", 1, 100, 1)),
  ]);
  assert.equal(lockedAfter.get(told.events), 30);
  assert.equal(lockedAfter.get(silent.events), undefined);
});
