import type { Invariant } from "@bourse/api";
import { type Audit, auditEngine } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import { moneyText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";

/** The result of a check. `ok` is null if no check is implemented. */
export interface Finding {
  readonly ok: boolean | null;
  readonly detail: string;
}

/** The engine's figures at the time of the check. */
export interface EngineMoment {
  readonly audit: Audit;
  /** The number of the last command from the outbox. */
  readonly externalNumber: number;
}

export interface InvariantsOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** INV-6: replays snapshot and log beside the running exchange and compares the hashes. */
  readonly replay?: () => Promise<Finding>;
  /** INV-7: the number of the last command that is durable. */
  readonly durableNumber?: () => number;
  /** INV-3 outside the engine, INV-4, INV-5, INV-8, INV-10, INV-11: checked by the modules that own the data. */
  readonly programs?: Readonly<Record<string, (engine: EngineMoment) => Promise<Finding>>>;
  /** An audit reads the whole state; within this time the last result is returned again. */
  readonly freshFor_ms?: number;
}

const NAMES = {
  "INV-1": "Money: what is held is what came in",
  "INV-2": "Positions of every symbol add up to zero",
  "INV-3": "Bonus: grants, balances and what was consumed agree",
  "INV-4": "Rebates: the parts of every record add up",
  "INV-5": "Earn: the contract covers every principal",
  "INV-6": "Replay: snapshot and log give the live state",
  "INV-7": "What was acknowledged is durable",
  "INV-8": "Backing: the vault covers what is owed",
  "INV-10": "The fund loses less than its cap in every market",
  "INV-11": "No pair of accounts moves money far from the mark",
  ENGINE: "Everything the engine derives agrees with its source",
} as const;
type Code = keyof typeof NAMES;

const NOT_COMPUTED: Finding = { ok: null, detail: "nothing computes it yet" };
const FRESH_FOR_ms = 1_000;
const MAX_PROBLEMS = 5;

const said = (problems: readonly string[], otherwise: string): Finding => ({
  ok: problems.length === 0,
  detail: problems.length === 0 ? otherwise : problems.slice(0, MAX_PROBLEMS).join("; "),
});

/** WIRE-10: checks the invariants on request. */
export class InvariantChecks {
  readonly #options: InvariantsOptions;
  #last: { readonly at_ms: number; readonly invariants: Promise<Invariant[]> } | undefined;

  constructor(options: InvariantsOptions) {
    this.#options = options;
  }

  /** Concurrent calls share one check. */
  check(): Promise<Invariant[]> {
    const { clock, freshFor_ms = FRESH_FOR_ms } = this.#options;
    const now_ms = clock.now();
    if (this.#last !== undefined && now_ms - this.#last.at_ms < freshFor_ms) return this.#last.invariants;
    const invariants = this.#checkAll();
    this.#last = { at_ms: now_ms, invariants };
    return invariants;
  }

  async #checkAll(): Promise<Invariant[]> {
    const { exchange, programs = {} } = this.#options;
    const audit = auditEngine(exchange.engine);
    const moment = { audit, externalNumber: exchange.engine.state.externalNumber };
    const ask = (code: Code) => async () => (await programs[code]?.(moment)) ?? NOT_COMPUTED;
    const findings: [Code, () => Promise<Finding>][] = [
      ["INV-1", async () => judgeMoney(audit)],
      ["INV-2", async () => judgePositions(audit, exchange.engine.state.markets.length)],
      ["INV-3", async () => judgeBonus(audit, await programs["INV-3"]?.(moment))],
      ["INV-4", ask("INV-4")],
      ["INV-5", ask("INV-5")],
      ["INV-6", this.#options.replay ?? (async () => NOT_COMPUTED)],
      ["INV-7", async () => this.#judgeDurability()],
      ["INV-8", ask("INV-8")],
      ["INV-10", ask("INV-10")],
      ["INV-11", ask("INV-11")],
      ["ENGINE", async () => said(unlabelled(audit), "all derived figures agree with their sources")],
    ];
    const invariants: Invariant[] = [];
    for (const [code, find] of findings) invariants.push(await this.#judged(code, find));
    return invariants;
  }

  async #judged(code: Code, find: () => Promise<Finding>): Promise<Invariant> {
    let finding: Finding;
    try {
      finding = await find();
    } catch (error) {
      // A check that throws counts as failed.
      const reason = error instanceof Error ? error.message : String(error);
      finding = { ok: false, detail: `the check failed: ${reason}` };
    }
    const isComputed = finding.ok !== null;
    const checked_at = isComputed ? new Date(this.#options.clock.now()).toISOString() : null;
    return { code, name: NAMES[code], ok: finding.ok, checked_at, detail: finding.detail };
  }

  #judgeDurability(): Finding {
    const { exchange, durableNumber } = this.#options;
    if (exchange.failure !== undefined) return { ok: false, detail: exchange.failure.message };
    if (durableNumber === undefined) return NOT_COMPUTED;
    // The engine applies a command only after its sync, so its number is at most the durable number.
    const durable = durableNumber();
    const applied = exchange.engine.state.commandNumber;
    return { ok: applied <= durable, detail: `${durable} commands durable, ${applied} applied` };
  }
}

function judgeMoney({ sums, problems }: Audit): Finding {
  const own = problems.filter((problem) => problem.startsWith("INV-1"));
  const text = `held ${moneyText(sums.held)} USDT = brought in ${moneyText(sums.brought)} USDT`;
  return said(own, text);
}

function judgePositions({ problems }: Audit, markets: number): Finding {
  return said(
    problems.filter((problem) => problem.startsWith("INV-2")),
    `${markets} markets, each adding up to zero`,
  );
}

function judgeBonus({ sums, problems }: Audit, ledger: Finding | undefined): Finding {
  const own = problems.filter((problem) => problem.startsWith("INV-3"));
  const inAccounts = `bonus in accounts ${moneyText(sums.bonus)} USDT, consumed ${moneyText(sums.consumed)} USDT`;
  const engine = said(own, inAccounts);
  if (ledger === undefined || ledger.ok === null) return engine;
  return { ok: engine.ok === true && ledger.ok, detail: `${engine.detail}; ${ledger.detail}` };
}

const unlabelled = ({ problems }: Audit) => problems.filter((problem) => !/^INV-[123]\b/.test(problem));
