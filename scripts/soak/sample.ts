import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Inspector, Memory } from "./inspector.ts";

const MIB = 1_048_576;

/** The memory and metrics of a server at a moment of platform time. */
export interface Sample extends Memory {
  readonly hours: number;
  readonly openOrders: number;
  readonly commands: number;
  readonly trades: number;
  readonly fundingRounds: number;
  readonly lag_commands: number;
  readonly frames: number;
  readonly journal_bytes: number;
  readonly rows: ReadonlyMap<string, number>;
}

export const mib = (bytes: number) => bytes / MIB;
export const count = (value: number) => Math.round(value).toLocaleString("en-US");

export type Metrics = ReadonlyMap<string, number>;

export async function scrape(baseUrl: string): Promise<Metrics> {
  const response = await fetch(`${baseUrl}/metrics`);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(" ");
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

/** The sum of a metric over all its labels. */
export function sumOf(metrics: Metrics, name: string): number {
  let sum = 0;
  for (const [key, value] of metrics) if (key === name || key.startsWith(`${name}{`)) sum += value;
  return sum;
}

function rowsOf(metrics: Metrics): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [key, value] of metrics) {
    const table = /^bourse_table_rows\{table="(\w+)"\}$/.exec(key)?.[1];
    if (table !== undefined) rows.set(table, value);
  }
  return rows;
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export async function takeSample(
  hours: number,
  server: { readonly baseUrl: string; readonly dataDir: string },
  inspector: Inspector,
): Promise<Sample> {
  const metrics = await scrape(server.baseUrl);
  return {
    hours,
    ...(await inspector.memory()),
    openOrders: sumOf(metrics, "bourse_market_open_orders"),
    commands: sumOf(metrics, "bourse_journal_last_command"),
    trades: sumOf(metrics, "bourse_market_trades_total"),
    fundingRounds: sumOf(metrics, "bourse_funding_rounds_total"),
    lag_commands: sumOf(metrics, "bourse_projector_lag_commands"),
    frames: sumOf(metrics, "bourse_stream_frames_total"),
    journal_bytes: folderBytes(join(server.dataDir, "journal")),
    rows: rowsOf(metrics),
  };
}

export function lineOf(sample: Sample, hours: number): string {
  const minutes = `${String(Math.round(sample.hours * 60)).padStart(4)} of ${Math.round(hours * 60)} min`;
  const memory = (["heapUsed", "external", "arrayBuffers", "rss"] as const)
    .map((name) => `${name} ${mib(sample[name]).toFixed(1)}`)
    .join("  ");
  const flow = `${count(sample.commands)} commands  ${count(sample.trades)} trades  ${sample.openOrders} open orders`;
  const behind = `lag ${count(sample.lag_commands)}  journal ${mib(sample.journal_bytes).toFixed(1)}`;
  return `${minutes}  MiB: ${memory}  ${flow}  ${behind}`;
}
