import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { earnAbi, referralRebateAbi, vaultAbi } from "@bourse/contracts";
import { sql } from "kysely";
import type { Address, Hex } from "viem";
import { earnMigrations } from "../../earn/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { referralMigrations } from "../../referral/migrations.ts";
import { chainRef } from "../../wallet/deposits.ts";
import { walletMigrations } from "../../wallet/migrations.ts";
import { depositRef, settleRef } from "../../wallet/projection.ts";
import { walletDb } from "../../wallet/tables.ts";
import { vaultIdOf } from "../../wallet/withdrawal-id.ts";
import { operatorMigrations } from "../operator/migrations.ts";
import { assertEarnAgrees, assertReferralAgrees } from "../testing/agreement.ts";
import { Dice } from "../testing/dice.ts";
import { ForkingChain } from "../testing/forking-chain.ts";
import { Simulation } from "../testing/simulation.ts";
import { indexerMigrations } from "./migrations.ts";
import { indexerDb } from "./tables.ts";

/** More with `CHAIN_SIM_SEEDS`. */
const SEEDS = Number(process.env["CHAIN_SIM_SEEDS"] ?? (process.env["TEST_DEPTH"] === "long" ? 2 : 1));
const FIRST_SEED = Number(process.env["CHAIN_SIM_FIRST_SEED"] ?? 1);
const STEPS = 240;

const TABLES = [
  ...["chain_cursor", "chain_block", "chain_event", "chain_attempt", "chain_transaction", "deposit", "withdrawal"],
  ...["earn_product", "earn_action", "earn_reservation", "earn_chain_product", "earn_subscription"],
  ...["referral_code", "referral_trader", "referral_affiliate", "referral_tier_terms"],
  ...["referral_batch", "referral_credit", "referral_claim", "outbox"],
];

/** All logs of the platform's contracts on the current chain. */
async function allLogs({ client, contracts }: ForkingChain) {
  const place = { fromBlock: 0n, strict: true } as const;
  const [vault, earn, referral] = await Promise.all([
    client.getContractEvents({ ...place, address: contracts.vault, abi: vaultAbi }),
    client.getContractEvents({ ...place, address: contracts.earn, abi: earnAbi }),
    client.getContractEvents({ ...place, address: contracts.referral, abi: referralRebateAbi }),
  ]);
  return { vault, earn, referral };
}

type Logs = Awaited<ReturnType<typeof allLogs>>;

async function assertEventsAgree(logs: Logs, database: TestDatabase): Promise<void> {
  const rows = await indexerDb(database)
    .selectFrom("chain_event")
    .selectAll()
    .where("contract", "!=", "usdt")
    .execute();
  const keys = (list: readonly { contract: string; hash: string; index: number; block: string }[]) =>
    list.map(({ contract, hash, index, block }) => `${contract} ${hash}:${index}@${block}`).sort();
  const onChain = (["vault", "earn", "referral"] as const).flatMap((contract) =>
    logs[contract].map((log) => ({
      contract,
      hash: log.transactionHash,
      index: log.logIndex,
      block: log.blockHash,
    })),
  );
  assert.deepEqual(
    keys(
      rows.map((row) => ({ contract: row.contract, hash: row.tx_hash, index: row.log_index, block: row.block_hash })),
    ),
    keys(onChain),
  );
}

async function assertDepositsAgree({ vault }: Logs, database: TestDatabase): Promise<void> {
  const ordinals = new Map<Hex, number>();
  const deposits = vault
    .filter((log) => log.eventName === "Deposited")
    .map(({ transactionHash, blockNumber, args }) => {
      const ordinal = ordinals.get(transactionHash) ?? 0;
      ordinals.set(transactionHash, ordinal + 1);
      return { ref: chainRef({ transactionHash, ordinal }), blockNumber, ...args };
    });
  const rows = await walletDb(database).selectFrom("deposit").selectAll().execute();
  const standing = rows.filter(({ orphaned_at }) => orphaned_at === null);
  const figures = (list: readonly { ref: string; amount: bigint; address: string; block: bigint | null }[]) =>
    list.map(({ ref, amount, address, block }) => `${ref} ${amount} ${address.toLowerCase()} ${block}`).sort();
  assert.deepEqual(
    figures(standing.map((row) => ({ ...row, amount: row.amount_micros, block: row.block_number }))),
    figures(deposits.map((log) => ({ ...log, address: log.account, block: log.blockNumber }))),
  );
  const messages = await database.db.selectFrom("outbox").selectAll().execute();
  const credits = messages.filter(({ ref }) => ref.startsWith("deposit:"));
  assert.deepEqual(credits.map(({ ref }) => ref).sort(), rows.map(({ ref }) => depositRef(ref)).sort());
}

async function assertWithdrawalsAgree({ vault }: Logs, database: TestDatabase): Promise<void> {
  const withdrawn = vault.filter((log) => log.eventName === "Withdrawn");
  const withdrawals = await walletDb(database).selectFrom("withdrawal").selectAll().execute();
  assert.ok(withdrawals.every(({ status }) => status === "confirmed"));
  const payments = (list: readonly { id: Hex; to: Address | string; amount: bigint; hash: string | null }[]) =>
    list.map(({ id, to, amount, hash }) => `${id} ${to.toLowerCase()} ${amount} ${hash}`).sort();
  assert.deepEqual(
    payments(
      withdrawals.map((row) => ({
        id: vaultIdOf(row.id),
        to: row.to_address,
        amount: row.amount_micros,
        hash: row.tx_hash,
      })),
    ),
    payments(withdrawn.map(({ args, transactionHash }) => ({ ...args, hash: transactionHash }))),
  );
  const messages = await database.db.selectFrom("outbox").selectAll().execute();
  const settled = messages.filter(({ ref }) => ref.startsWith("withdrawal-settle:"));
  assert.deepEqual(settled.map(({ ref }) => ref).sort(), withdrawals.map(({ id }) => settleRef(id)).sort());
}

describe("ERN-9, VLT-1: reorganisations, failing nodes and crashes", () => {
  let database: TestDatabase;
  const kept = new Map<string, number>();
  const undone = new Map<string, number>();
  before(async () => {
    const ofPrograms = { ...walletMigrations, ...earnMigrations, ...referralMigrations };
    database = await openTestDatabase({ ...ofPrograms, ...operatorMigrations, ...indexerMigrations });
  });
  after(() => database.close());

  async function run(t: TestContext, seed: number) {
    await sql`truncate ${sql.join(TABLES.map((name) => sql.table(name)))}`.execute(database.db);
    const dice = new Dice(`chain simulation ${seed}`);
    const world = await ForkingChain.open(t);
    const simulation = new Simulation(dice, database, world);
    for (let step = 0; step < STEPS; step += 1) await simulation.step();
    await simulation.settle();
    return { world, simulation };
  }

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    it(`what is indexed is what the contracts say, every deposit is credited and every withdrawal paid once (seed ${seed})`, async (t) => {
      const { world, simulation } = await run(t, seed);
      const logs = await allLogs(world);
      const count = (into: Map<string, number>, name: string, times = 1) =>
        into.set(name, (into.get(name) ?? 0) + times);
      for (const { eventName } of [...logs.earn, ...logs.referral]) count(kept, eventName);
      for (const [name, times] of simulation.undone) count(undone, name, times);
      t.diagnostic(JSON.stringify(simulation.seen));
      await assertEventsAgree(logs, database);
      await assertDepositsAgree(logs, database);
      await assertWithdrawalsAgree(logs, database);
      await assertEarnAgrees(world, database);
      await assertReferralAgrees(world, database);
    });
  }

  it("subscriptions have come, gone with their blocks, and been paid out: the agreement above is about something", (t) => {
    t.diagnostic(`kept ${JSON.stringify(Object.fromEntries(kept))}`);
    t.diagnostic(`taken back ${JSON.stringify(Object.fromEntries(undone))}`);
    const times = (counts: ReadonlyMap<string, number>, ...names: string[]) =>
      names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    assert.ok(times(kept, "Subscribed") > 0);
    assert.ok(times(kept, "Claimed", "EmergencyClaimed") > 0);
    assert.ok(times(undone, "Subscribed") > 0);
  });
});
