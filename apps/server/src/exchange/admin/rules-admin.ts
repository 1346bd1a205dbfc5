import type { RulesVersion, RulesVersionReply, RulesVersionRequest } from "@bourse/api";
import { NEWEST_RULES, RULES_WITH_REFERENCES } from "@bourse/engine";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Actor } from "../../kernel/http/callers.ts";
import { moneyText } from "../../kernel/units.ts";
import { engineRefusal } from "../account/refusals.ts";
import type { AccountDirectory } from "../accounts/directory.ts";
import type { Exchange } from "../host/exchange.ts";
import type { Rehearsal, RehearsalRequest } from "../journal/rehearse-rules.ts";

export interface RulesAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly engineRequests: Pick<EngineRequests, "tell" | "answer">;
  readonly directory: Pick<AccountDirectory, "commitWallets">;
  readonly folder: string;
  /** `BACKUP_DIR`, which has older snapshots. */
  readonly archive?: string | undefined;
  readonly rehearse: (request: RehearsalRequest) => Promise<Rehearsal>;
  /** LOG-3: notes settings from before the rules with references. */
  readonly takeUpSettings: () => Promise<unknown>;
  /** What an operator has to change before a version can hold; undefined if nothing. */
  readonly obstacleTo?: (version: number) => string | undefined;
  /** The newest version that all processes of the exchange can apply. */
  readonly knownRules: () => Promise<number>;
}

const REHEARSED_ms = 86_400_000;
const MAX_SHOWN = 1_000;

/** LOG-5: which rules hold, and the way to later ones. */
export class RulesAdmin {
  readonly #options: RulesAdminOptions;

  constructor(options: RulesAdminOptions) {
    this.#options = options;
  }

  async read(): Promise<RulesVersion> {
    const { exchange, knownRules } = this.#options;
    return { version: exchange.engine.state.rulesVersion, newest: NEWEST_RULES, possible: await knownRules() };
  }

  async set({ version, dry_run, reason }: RulesVersionRequest, actor: Actor): Promise<RulesVersionReply> {
    await this.#assertPossible(version, dry_run === true);
    const rehearsal = dry_run === true ? await this.#rehearse(version) : null;
    if (rehearsal === null) await this.#raise(version, actor, reason);
    return { ...(await this.read()), dry_run: rehearsal !== null, rehearsal };
  }

  async #assertPossible(version: number, isDryRun: boolean): Promise<void> {
    const { version: now, newest, possible } = await this.read();
    if (version > newest) {
      throw new ApiError(400, "INVALID_PARAMETER", `this release knows rules up to version ${newest}, not ${version}`);
    }
    if (version <= now) {
      throw new ApiError(409, "CONFLICT", `rules version ${now} holds already, and rules do not go back`);
    }
    if (isDryRun) return;
    const obstacle = this.#options.obstacleTo?.(version);
    if (obstacle !== undefined) throw new ApiError(409, "CONFLICT", obstacle);
    if (version <= possible) return;
    const why = `a process of the exchange can apply rules up to version ${possible} only: start the new release everywhere`;
    throw new ApiError(409, "CONFLICT", why);
  }

  async #raise(version: number, actor: Actor, reason: string | undefined): Promise<void> {
    const { database, audit, exchange, engineRequests, directory } = this.#options;
    const before = exchange.engine.state.rulesVersion;
    const ref = `rules:${version}`;
    await database.db.transaction().execute(async (tx) => {
      await engineRequests.tell(tx, ref, { kind: "set_rules_version", version });
      // LOG-2: accounts from before have no wallet in the log yet.
      if (before < RULES_WITH_REFERENCES) await directory.commitWallets(tx);
      const change = { before: { version: before }, after: { version } };
      await audit.append(tx, { ...actor, action: "rules.version", target: String(version), ...change, reason });
    });
    const answer = await engineRequests.answer(ref);
    if (answer?.refused !== undefined) throw engineRefusal(answer.refused);
    await this.#options.takeUpSettings();
  }

  async #rehearse(version: number): Promise<NonNullable<RulesVersionReply["rehearsal"]>> {
    const { exchange, clock, folder, archive, rehearse } = this.#options;
    const number = exchange.engine.state.commandNumber;
    const rehearsal = await rehearse({ folder, archive, number, version, since_ms: clock.now() - REHEARSED_ms });
    const { differences, feeAccount } = rehearsal;
    const changed = (now_micros: number, rehearsed_micros: number) => ({
      now: moneyText(now_micros),
      rehearsed: moneyText(rehearsed_micros),
      difference: moneyText(rehearsed_micros - now_micros),
    });
    const largest = differences.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_SHOWN);
    return {
      from_number: rehearsal.fromNumber,
      commands: rehearsal.commands,
      since: new Date(rehearsal.since_ms).toISOString(),
      accounts_changed: differences.length,
      accounts: largest.map(({ account, now_micros, rehearsed_micros }) => ({
        account,
        ...changed(now_micros, rehearsed_micros),
      })),
      fee_account: changed(feeAccount.now_micros, feeAccount.rehearsed_micros),
    };
  }
}

const sizeOf = ({ now_micros, rehearsed_micros }: Rehearsal["differences"][number]) =>
  Math.abs(rehearsed_micros - now_micros);
