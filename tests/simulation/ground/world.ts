import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { Hex } from "viem";
import { parseTransaction, recoverTransactionAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import { migrations } from "../../../apps/server/src/compose/migrations.ts";
import { createPlatform, type Platform } from "../../../apps/server/src/compose/platform.ts";
import { ManualClock, MovableClock } from "../../../apps/server/src/kernel/clock.ts";
import { EmbeddedClient } from "../../../apps/server/src/kernel/database/embedded/client.ts";
import { embeddedProgram } from "../../../apps/server/src/kernel/database/embedded/testing/templates.ts";
import { kernelMigrations } from "../../../apps/server/src/kernel/database/kernel-migrations.ts";
import { embeddedTemplateOf } from "../../../apps/server/src/kernel/database/test-templates.ts";
import { SESSION_SETTINGS_SQL } from "../../../apps/server/src/kernel/database/type-parsers.ts";
import { createMetrics } from "../../../apps/server/src/kernel/metrics.ts";
import { seededRandom } from "../../../apps/server/src/kernel/random.ts";
import { developmentSecretsFrom } from "../../../apps/server/src/settings/development-secrets.ts";
import { readSettings } from "../../../apps/server/src/settings/settings.ts";
import { CHAIN_ID, type ChainBug, ChainNode } from "./chain-node.ts";
import { Faults } from "./faults.ts";
import { type CrashPlan, Gate } from "./gate.ts";
import { type DatabaseBug, gatedDatabase } from "./gated-database.ts";
import { type DiskBug, GatedDisk } from "./gated-disk.ts";
import { OwnTimers } from "./timers.ts";

const keyOf = (name: string): Hex => `0x${seededRandom(`simulation ${name}`).bytes(32).toString("hex")}`;

const OPERATOR_KEY = keyOf("operator");
export const ADMIN_PASSWORD = "a password for simulations";
export const BONUS_KEY = "a key of the bonus administration for simulations";
const EARN_SIGNER_KEY = keyOf("earn signer");
const OPERATOR_TOKENS = 10n ** 15n;
/** A Wednesday morning: three days from it stay within one epoch of points. */
export const START_ms = Date.UTC(2026, 5, 3, 9);
const STOP_LIMIT_ms = 60_000;

const operator = privateKeyToAccount(OPERATOR_KEY);

/** Bugs that are planted at the ports of the platform, to prove that the auditor finds them. */
export interface Bugs {
  readonly database?: DatabaseBug;
  readonly disk?: DiskBug;
  readonly chain?: ChainBug;
  /** Plants them in classes of the platform; the returned function removes them. */
  readonly plant?: () => () => void;
}

/** One process of the platform, from its start to its end. */
export interface Incarnation {
  readonly number: number;
  readonly gate: Gate;
  readonly disk: GatedDisk;
  readonly folder: string;
  readonly platform: Platform;
  readonly clock: MovableClock;
  readonly port: number;
  readonly sockets: Set<Socket>;
  readonly timers: OwnTimers;
}

/** What the platforms run on, and what a crash leaves of it. */
export class World {
  readonly seed: string;
  readonly node: ChainNode;
  readonly faults: Faults;
  /** Errors that the platform has logged, for the analysis of a failure. */
  readonly logged: string[] = [];
  readonly #client: EmbeddedClient;
  readonly #root: string;
  readonly #dice: Dice;
  readonly #realTime: ManualClock;
  readonly #bugs: Bugs;
  /** The offset that the platform has stored: what a moved clock returns to after a crash. */
  #offset_ms = 0;
  #started = 0;
  #folder: string;
  #now: Incarnation | undefined;
  #crashedAt: string | undefined;

  private constructor(
    seed: string,
    parts: { client: EmbeddedClient; root: string; node: ChainNode; faults: Faults; realTime: ManualClock; bugs: Bugs },
  ) {
    this.seed = seed;
    this.node = parts.node;
    this.faults = parts.faults;
    this.#client = parts.client;
    this.#root = parts.root;
    this.#realTime = parts.realTime;
    this.#bugs = parts.bugs;
    this.#dice = new Dice(`${seed} world`);
    this.#folder = join(parts.root, "data-0");
  }

  static async open(seed: string, bugs: Bugs = {}): Promise<World> {
    const root = mkdtempSync(join(tmpdir(), "bourse-simulation-"));
    const faults = new Faults();
    const realTime = new ManualClock(START_ms);
    const chainClock = { now: () => world?.now_ms ?? START_ms };
    let world: World | undefined;
    const client = await openDatabase();
    const node = await ChainNode.open({
      folder: join(root, "chain"),
      clock: chainClock,
      seed,
      operator: operator.address,
      earnSigner: privateKeyToAccount(EARN_SIGNER_KEY).address,
      faults,
      bug: bugs.chain,
    });
    await node.mint(operator.address, OPERATOR_TOKENS);
    world = new World(seed, { client, root, node, faults, realTime, bugs });
    return world;
  }

  get now_ms(): number {
    return this.#now?.clock.now() ?? this.#realTime.now() + this.#offset_ms;
  }

  /** The running process, or the last one. */
  get incarnation(): Incarnation {
    if (this.#now === undefined) throw new Error("no platform is running");
    return this.#now;
  }

  get isRunning(): boolean {
    return this.#now !== undefined && !this.#now.gate.isShut;
  }

  get incarnations(): number {
    return this.#started;
  }

  /** Where the last crash happened. */
  get crashedAt(): string | undefined {
    return this.#crashedAt;
  }

  /** Advances real time a little. */
  pass(step_ms: number): void {
    this.#realTime.advance(step_ms);
  }

  /** The platform has confirmed that its clock was moved: the next process starts no earlier. */
  clockKept(): void {
    this.#offset_ms = this.incarnation.clock.offset_ms;
  }

  plan(plan: CrashPlan): void {
    this.incarnation.gate.plan = plan;
  }

  /** Rejects with Broken if the process dies during the start, as planned. */
  async start(plan?: CrashPlan): Promise<void> {
    this.#started += 1;
    const number = this.#started;
    const folder = this.#folder;
    const clock = new MovableClock(this.#offset_ms, this.#realTime);
    const sockets = new Set<Socket>();
    const closing: (() => void)[] = [];
    const gate: Gate = new Gate((where) => {
      this.#crashedAt = where;
      this.#folder = join(this.#root, `data-${number}`);
      disk.copyAfterCrash(folder, this.#folder, this.#dice);
      for (const socket of sockets) socket.destroy();
      for (const close of closing) close();
    });
    const disk = new GatedDisk(gate, this.faults, this.#bugs.disk);
    gate.plan = plan;
    const settings = readSettings(
      this.#environment(folder, number, gate),
      developmentSecretsFrom(seededRandom(this.seed)),
    );
    const timers = new OwnTimers();
    closing.push(() => timers.end());
    closing.push(() => void disk.abandon());
    const starting = timers.within(async () => {
      const platform = await createPlatform({
        settings,
        database: gatedDatabase(this.#client, gate, this.faults, this.#bugs.database),
        clock,
        random: seededRandom(`${this.seed} incarnation ${number}`),
        log: this.#log(number),
        metrics: createMetrics(),
        disk: disk.open,
      });
      if (gate.isShut) return await Gate.forever();
      gate.plan = undefined;
      await platform.app.listen({ host: "127.0.0.1", port: 0 });
      return platform;
    });
    const platform = await gate.request("the start", starting);
    const { server } = platform.app;
    closing.push(() => server.close());
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    platform.listening(`http://127.0.0.1:${port}`);
    this.#now = { number, gate, disk, folder, platform, clock, port, sockets, timers };
  }

  /** Kills the process now, unless it is dead already. */
  crash(where: string): void {
    this.incarnation.gate.crash(where);
  }

  /** Stops as on a signal: accepted work is finished. */
  async stop(): Promise<void> {
    const { platform, sockets } = this.incarnation;
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(new Error("the platform did not stop in time")), STOP_LIMIT_ms);
    await Promise.race([platform.close(), limit.promise]).finally(() => clearTimeout(timer));
    for (const socket of sockets) socket.destroy();
    this.#offset_ms = this.incarnation.clock.offset_ms;
    this.#now = undefined;
  }

  /** After a crash: starts a new process on what is left. */
  async restart(plan?: CrashPlan): Promise<void> {
    this.faults.disarm();
    this.#now = undefined;
    await this.start(plan);
  }

  async close(): Promise<void> {
    if (this.isRunning) this.crash("at the end");
    await this.node.close();
    await this.#client.terminate();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async reorganise(): Promise<boolean> {
    return await this.node.reorganise(this.#dice, async (raw) => {
      const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
      return from === operator.address && parseTransaction(raw).nonce !== undefined;
    });
  }

  #environment(folder: string, number: number, gate: Gate): Record<string, string> {
    const { usdt, earn, referral, vault } = this.node.contracts;
    return {
      DATA_DIR: folder,
      DEMO: "false",
      LOG_LEVEL: "error",
      RATE_LIMIT_WEIGHT_1M: "1000000000",
      RATE_LIMIT_ORDERS_10S: "1000000000",
      RATE_LIMIT_ORDERS_1M: "1000000000",
      RATE_LIMIT_JSON_PER_S: "1000000000",
      RATE_LIMIT_LOGIN_1M: "1000000000",
      ADMIN_PASSWORD,
      BONUS_ADMIN_API_KEY: BONUS_KEY,
      BONUS_POOL_CAP_USDT: "1000000",
      OPERATOR_KEY,
      EARN_SIGNER_KEY,
      EARN_POLL_SECONDS: "600",
      POINTS_GENESIS: "2024-01-01",
      CHAIN_RPC_URL: this.node.urlFor(number, gate),
      CHAIN_ID: String(CHAIN_ID),
      CHAIN_CONFIRMATIONS: "1",
      USDT_ADDRESS: usdt,
      EARN_ADDRESS: earn,
      REFERRAL_ADDRESS: referral,
      VAULT_ADDRESS: vault,
    };
  }

  #log(number: number) {
    const write = (line: string) => {
      if (this.logged.length < 2_000) this.logged.push(`#${number} ${line.trimEnd()}`);
    };
    return pino({ level: "error" }, { write });
  }
}

/** A test run provides the folder; elsewhere it lasts as long as the process. */
function ensureTemplates(): void {
  if (process.env["TEST_TEMPLATES"] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "bourse-simulation-templates-"));
  process.env["TEST_TEMPLATES"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

async function openDatabase(): Promise<EmbeddedClient> {
  ensureTemplates();
  const templateFile = await embeddedTemplateOf({ ...kernelMigrations, ...migrations });
  const options = { folder: undefined, templateFile, program: await embeddedProgram() };
  const client = new EmbeddedClient(options, (error) => process.emitWarning(error));
  await client.waitReady;
  await client.query(SESSION_SETTINGS_SQL);
  return client;
}
