import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { vaultAbi } from "@bourse/contracts";
import { sql } from "kysely";
import type { Address, Hex } from "viem";
import type { Clock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import { randomUuid } from "../../kernel/random.ts";
import { chainRef, Deposits } from "../../wallet/deposits.ts";
import { walletMigrations } from "../../wallet/migrations.ts";
import { Payments } from "../../wallet/payments.ts";
import { depositRef, settleRef } from "../../wallet/projection.ts";
import { walletDb } from "../../wallet/tables.ts";
import { VaultListener } from "../../wallet/vault-listener.ts";
import { vaultIdOf } from "../../wallet/withdrawal-id.ts";
import { operatorMigrations } from "../operator/migrations.ts";
import { Operator } from "../operator/operator.ts";
import { clientOf } from "../testing/chains.ts";
import { Dice } from "../testing/dice.ts";
import { ForkingChain, OPERATOR_KEY } from "../testing/forking-chain.ts";
import { FaultyNode } from "../testing/world.ts";
import { ContractLogs } from "./contract-logs.ts";
import { ChainFault, Indexer } from "./indexer.ts";
import type { ChainEvent, ChainListener } from "./listener.ts";
import { indexerMigrations } from "./migrations.ts";
import { indexerDb } from "./tables.ts";

/** More with `CHAIN_SIM_SEEDS`. */
const SEEDS = Number(process.env["CHAIN_SIM_SEEDS"] ?? 2);
const FIRST_SEED = Number(process.env["CHAIN_SIM_FIRST_SEED"] ?? 1);
const STEPS = 120;
const MOST_ROUNDS_TO_SETTLE = 60;

class Crash extends Error {}

/** Everything that reads from the chain and sends to it, on one database, with its process dying now and then. */
class Simulation {
  readonly #dice: Dice;
  readonly #database: TestDatabase;
  readonly #world: ForkingChain;
  readonly #node: FaultyNode;
  readonly #clock: Clock;
  #crashesIn = Number.POSITIVE_INFINITY;
  #failureOdds = 0;
  readonly seen = { crashes: 0, failures: 0, forks: 0, deposits: 0, withdrawals: 0, rewinds: 0 };

  constructor(dice: Dice, database: TestDatabase, world: ForkingChain) {
    this.#dice = dice;
    this.#database = database;
    this.#world = world;
    this.#clock = world.clock;
    this.#node = new FaultyNode(world.chain);
    this.#node.beforeAnswer = async () => {
      if (dice.chance(this.#failureOdds)) throw new Error("the node does not answer");
    };
    this.#node.changed = (method, answer) =>
      method === "eth_getLogs" && dice.chance(0.2) ? [...(answer as unknown[]), ...(answer as unknown[])] : answer;
  }

  async step(): Promise<void> {
    await this.#dice.pick<() => Promise<void>>([
      [6, () => this.#deposit()],
      [3, () => this.#request()],
      [2, () => this.#fork()],
      [2, () => this.#world.mineEmpty(1)],
      [6, () => this.#look()],
      [4, () => this.#pay()],
    ])();
  }

  /** Without faults: until everything that can be done is done. */
  async settle(): Promise<void> {
    this.#failureOdds = 0;
    this.#crashesIn = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MOST_ROUNDS_TO_SETTLE; round += 1) {
      await this.#world.mineEmpty(1);
      const { operator, payments, indexer } = this.#process();
      await operator.sync();
      await payments.run();
      await indexer.sync();
      const { open } = await walletDb(this.#database)
        .selectFrom("withdrawal")
        .select(({ fn }) => fn.countAll<bigint>().as("open"))
        .where("status", "in", ["held", "sent"])
        .executeTakeFirstOrThrow();
      if (open === 0n && operator.counts.open === 0) return;
    }
    assert.fail("withdrawals do not come to an end");
  }

  async #deposit(): Promise<void> {
    await this.#world.deposit(this.#dice.whole(1, 4), BigInt(this.#dice.whole(1, 1_000_000)));
    this.seen.deposits += 1;
  }

  async #request(): Promise<void> {
    const now = new Date(this.#clock.now());
    const address = this.#world.traders[this.#dice.whole(0, 3)]!.toLowerCase();
    const times = { created_at: now, updated_at: now };
    const amount_micros = this.#dice.whole(1, 1_000);
    const row = {
      id: randomUuid(this.#dice.random),
      account: 1,
      address,
      to_address: address,
      amount_micros,
      ...times,
    };
    await walletDb(this.#database)
      .insertInto("withdrawal")
      .values({ ...row, request_id: null, status: "held" })
      .execute();
    this.seen.withdrawals += 1;
  }

  async #fork(): Promise<void> {
    await this.#world.fork(this.#dice.whole(1, 10), this.#dice);
    this.seen.forks += 1;
  }

  #look(): Promise<void> {
    return this.#inDanger(async () => {
      const { rewinds } = await this.#process().indexer.sync();
      this.seen.rewinds += rewinds;
    });
  }

  #pay(): Promise<void> {
    return this.#inDanger(async () => {
      const { operator, payments } = this.#process();
      await operator.sync();
      await payments.run();
    });
  }

  /** The node may fail and the process may die; both are part of life. */
  async #inDanger(action: () => Promise<void>): Promise<void> {
    this.#failureOdds = this.#dice.chance(0.5) ? 0.05 : 0;
    this.#crashesIn = this.#dice.chance(0.3) ? this.#dice.whole(1, 6) : Number.POSITIVE_INFINITY;
    try {
      await action();
    } catch (error) {
      if (error instanceof Crash) this.seen.crashes += 1;
      else if (error instanceof ChainFault || /does not answer/.test(String(error))) this.seen.failures += 1;
      else throw error;
    }
    this.#crashesIn = Number.POSITIVE_INFINITY;
    this.#failureOdds = 0;
  }

  #mayCrash(): void {
    this.#crashesIn -= 1;
    if (this.#crashesIn <= 0) throw new Crash("the process dies here");
  }

  /** What a process has in memory; it is thrown away after every use. */
  #process() {
    const { contracts } = this.#world;
    const client = this.#node.client();
    const [database, clock] = [this.#database, this.#clock];
    const outbox = createOutbox({ clock });
    const nobody = () => Promise.reject(new Error("nobody is asked"));
    const outcomes = { wait: nobody } as never;
    const directory = { decide: async () => 1, ensure: nobody, numberOf: () => 1 };
    const dispatcher = { notify: () => undefined };
    const deposits = new Deposits({ database, clock, outbox, dispatcher, outcomes, directory });
    const onIgnored = (reason: string, event: ChainEvent) => assert.fail(`${reason}: ${event.name}`);
    const vault = new VaultListener({ deposits, outbox, clock, onIgnored });
    const fragile: ChainListener = {
      name: "fragile",
      apply: async () => this.#mayCrash(),
      undo: async () => this.#mayCrash(),
    };
    const indexer = new Indexer({
      client,
      contracts: new ContractLogs(contracts),
      database,
      clock,
      listeners: [fragile, vault, fragile],
    });
    const operator = new Operator({ client, database, clock, key: OPERATOR_KEY });
    const switches = { read: async () => ({ withdrawals_paused: false }) } as never;
    const payments = new Payments({
      database,
      clock,
      // Dies before something is sent, or right after, when nobody has written down that it was.
      operator: {
        outcomeOf: (ref) => operator.outcomeOf(ref),
        submit: async (call) => {
          this.#mayCrash();
          const outcome = await operator.submit(call);
          this.#mayCrash();
          return outcome;
        },
      },
      vault: contracts.vault,
      switches,
      outbox,
      dispatcher,
      projected: async () => undefined,
      onError: (error) => assert.fail(String(error)),
    });
    return { indexer, operator, payments };
  }
}

describe("ERN-9, VLT-1: reorganisations, failing nodes and crashes", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ ...walletMigrations, ...operatorMigrations, ...indexerMigrations });
  });
  after(() => database.close());

  async function run(t: TestContext, seed: number) {
    const tables = sql`chain_cursor, chain_block, chain_event, chain_attempt, chain_transaction, deposit, withdrawal, outbox`;
    await sql`truncate ${tables}`.execute(database.db);
    const dice = new Dice(`chain simulation ${seed}`);
    const world = await ForkingChain.open(t);
    const simulation = new Simulation(dice, database, world);
    for (let step = 0; step < STEPS; step += 1) await simulation.step();
    await simulation.settle();
    return { world, simulation };
  }

  /** What the contract itself says has happened, on the chain as it is. */
  async function vaultLogs(world: ForkingChain) {
    const { public: client } = clientOf(world.chain);
    const place = { address: world.contracts.vault, fromBlock: 0n } as const;
    const logs = await client.getContractEvents({ ...place, abi: vaultAbi, strict: true });
    const ordinals = new Map<Hex, number>();
    const deposits = logs
      .filter((log) => log.eventName === "Deposited")
      .map(({ transactionHash, blockNumber, args }) => {
        const ordinal = ordinals.get(transactionHash) ?? 0;
        ordinals.set(transactionHash, ordinal + 1);
        return { ref: chainRef({ transactionHash, ordinal }), blockNumber, ...args };
      });
    return { deposits, withdrawn: logs.filter((log) => log.eventName === "Withdrawn"), all: logs };
  }

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    it(`what is indexed is what the contracts say, every deposit is credited and every withdrawal paid once (seed ${seed})`, async (t) => {
      const { world, simulation } = await run(t, seed);
      t.diagnostic(JSON.stringify(simulation.seen));
      const { deposits, withdrawn, all } = await vaultLogs(world);

      const events = await indexerDb(database)
        .selectFrom("chain_event")
        .selectAll()
        .where("contract", "=", "vault")
        .execute();
      const keys = (list: readonly { hash: string; index: number; block: string }[]) =>
        list.map(({ hash, index, block }) => `${hash}:${index}@${block}`).sort();
      assert.deepEqual(
        keys(events.map((row) => ({ hash: row.tx_hash, index: row.log_index, block: row.block_hash }))),
        keys(all.map((log) => ({ hash: log.transactionHash, index: log.logIndex, block: log.blockHash }))),
      );

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
      const settled = messages.filter(({ ref }) => ref.startsWith("withdrawal-settle:"));
      assert.deepEqual(settled.map(({ ref }) => ref).sort(), withdrawals.map(({ id }) => settleRef(id)).sort());
    });
  }
});
