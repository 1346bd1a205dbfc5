import assert from "node:assert/strict";
import { Wallets } from "../apps/server/src/exchange/journal/wallets.ts";
import {
  type Command,
  commitmentTo,
  disclosureText,
  Engine,
  NEWEST_RULES,
  OLDEST_RULES,
  State,
} from "../packages/engine/src/index.ts";
import { collectGarbage } from "./support/measure.ts";
import type { Row } from "./support/table.ts";

const ACCOUNTS = 200_000;

/** Bytes in use after a garbage collection, typed arrays included. */
async function usedBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function openAll(engine: Engine, see: (command: Command) => void): void {
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    const plain = { kind: "open_account", time_ms: account, account } as const;
    let command: Command = plain;
    if (engine.state.rulesVersion > OLDEST_RULES) {
      const salt = account.toString(16).padStart(64, "0");
      const fields = `0x${account.toString(16).padStart(40, "0")}`;
      const disclosure = disclosureText({ salt, fields });
      const stamp = { number: account, reference: `open-account:${account}`, commitment: commitmentTo(salt, fields) };
      command = { ...plain, ...stamp, disclosure };
    }
    engine.apply(command);
    see(command);
  }
}

async function bytesPerAccount(rulesVersion: number): Promise<number> {
  const before = await usedBytes();
  const engine = new Engine(new State(rulesVersion));
  const wallets = new Wallets();
  openAll(engine, (command) => wallets.see(command, engine.state));
  const bytes = ((await usedBytes()) - before) / ACCOUNTS;
  // Read after the measurement, so that both are in memory until here.
  assert.equal(engine.state.accounts.count, ACCOUNTS);
  assert.equal(wallets.count, rulesVersion === OLDEST_RULES ? 0 : ACCOUNTS);
  return bytes;
}

/** What an idle account takes in memory, with the commitment to its wallet and the wallet itself (LOG-1). */
export async function benchAccounts(): Promise<Row> {
  const without = await bytesPerAccount(OLDEST_RULES);
  const withWallet = await bytesPerAccount(NEWEST_RULES);
  return {
    name: `memory of an idle account with its wallet, ${ACCOUNTS.toLocaleString("en-US")} accounts`,
    figure: `${withWallet.toFixed(0)} bytes`,
    baseline: `${without.toFixed(0)} bytes by rules without wallets`,
    ratio: withWallet / without,
    aim: null,
  };
}
