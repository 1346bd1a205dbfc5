import type { Command } from "@bourse/engine";
import type { Prng } from "../../../engine/src/book/testing/prng.ts";

const STRANGE: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  -1,
  0.5,
  2 ** 53,
  1e300,
  "",
  "7",
  "x".repeat(37),
  null,
  undefined,
  true,
  {},
  [],
];

/** The command with one field wrong or missing. */
export function malform(command: Command, random: Prng): Command {
  const drawn = random.below(100);
  if (drawn < 3) return { kind: "buy_everything", time_ms: command.time_ms } as unknown as Command;
  const names = Object.keys(command).filter((name) => name !== "kind");
  const name = random.pick(names);
  const fields: Record<string, unknown> = { ...command };
  if (drawn < 12) delete fields[name];
  else if (drawn < 30 && "account" in fields) fields["account"] = random.pick([0, 4_000, 2 ** 24, 2 ** 24 + 1]);
  else if (drawn < 40 && "market" in fields) fields["market"] = random.pick([-2, 77, 4_095, 4_096]);
  else fields[name] = strangeFor(name, fields[name], random);
  return fields as unknown as Command;
}

/** Numbers just outside a range are more likely, because they are the more likely errors. */
function strangeFor(name: string, value: unknown, random: Prng): unknown {
  const isTrigger = name === "takeProfit" || name === "stopLoss";
  if (isTrigger) return random.pick([{}, { triggerTicks: 0, ticks: 0, workingType: 0 }, undefined, 5, "up"]);
  if (name === "time_ms") return random.pick([-1, 0.5, 8.64e15 + 1, Number.NaN, "now", null]);
  if (typeof value === "number" && random.isIn(30)) return random.pick([value + 0.25, -value - 1, 2 ** 43 + 1]);
  return random.pick(STRANGE);
}
