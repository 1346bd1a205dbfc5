import type { Engine } from "../engine.ts";
import { checkAccounts } from "./accounts.ts";
import { checkConditionals } from "./conditionals.ts";
import type { CaseBelowZero, Findings } from "./findings.ts";
import { checkMarkets } from "./markets.ts";
import { checkOrders } from "./orders.ts";
import { type AuditSums, checkSums, sumUp } from "./sums.ts";
import { checkSymbols } from "./symbols.ts";

export interface Audit {
  /** In plain words; empty when everything is as it must be. */
  readonly problems: readonly string[];
  readonly sums: AuditSums;
  /** Those that hold a position: a liquidation of them is still unresolved. Without a position it is a problem. */
  readonly belowZero: readonly CaseBelowZero[];
}

/**
 * Looks at everything a live engine holds and says what is not as it must be between two commands (INV-1 to INV-3, and
 * all that is derived and kept beside its source). Sums are BigInt and worked out from the records alone, never by the
 * engine's own rules. Changes nothing. Reads every record, so it is for tests, drills and an operator who doubts.
 */
export function auditEngine({ state }: Engine): Audit {
  const findings: Findings = { problems: [], belowZero: [] };
  const sums = sumUp(state);
  checkSums(state, sums, findings);
  checkMarkets(state, findings);
  checkSymbols(state, findings);
  checkOrders(state, findings);
  checkConditionals(state, findings);
  checkAccounts(state, findings);
  return { problems: findings.problems, sums, belowZero: findings.belowZero };
}

/** What an audit found, all of it at once. */
export class AuditFault extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the engine is not what it must be:\n- ${problems.join("\n- ")}`);
    this.name = "AuditFault";
    this.problems = problems;
  }
}

/** The audit of an engine in which nothing is wrong; throws an `AuditFault` otherwise. */
export function assertAudit(engine: Engine): Audit {
  const audit = auditEngine(engine);
  if (audit.problems.length > 0) throw new AuditFault(audit.problems);
  return audit;
}
