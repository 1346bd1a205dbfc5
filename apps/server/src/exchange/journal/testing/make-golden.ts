/**
 * LOG-6: writes the golden folder of the newest rules version, once, when the version is released:
 *   node apps/server/src/exchange/journal/testing/make-golden.ts
 * It refuses to replace a folder: what a release wrote must not change any more.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, commitmentTo, Engine, NEWEST_RULES, stateHash } from "@bourse/engine";
import { NaiveEngine } from "../../../../../../packages/engine-proof/src/oracle/model.ts";
import { RandomCommands } from "../../../../../../packages/engine-proof/src/oracle/random-commands.ts";
import { journalFolder } from "../../../kernel/journal/segments.ts";
import { makeSnapshot } from "../make-snapshot.ts";
import { snapshotFolder } from "../snapshots.ts";
import { encoded, writeJournal } from "./recorded-flow.ts";

const COMMANDS = 900;
const HASH_EVERY = 100;
const SNAPSHOT_AFTER = 500;
const SEGMENT_bytes = 12_000;
const MAX_SEEDS = 500;
/** Events and reasons that the log must have led to, so that it says something about the version's rules. */
const EVENTS = [
  "fill",
  "liquidation_ended",
  "adl",
  "fund_capped",
  "conditional_rearmed",
  "bonus_repaid",
  "market_rules_set",
  "good_till",
  "no_price_level",
];

/** LOG-1: what commits to a wallet discloses one; a command without a number commits to nothing. */
function withWallet(command: Command): Command {
  if (command.kind !== "open_account" && command.kind !== "commit_wallet") return command;
  if (command.number === undefined) return command;
  const salt = command.account.toString(16).padStart(32, "0");
  const wallet = `0x${command.account.toString(16).padStart(40, "a")}`;
  return { ...command, commitment: commitmentTo(salt, wallet), disclosure: `${salt}:${wallet}` };
}

function recordSeed(seed: number) {
  const engine = new Engine();
  const oracle = new NaiveEngine(NEWEST_RULES);
  const random = new RandomCommands(seed, { malformedPercent: 0 });
  const hashes: Record<string, string> = {};
  const kinds = new Set<string>();
  const records: Uint8Array[] = [];
  while (records.length < COMMANDS) {
    const command = withWallet(random.next(oracle));
    for (const event of oracle.apply(command)) {
      kinds.add(event.kind);
      if ("reason" in event) kinds.add(event.reason);
    }
    engine.apply(command);
    records.push(encoded(command));
    if (records.length % HASH_EVERY === 0) hashes[records.length] = stateHash(engine.state);
  }
  return { seed, kinds, records, hashes, accounts: engine.state.accounts.count };
}

function findFlow() {
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const flow = recordSeed(seed);
    if (EVENTS.every((kind) => flow.kinds.has(kind))) return flow;
  }
  throw new Error(`none of ${MAX_SEEDS} seeds leads to ${EVENTS.join(", ")}`);
}

const target = new URL(`golden/rules-${NEWEST_RULES}`, import.meta.url).pathname;
if (existsSync(target)) throw new Error(`${target} exists: a golden folder never changes`);

const { seed, kinds, records, hashes, accounts } = findFlow();
const folder = mkdtempSync(join(tmpdir(), "bourse-golden-"));
await writeJournal(folder, records, { segment_bytes: SEGMENT_bytes });
await makeSnapshot({ folder, number: SNAPSHOT_AFTER, liveHash: hashes[SNAPSHOT_AFTER], projectedNumber: 0 });
mkdirSync(join(target, "journal"), { recursive: true });
// Segments are kept under a name that no rule for log files hides.
for (const name of readdirSync(journalFolder(folder))) {
  cpSync(join(journalFolder(folder), name), join(target, "journal", name.replace(".log", ".segment")));
}
cpSync(snapshotFolder(folder), join(target, "snapshots"), { recursive: true });
const expected = { commands: COMMANDS, hashes, accounts };
writeFileSync(join(target, "expected.json"), `${JSON.stringify(expected, null, 2)}\n`);
rmSync(folder, { recursive: true });
console.log(`${target}: seed ${seed}, ${COMMANDS} commands, events ${[...kinds].sort().join(", ")}`);
