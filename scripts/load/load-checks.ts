import type { AuditReport } from "./audit.ts";
import { refusalWords } from "./load-figures.ts";
import { OK, type Tally } from "./tally.ts";
import type { Invariant } from "./target.ts";
import type { Check } from "./verdicts.ts";
import { count } from "./words.ts";

export const answersCheck = (tally: Tally): Check => ({
  name: "no connection broke, no answer was without a code",
  ok: [...tally.refusals().keys()].every((code) => /^-\d+$/.test(code)),
  detail: refusalWords(tally),
});

/** FUT-17: orders that reduce and cancels pass an overloaded exchange. */
export function exemptCheck(tally: Tally): Check {
  const refused = tally.outcome("cancel", "-1008") + tally.outcome("reduce", "-1008");
  const passed = tally.outcome("cancel", OK) + tally.outcome("reduce", OK);
  return {
    name: "cancels and reduce-only orders pass an overload",
    ok: passed + refused === 0 ? null : refused === 0,
    detail: `${count(passed)} passed, ${count(refused)} got -1008`,
  };
}

/**
 * Checks the records against what the bots received, and the exchange's invariants; without an admin the invariants are
 * skipped.
 */
export function bookChecks(report: AuditReport, invariants: readonly Invariant[] | undefined): Check[] {
  const broken = invariants?.filter(({ ok }) => ok === false) ?? [];
  const looked = invariants?.filter(({ ok }) => ok !== null) ?? [];
  const held = looked.map(({ code }) => code).join(" ");
  return [
    {
      name: "every acknowledged order is there once",
      ok: report.ordersAcknowledged === 0 ? null : report.ordersFoundOnce === report.ordersAcknowledged,
      detail: `${count(report.ordersFoundOnce)} of ${count(report.ordersAcknowledged)}`,
    },
    {
      name: "sampled orders are found by their names",
      ok: report.ordersSampled === 0 ? null : report.sampledFound === report.ordersSampled,
      detail: `${count(report.sampledFound)} of ${count(report.ordersSampled)}`,
    },
    {
      name: "user streams reported every fill",
      ok: report.fillsInBooks === 0 ? null : report.fillsStreamed === report.fillsInBooks,
      detail: `${count(report.fillsStreamed)} reported, ${count(report.fillsInBooks)} in the records`,
    },
    {
      name: "the records hold what was acknowledged and nothing else",
      ok: report.faults.length === 0,
      detail: report.faults.length === 0 ? "no difference" : report.faults.join("; "),
    },
    {
      name: "invariants hold",
      ok: invariants === undefined ? null : broken.length === 0,
      detail: broken.length === 0 ? held : broken.map(({ code, detail }) => `${code}: ${detail}`).join("; "),
    },
  ];
}
