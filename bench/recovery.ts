import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSnapshot } from "../apps/server/src/exchange/journal/make-snapshot.ts";
import { type RecoverOptions, recover } from "../apps/server/src/exchange/journal/recovery.ts";
import { ByteReader, decodeCommand, Engine, stateHash } from "../packages/engine/src/index.ts";
import { makeRecords } from "./support/records.ts";
import { median, perSecond, type Row } from "./support/table.ts";

const COMMANDS = 500_000;
const SNAPSHOT_COMMANDS = 400_000;
const RECORDS_PER_WRITE = 1_000;
const ROUNDS = 3;

/** A start: the log replayed, with and without a snapshot, against the engine fed from memory. */
export async function benchRecovery(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-"));
  try {
    const { records, hash } = makeRecords(COMMANDS);
    await writeLog(folder, records);
    const bare_s = await medianSeconds(async () => bareSeconds(records, hash));
    const whole_s = await medianSeconds(() => recoverySeconds({ folder, projectedNumber: COMMANDS }, hash));
    const handing_s = await medianSeconds(() => handingSeconds(folder, hash));
    const number = SNAPSHOT_COMMANDS;
    await makeSnapshot({ folder, number, liveHash: undefined, projectedNumber: COMMANDS });
    const short_s = await medianSeconds(() => recoverySeconds({ folder, projectedNumber: COMMANDS }, hash));
    return rowsOf({ bare_s, whole_s, handing_s, short_s });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeLog(folder: string, records: readonly Uint8Array[]): Promise<void> {
  const { log } = await recover({ folder, projectedNumber: 0 });
  for (let at = 0; at < records.length; at += RECORDS_PER_WRITE) {
    await log.append(records.slice(at, at + RECORDS_PER_WRITE));
  }
  await log.close();
}

async function medianSeconds(run: () => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await run());
  return median(taken);
}

/** The engine alone: records from memory, no file, no checksum. */
function bareSeconds(records: readonly Uint8Array[], hash: string): number {
  const engine = new Engine();
  const begun_ms = performance.now();
  for (const record of records) engine.apply(decodeCommand(new ByteReader(record)));
  const took_s = (performance.now() - begun_ms) / 1_000;
  assert.equal(stateHash(engine.state), hash);
  return took_s;
}

async function recoverySeconds(options: RecoverOptions, hash: string): Promise<number> {
  const begun_ms = performance.now();
  const { engine, log } = await recover(options);
  const took_s = (performance.now() - begun_ms) / 1_000;
  await log.close();
  assert.equal(stateHash(engine.state), hash, "the recovered state is the one that was recorded");
  return took_s;
}

async function handingSeconds(folder: string, hash: string): Promise<number> {
  let handedOver = 0;
  const onApplied = (): void => {
    handedOver += 1;
  };
  const took_s = await recoverySeconds({ folder, projectedNumber: 0, onApplied }, hash);
  assert.equal(handedOver, COMMANDS);
  return took_s;
}

type Seconds = Readonly<Record<"bare_s" | "whole_s" | "handing_s" | "short_s", number>>;

function rowsOf({ bare_s, whole_s, handing_s, short_s }: Seconds): readonly Row[] {
  const commands = COMMANDS.toLocaleString("en-US");
  const left = COMMANDS - SNAPSHOT_COMMANDS;
  const against = (name: string, took_s: number): Row => ({
    name,
    figure: `${perSecond(COMMANDS / took_s)} commands, ${took_s.toFixed(1)} s`,
    baseline: `${perSecond(COMMANDS / bare_s)} the engine, from memory`,
    ratio: bare_s / took_s,
    aim: null,
  });
  return [
    against(`recovery of ${commands} commands, no snapshot`, whole_s),
    against("the same, every event handed over", handing_s),
    {
      name: `recovery, snapshot and ${left.toLocaleString("en-US")} commands behind it`,
      figure: `${perSecond(left / short_s)} commands, ${short_s.toFixed(2)} s`,
      baseline: `${whole_s.toFixed(1)} s without the snapshot`,
      ratio: short_s / whole_s,
      aim: null,
    },
  ];
}
