import { NO_POSITION } from "@bourse/engine";
import type { Exchange } from "../../exchange/host/exchange.ts";
import type { Projector } from "../../exchange/projector/projector.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { sharedIps } from "../../identity/shared-ips.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { Log } from "../../kernel/log.ts";
import { refusals } from "../refusals.ts";
import { type BonusDb, bonusDb } from "../tables.ts";
import { type Holding, readOpenings, readOrders, readRealised } from "./deed-store.ts";
import { sharedSources } from "./funding-store.ts";
import { type Facts, findLinks, type Group, type Link, type RiskWallet } from "./links.ts";
import type { TransferScan } from "./transfer-scan.ts";
import { readWallets } from "./wallet-store.ts";

export interface AssessmentsOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly exchange: Pick<Exchange, "engine">;
  readonly projector: Pick<Projector, "waitForAll">;
  readonly scan: Pick<TransferScan, "run" | "block">;
  readonly platform: ReadonlySet<string>;
}

/** What was found, and of when. */
export interface Assessment {
  /** The highest score first. */
  readonly links: readonly Link[];
  readonly wallets: number;
  readonly generated_ms: number;
  /** Up to this block the token's transfers are known; null for none. */
  readonly funding_block: number | null;
  /** Whether that is all that the chain has. */
  readonly isFundingCurrent: boolean;
}

const PROJECTOR_WAIT_ms = 5_000;
/** Whoever asks for the list does not wait longer for the chain; the look goes on meanwhile. */
const SCAN_WAIT_ms = 5_000;

/** BON-12: who is linked with whom. The last answer is kept. */
export class Assessments {
  readonly #options: AssessmentsOptions;
  readonly #db: BonusDb;
  #last: Assessment | undefined;
  #running: Promise<Assessment> | undefined;

  constructor(options: AssessmentsOptions) {
    this.#options = options;
    this.#db = bonusDb(options.database);
  }

  /** The last one where it is no older than this; else a new one, which all who ask meanwhile share. */
  async latest(longest_ms: number): Promise<Assessment> {
    const age_ms = this.#options.clock.now() - (this.#last?.generated_ms ?? Number.NEGATIVE_INFINITY);
    if (this.#last !== undefined && age_ms <= longest_ms) return this.#last;
    this.#running ??= this.fresh().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  /** A new one of what is known by now. */
  async fresh(): Promise<Assessment> {
    return await this.#assess(await this.#scanInTime());
  }

  /** A new one with all that the chain has, however long that takes. Rejects where the chain does not answer. */
  async complete(): Promise<Assessment> {
    const { isCurrent } = await this.#options.scan.run();
    return await this.#assess(isCurrent);
  }

  /** Whether all of the chain's transfers are known. A chain that is away does not keep anybody from looking at the rest. */
  async #scanInTime(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), SCAN_WAIT_ms);
    const scanned = this.#options.scan.run().then(
      ({ isCurrent }) => isCurrent,
      (err: unknown) => {
        this.#options.log.warn({ err }, "who funded bonus wallets could not be looked up");
        return false;
      },
    );
    try {
      return await Promise.race([scanned, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #assess(isFundingCurrent: boolean): Promise<Assessment> {
    const { clock, scan } = this.#options;
    const generated_ms = clock.now();
    const funding_block = await scan.block();
    const wallets = await readWallets(this.#db);
    const links = wallets.length < 2 ? [] : await findLinks(await this.#facts(wallets));
    this.#last = { links, wallets: wallets.length, generated_ms, funding_block, isFundingCurrent };
    return this.#last;
  }

  async #facts(wallets: readonly RiskWallet[]): Promise<Facts> {
    const { database, platform } = this.#options;
    await this.#upToDate();
    const { unrealised_micros, holdings } = this.#engineNow(wallets);
    const realised_micros = await readRealised(this.#db, wallets);
    const addresses = wallets.map(({ address }) => address);
    const places = new Map(addresses.map((address, place) => [address, place]));
    const group = (name: string, members: readonly string[]): Group => ({
      name,
      wallets: [...new Set(members)].map((member) => places.get(member)).filter((place) => place !== undefined),
    });
    const sources = await sharedSources(this.#db, addresses, platform);
    const ips = await sharedIps(database, addresses);
    return {
      wallets,
      pnl_micros: realised_micros.map((realised, place) => realised + unrealised_micros[place]!),
      // A source that is a bonus wallet itself belongs to those it has paid.
      sources: sources.map(({ source, addresses: paid }) => group(source, [source, ...paid])),
      ips: ips.map(({ ip, wallets: signedIn }) => group(ip, signedIn)),
      orders: await readOrders(this.#db, wallets),
      positions: await readOpenings(this.#db, holdings),
    };
  }

  async #upToDate(): Promise<void> {
    try {
      await this.#options.projector.waitForAll(PROJECTOR_WAIT_ms);
    } catch (error) {
      if (error instanceof ProjectionTimeout) throw refusals.behind();
      throw error;
    }
  }

  /** What the wallets hold and have not realised, of one moment. */
  #engineNow(wallets: readonly RiskWallet[]) {
    const { accounts, positions, markets } = this.#options.exchange.engine.state;
    const unrealised_micros: bigint[] = [];
    const holdings: Holding[] = [];
    for (const [wallet, { account }] of wallets.entries()) {
      let unrealised = 0n;
      const first = accounts.isAccount(account) ? accounts.firstPosition(account) : NO_POSITION;
      for (let at = first; at !== NO_POSITION; at = positions.next(at)) {
        const lots = positions.lots(at);
        if (lots === 0) continue;
        const market = positions.market(at);
        const { markTicks, terms } = markets[market]!;
        unrealised += BigInt(lots) * BigInt(markTicks) * BigInt(terms.unit_micros) - BigInt(positions.cost(at));
        holdings.push({ wallet, account, market, lots });
      }
      unrealised_micros.push(unrealised);
    }
    return { unrealised_micros, holdings };
  }
}
