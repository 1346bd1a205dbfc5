import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recover } from "../apps/server/src/exchange/journal/recovery.ts";
import { OrderFlow } from "../packages/engine/src/codec/testing/order-flow.ts";
import { ByteWriter, Engine, encodeCommand, stateHash } from "../packages/engine/src/index.ts";
import { median, perSecond, type Row } from "./support/table.ts";

const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
const ROUND_ms = 300;
const RECORDS = 100_000;
const RECOVERED_commands = 1_000_000;

/** Appends that become durable, against a loop that does nothing but join, write and sync; then a whole recovery. */
export async function benchJournal(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-"));
  try {
    const records = makeRecords(RECORDS).records;
    const rows: Row[] = [];
    for (const inFlight of [64, 1_000]) rows.push(await compare(folder, records, inFlight));
    await reportRecovery(folder);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Records are handed over as the exchange does: all that gathered while the last ones were synced. Both run one after the
 * other in each round, so that they meet the same disk; a ratio is within a round.
 */
async function compare(folder: string, records: readonly Uint8Array[], inFlight: number): Promise<Row> {
  const { log } = await recover({ folder: join(folder, `journal-${inFlight}`), projectedNumber: 0 });
  const bare = await open(join(folder, `bare-${inFlight}`), "w");
  const rates: number[] = [];
  const bareRates: number[] = [];
  const ratios: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const rate = await rateOf(records, inFlight, (batch) => log.append(batch));
    const bareRate = await rateOf(records, inFlight, (batch) => appendBare(bare, batch));
    if (round < 0) continue;
    rates.push(rate);
    bareRates.push(bareRate);
    ratios.push(rate / bareRate);
  }
  await log.close();
  await bare.close();
  return {
    name: `journal, ${inFlight.toLocaleString("en-US")} records in flight`,
    figure: perSecond(median(rates)),
    baseline: `${perSecond(median(bareRates))} bare append + fdatasync`,
    ratio: median(ratios),
    aim: "≥ 0.5",
  };
}

/** Records that become durable in a second, when so many at a time are made durable over and over. */
async function rateOf(
  records: readonly Uint8Array[],
  inFlight: number,
  append: (batch: readonly Uint8Array[]) => Promise<void>,
): Promise<number> {
  const started_ms = performance.now();
  const end_ms = started_ms + ROUND_ms;
  let done = 0;
  for (let at = 0; performance.now() < end_ms; at = (at + inFlight) % (records.length - inFlight)) {
    await append(records.slice(at, at + inFlight));
    done += inFlight;
  }
  return done / ((performance.now() - started_ms) / 1_000);
}

async function appendBare(file: FileHandle, batch: readonly Uint8Array[]): Promise<void> {
  await file.write(Buffer.concat(batch));
  await file.datasync();
}

function makeRecords(count: number) {
  const engine = new Engine();
  const flow = new OrderFlow(1, engine.state);
  const writer = new ByteWriter();
  const records = Array.from({ length: count }, () => {
    const command = flow.next();
    writer.clear();
    encodeCommand(command, writer);
    engine.apply(command);
    return writer.bytes.slice();
  });
  return { records, hash: stateHash(engine.state) };
}

async function reportRecovery(folder: string): Promise<void> {
  const { records, hash } = makeRecords(RECOVERED_commands);
  const options = { folder: join(folder, "recovery"), projectedNumber: 0 };
  const { log } = await recover(options);
  for (let at = 0; at < records.length; at += 1_000) await log.append(records.slice(at, at + 1_000));
  await log.close();
  const commands = RECOVERED_commands.toLocaleString("en-US");
  const projected_s = await recoverySeconds({ ...options, projectedNumber: RECOVERED_commands }, hash);
  console.log(`  recovery of ${commands} commands without a snapshot: ${projected_s.toFixed(1)} s`);
  let handedOver = 0;
  const onApplied = (): void => {
    handedOver += 1;
  };
  const unprojected_s = await recoverySeconds({ ...options, onApplied }, hash);
  assert.equal(handedOver, RECOVERED_commands);
  console.log(`  the same with every command's events handed over: ${unprojected_s.toFixed(1)} s`);
}

async function recoverySeconds(options: Parameters<typeof recover>[0], hash: string): Promise<number> {
  const started_ms = performance.now();
  const { engine, log } = await recover(options);
  const took_s = (performance.now() - started_ms) / 1_000;
  assert.equal(stateHash(engine.state), hash, "the recovered state is the one that was recorded");
  await log.close();
  return took_s;
}
