import type { Engine } from "../engine.ts";
import { checkAccounts } from "./accounts.ts";
import { checkConditionals } from "./conditionals.ts";
import { checkEntries } from "./entries.ts";
import type { CaseBelowZero, Findings } from "./findings.ts";
import { checkMarkets } from "./markets.ts";
import { checkOrders } from "./orders.ts";
import { type AuditSums, checkSums, sumUp } from "./sums.ts";

export interface Audit {
  /** As text for people; empty if there is no problem. */
  readonly problems: readonly string[];
  readonly sums: AuditSums;
  /**
   * Cases that hold a position: their liquidation is unresolved. Without a position, a balance below zero is a problem.
   */
  readonly belowZero: readonly CaseBelowZero[];
}

/**
 * Checks everything that a live engine holds against the conditions that are true between two commands (INV-1 to INV-3,
 * and every derived value against its source). Sums are BigInt and computed from the records alone, never by the
 * engine's own rules. Changes nothing. Reads every record, so only tests, drills and an operator's inspection call it.
 */
export function auditEngine({ state }: Engine): Audit {
  const findings: Findings = { problems: [], belowZero: [] };
  const sums = sumUp(state);
  checkSums(state, sums, findings);
  checkMarkets(state, findings);
  checkEntries(state, findings);
  checkOrders(state, findings);
  checkConditionals(state, findings);
  checkAccounts(state, findings);
  return { problems: findings.problems, sums, belowZero: findings.belowZero };
}

/** All problems that an audit found. */
export class AuditFault extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the engine is not what it must be:\n- ${problems.join("\n- ")}`);
    this.name = "AuditFault";
    this.problems = problems;
  }
}

/** The audit of an engine without problems; throws an `AuditFault` otherwise. */
export function assertAudit(engine: Engine): Audit {
  const audit = auditEngine(engine);
  if (audit.problems.length > 0) throw new AuditFault(audit.problems);
  return audit;
}
