import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recover } from "../apps/server/src/exchange/journal/recovery.ts";
import { makeRecords } from "./support/records.ts";
import { atLeast, median, perSecond, type Row } from "./support/table.ts";

const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
const ROUND_ms = 300;
const RECORDS = 100_000;

/** Durable appends, against a loop that only joins, writes and syncs. */
export async function benchJournal(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-"));
  try {
    const { records } = makeRecords(RECORDS);
    const rows: Row[] = [];
    for (const inFlight of [64, 1_000]) rows.push(await compare(folder, records, inFlight));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Records are passed as the exchange does: all that were collected during the last sync. Both run one after the other
 * in each round, so that they use the disk in the same condition; each ratio is of one round.
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
    aim: atLeast(0.5),
  };
}

/** Durable records per second, if `inFlight` records are written at a time. */
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
