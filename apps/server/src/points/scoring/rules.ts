import type { PointsRule, PointsRules, PointsRulesRequest } from "@bourse/api";
import { type Selectable, sql } from "kysely";
import type { Exchange } from "../../exchange/index.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { readNoted } from "../../kernel/engine-requests/noted-rows.ts";
import { unlessLate } from "../../kernel/late.ts";
import type { Actor } from "../callers.ts";
import { RULES, RULES_LOCK } from "../noted.ts";
import { refusals } from "../refusals.ts";
import { type MarketBoosts, type PointsDb, type PointsRuleTable, pointsDb } from "../tables.ts";
import { ONE_e2 } from "./formulas.ts";
import { factorText, readFactor, readReason } from "./inputs.ts";

export interface RulesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly exchange: Pick<Exchange, "engine">;
  readonly engineRequests: Pick<EngineRequests, "note" | "isNoting" | "answer">;
}

type RuleRow = Selectable<PointsRuleTable>;

const MAX_BOOST_e2 = 200;
const MAX_MAKER_e2 = 1_000;
/** The maximum number of earlier versions shown. */
const MAX_HISTORY = 100;
const MAX_SYMBOL_chars = 40;

function shown({ version, maker_e2, referral_e2, boosts, created_at, ...row }: RuleRow): PointsRule {
  const texts = Object.entries(boosts).map(([symbol, boost_e2]) => [symbol, factorText(boost_e2)] as const);
  return {
    version,
    points_per_fee: row.points_per_fee,
    maker_multiplier: factorText(maker_e2),
    usdt_per_earn_point: row.usdt_per_earn_point,
    referral_share: factorText(referral_e2),
    boosts: Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    created_by: row.created_by,
    created_at: created_at.toISOString(),
  };
}

const newest = (db: PointsDb, limit: number): Promise<RuleRow[]> =>
  db.selectFrom("points_rule").selectAll().orderBy("version", "desc").limit(limit).execute();

async function current(db: PointsDb): Promise<RuleRow> {
  const [rule] = await newest(db, 1);
  if (rule === undefined) throw new Error("there is no rule to score by");
  return rule;
}

/** PTS-3: the parameters of scoring. A change is a new version, which applies to fills after its note in the log (LOG-3). */
export class Rules {
  readonly #options: RulesOptions;

  constructor(options: RulesOptions) {
    this.#options = options;
  }

  async current(): Promise<PointsRule> {
    return shown(await current(pointsDb(this.#options.database)));
  }

  /** The current rule, and the earlier ones. */
  async all(): Promise<PointsRules> {
    const [rule, ...earlier] = (await newest(pointsDb(this.#options.database), MAX_HISTORY + 1)).map(shown);
    if (rule === undefined) throw new Error("there is no rule to score by");
    return { ...rule, history: earlier };
  }

  /** Omitted fields keep their values; the boosts are replaced as a whole. Returns when the engine has the new version. */
  async change(request: PointsRulesRequest, actor: Actor): Promise<PointsRule> {
    const { database, clock, audit, engineRequests } = this.#options;
    const given = this.#readGiven(request);
    const reason = readReason(request.reason);
    const { rule, ref } = await pointsDb(database)
      .transaction()
      .execute(async (tx) => {
        // Serialised: each version is derived from the previous one.
        await lockInTransaction(tx, RULES_LOCK);
        const before = await current(tx);
        const { version: _version, ...kept } = before;
        const made = { created_by: actor.actor, created_at: new Date(clock.now()) };
        const row = { ...kept, ...given, ...made, from_command: engineRequests.isNoting ? null : 0 };
        const rule = shown(await tx.insertInto("points_rule").values(row).returningAll().executeTakeFirstOrThrow());
        const noted = await readNoted(tx, RULES, sql`one.version = ${rule.version}`);
        const ref = await engineRequests.note(tx, RULES, noted);
        const entry = { before: { ...shown(before) }, after: { ...rule } };
        await audit.append(tx, { ...actor, action: "points.rules.change", target: "rules", ...entry, reason });
        return { rule, ref };
      });
    // The change is committed: it stands even if the engine's answer is late.
    if (ref !== undefined) await unlessLate(engineRequests.answer(ref));
    return rule;
  }

  #readGiven(request: PointsRulesRequest) {
    const { points_per_fee, maker_multiplier: maker, usdt_per_earn_point, referral_share: share } = request;
    return {
      boosts: JSON.stringify(this.#readBoosts(request.boosts)),
      ...(points_per_fee === undefined ? {} : { points_per_fee }),
      ...(maker === undefined ? {} : { maker_e2: readFactor("maker_multiplier", maker, 0, MAX_MAKER_e2) }),
      ...(usdt_per_earn_point === undefined ? {} : { usdt_per_earn_point }),
      ...(share === undefined ? {} : { referral_e2: readFactor("referral_share", share, 0, ONE_e2) }),
    };
  }

  #readBoosts(given: PointsRulesRequest["boosts"]): MarketBoosts {
    const { markets } = this.#options.exchange.engine.state;
    const boosts = new Map<string, number>();
    for (const [name, boost] of Object.entries(given)) {
      const symbol = name.toUpperCase();
      const shownName = name.slice(0, MAX_SYMBOL_chars);
      if (!markets.some(({ definition }) => definition.symbol === symbol)) {
        throw refusals.invalidField("boosts", `name ${shownName}, which is no market`);
      }
      if (boosts.has(symbol)) throw refusals.invalidField("boosts", `name ${symbol} twice`);
      boosts.set(symbol, readFactor(`boosts.${shownName}`, boost, ONE_e2, MAX_BOOST_e2));
    }
    return Object.fromEntries(boosts);
  }
}
