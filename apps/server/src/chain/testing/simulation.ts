import assert from "node:assert/strict";
import { createEarnListener } from "../../earn/listener.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { TestDatabase } from "../../kernel/database/testing.ts";
import { requestsWithoutTables } from "../../kernel/engine-requests/testing.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import { randomUuid } from "../../kernel/random.ts";
import { createReferralListener } from "../../referral/listener.ts";
import { Deposits } from "../../wallet/deposits.ts";
import { Payments } from "../../wallet/payments.ts";
import { walletDb } from "../../wallet/tables.ts";
import { VaultListener } from "../../wallet/vault-listener.ts";
import { ContractLogs } from "../indexer/contract-logs.ts";
import { ChainFault, Indexer } from "../indexer/indexer.ts";
import type { ChainEvent, ChainListener } from "../indexer/listener.ts";
import { Operator } from "../operator/operator.ts";
import { Dice } from "./dice.ts";
import { EarnLife } from "./earn-life.ts";
import { type ForkingChain, OPERATOR_KEY } from "./forking-chain.ts";
import { ReferralLife } from "./referral-life.ts";
import { FaultyNode } from "./world.ts";

const MAX_ROUNDS_TO_SETTLE = 60;

class Crash extends Error {}

/** Everything that reads from the chain and sends to it, on one database, with process crashes. */
export class Simulation {
  readonly #dice: Dice;
  readonly #database: TestDatabase;
  readonly #world: ForkingChain;
  readonly #node: FaultyNode;
  readonly #clock: Clock;
  /**
   * Separate random choices for the node's faults: the number of requests depends on the machine and must not influence the users'
   * actions.
   */
  #faults: Dice;
  #crashesIn = Number.POSITIVE_INFINITY;
  #failureOdds = 0;
  readonly #earn: EarnLife;
  readonly #referral: ReferralLife;
  readonly seen = { crashes: 0, failures: 0, forks: 0, deposits: 0, withdrawals: 0, rewinds: 0 };
  /** The number of undone events by name, including undos by a process that crashed before the end. */
  readonly undone = new Map<string, number>();

  constructor(dice: Dice, database: TestDatabase, world: ForkingChain) {
    this.#dice = dice;
    this.#faults = new Dice("before anything happens");
    this.#database = database;
    this.#world = world;
    this.#clock = world.clock;
    this.#earn = new EarnLife(dice, world, database);
    this.#referral = new ReferralLife(dice, world);
    this.#node = new FaultyNode(world.chain);
    this.#node.beforeAnswer = async () => {
      if (this.#faults.chance(this.#failureOdds)) throw new Error("the node does not answer");
    };
    this.#node.changed = (method, answer) =>
      method === "eth_getLogs" && this.#faults.chance(0.2)
        ? [...(answer as unknown[]), ...(answer as unknown[])]
        : answer;
  }

  async step(): Promise<void> {
    await this.#dice.pick<() => Promise<void>>([
      [6, () => this.#deposit()],
      [3, () => this.#request()],
      [18, () => this.#earn.step()],
      [4, async () => this.#earn.passTime()],
      [4, () => this.#referral.step()],
      [4, () => this.#fork()],
      [2, () => this.#world.mineEmpty(1)],
      [10, () => this.#look()],
      [4, () => this.#pay()],
    ])();
  }

  /** Without faults, until nothing is left to do. */
  async settle(): Promise<void> {
    this.#failureOdds = 0;
    this.#crashesIn = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MAX_ROUNDS_TO_SETTLE; round += 1) {
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

  /** Usually the lost blocks were indexed and must be undone. */
  async #fork(): Promise<void> {
    if (this.#dice.chance(0.6)) await this.#look();
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

  /** The node may fail and the process may crash. */
  async #inDanger(action: () => Promise<void>): Promise<void> {
    this.#faults = new Dice(randomUuid(this.#dice.random));
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

  /** The in-memory part of a process; discarded after every use. */
  #process() {
    const { contracts } = this.#world;
    const client = this.#node.client();
    const [database, clock] = [this.#database, this.#clock];
    const nobody = () => Promise.reject(new Error("nobody is asked"));
    const outbox = createOutbox({ clock });
    const silent = { listen: () => undefined, engine: { state: { externalNumber: 0, rulesVersion: 3 } } };
    const dispatcher = { notify: () => undefined };
    const engineRequests = requestsWithoutTables({ database, outbox, dispatcher, exchange: silent });
    const directory = { decide: async () => 1, ensure: nobody, numberOf: () => 1 };
    const deposits = new Deposits({ database, clock, engineRequests, directory });
    const onIgnored = (reason: string, event: ChainEvent) => assert.fail(`${reason}: ${event.name}`);
    const vault = new VaultListener({ deposits, engineRequests, clock, onIgnored });
    const fragile: ChainListener = {
      name: "fragile",
      apply: async () => this.#mayCrash(),
      undo: async () => this.#mayCrash(),
    };
    const counting: ChainListener = {
      name: "counting",
      apply: async () => undefined,
      undo: async (_, events) => {
        for (const { name } of events) this.undone.set(name, (this.undone.get(name) ?? 0) + 1);
      },
    };
    const earn = createEarnListener({ clock });
    // No wallet has an account, so the engine gets no discounts.
    const referral = createReferralListener({ tellAffected: async () => undefined });
    const indexer = new Indexer({
      client,
      contracts: new ContractLogs(contracts),
      database,
      clock,
      listeners: [fragile, vault, earn, referral, counting, fragile],
    });
    const operator = new Operator({ client, database, clock, key: OPERATOR_KEY });
    const switches = { read: async () => ({ withdrawals_paused: false }) } as never;
    const payments = new Payments({
      database,
      clock,
      // Crashes before a call is sent, or right after, before the sending is recorded.
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
      holds: { judge: async () => false, releaseDue: async () => 0 },
      engineRequests,
      projected: async () => undefined,
      onError: (error) => assert.fail(String(error)),
    });
    return { indexer, operator, payments };
  }
}
