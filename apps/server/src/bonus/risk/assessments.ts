import { NO_POSITION, RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import type { Exchange, Projector } from "../../exchange/index.ts";
import { sharedIps } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import type { Log } from "../../kernel/log.ts";
import { within } from "../../kernel/wait.ts";
import { refusals } from "../refusals.ts";
import { type BonusDb, bonusDb } from "../tables.ts";
import { type Holding, readOpenings, readOrders, readRealised } from "./activity-store.ts";
import { sharedSources } from "./funding-store.ts";
import { type Facts, findLinks, type Group, type Link, type RiskWallet } from "./links.ts";
import { counterparties, countPairs, type PairRow, readPairs, tradesOf } from "./pairs.ts";
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
  /** The wallets on the list of market makers. */
  readonly makers: () => Promise<ReadonlySet<string>>;
}

const byAddress = (one: RiskWallet, other: RiskWallet) => (one.address < other.address ? -1 : 1);

/** The links found, with the time of the search. */
export interface Assessment {
  /** The highest score first. */
  readonly links: readonly Link[];
  readonly wallets: number;
  readonly generated_ms: number;
  /** Token transfers are known up to this block; null if none are. */
  readonly funding_block: number | null;
  /** Whether the transfers are known up to the head of the chain. */
  readonly isFundingCurrent: boolean;
}

const PROJECTOR_WAIT_ms = 5_000;
/** How long a request for the list waits for the chain; the scan continues in the background. */
const SCAN_WAIT_ms = 5_000;

/** BON-12: finds linked wallets. The last assessment is cached. */
export class Assessments {
  readonly #options: AssessmentsOptions;
  readonly #db: BonusDb;
  #last: Assessment | undefined;
  #running: Promise<Assessment> | undefined;

  constructor(options: AssessmentsOptions) {
    this.#options = options;
    this.#db = bonusDb(options.database);
  }

  /** The cached assessment if it is at most this old; otherwise a new one, shared by concurrent calls. */
  async latest(longest_ms: number): Promise<Assessment> {
    const age_ms = this.#options.clock.now() - (this.#last?.generated_ms ?? Number.NEGATIVE_INFINITY);
    if (this.#last !== undefined && age_ms <= longest_ms) return this.#last;
    this.#running ??= this.fresh().finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }

  /** A new assessment from the transfers known so far. */
  async fresh(): Promise<Assessment> {
    return await this.#assess(await this.#scanInTime());
  }

  /** A new assessment with all transfers of the chain, however long the scan takes. Rejects if the chain does not answer. */
  async complete(): Promise<Assessment> {
    const { isCurrent } = await this.#options.scan.run();
    return await this.#assess(isCurrent);
  }

  /** Whether all transfers are known. If the chain does not answer, the assessment uses what is known. */
  async #scanInTime(): Promise<boolean> {
    const scanned = this.#options.scan.run().then(
      ({ isCurrent }) => isCurrent,
      (err: unknown) => {
        this.#options.log.warn({ err }, "who funded bonus wallets could not be looked up");
        return false;
      },
    );
    return (await within(scanned, SCAN_WAIT_ms)) ?? false;
  }

  async #assess(isFundingCurrent: boolean): Promise<Assessment> {
    const { clock, scan } = this.#options;
    const generated_ms = clock.now();
    const funding_block = await scan.block();
    const wallets = await readWallets(this.#db);
    const links = wallets.length === 0 ? [] : await findLinks(await this.#facts(wallets));
    this.#last = { links, wallets: wallets.length, generated_ms, funding_block, isFundingCurrent };
    return this.#last;
  }

  async #facts(bonusWallets: readonly RiskWallet[]): Promise<Facts> {
    const { database, platform, clock, makers } = this.#options;
    await this.#upToDate();
    const pairs = await this.#pairs(bonusWallets);
    const wallets = [...bonusWallets, ...counterparties(bonusWallets, pairs)].sort(byAddress);
    const trades = await tradesOf(this.#db, wallets, pairs, { makers: await makers(), now_ms: clock.now() });
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
      // A source that is itself a bonus wallet belongs to the group of the wallets it paid.
      sources: sources.map(({ source, addresses: paid }) => group(source, [source, ...paid])),
      ips: ips.map(({ ip, wallets: signedIn }) => group(ip, signedIn)),
      orders: await readOrders(this.#db, wallets),
      positions: await readOpenings(this.#db, holdings),
      trades,
    };
  }

  /** What bonuses have traded with whom. By rules before version 5 only wallets with a bonus are compared. */
  async #pairs(wallets: readonly RiskWallet[]): Promise<readonly PairRow[]> {
    if (this.#options.exchange.engine.state.rulesVersion < RULES_WITH_FAIR_MARKETS) return [];
    const now = new Date(this.#options.clock.now());
    await this.#db.transaction().execute((tx) => countPairs(tx, now));
    return await readPairs(this.#db, wallets);
  }

  async #upToDate(): Promise<void> {
    await refuseIfLate(this.#options.projector.waitForAll(PROJECTOR_WAIT_ms), refusals.behind);
  }

  /** The wallets' positions and unrealised profit and loss at one moment. */
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
        const { markTicks, definition } = markets[market]!;
        unrealised += BigInt(lots) * BigInt(markTicks) * BigInt(definition.unit_micros) - BigInt(positions.cost(at));
        holdings.push({ wallet, account, market, lots });
      }
      unrealised_micros.push(unrealised);
    }
    return { unrealised_micros, holdings };
  }
}
