import type { ExplainedRecord, RebateScenario } from "@bourse/api/client";

export const SCENARIO_WORDS: Readonly<Record<RebateScenario, string>> = {
  customer: "A customer of the partner",
  customer_of_sub_kol: "A customer of a sub-KOL",
  kol_itself: "The partner's own trades",
  sub_kol_itself: "A sub-KOL's own trades",
  affiliate: "A trader who uses an on-chain code",
};

/** Whose rate bounds a rebate. */
export const ROLE_WORDS: Readonly<Record<string, string>> = {
  kol: "KOL",
  sub_kol: "sub-KOL",
  parent: "parent",
  affiliate: "code's owner",
};

type Line = ExplainedRecord["lines"][number];

export const LINE_WORDS: Readonly<Record<Line["kind"], string>> = {
  customer: "downline",
  kol: "partner",
  share: "parent",
  affiliate: "owner of the code",
};

export const LINE_STATES: Readonly<Record<Line["status"], string>> = {
  pending: "pending",
  in_batch: "in a payout",
  paid: "paid",
};

/** Where the parent's ratio was written down. */
export const SHARE_SOURCES: Readonly<Record<string, string>> = {
  downline_code: "by the downline's code",
  sub_kol_code: "by the sub-KOL's code",
};

/** The interface gives the formula in one line; a reader takes it step by step. */
export const formulaSteps = (formula: string): readonly string[] =>
  formula
    .split(";")
    .map((step) => step.trim())
    .filter((step) => step !== "");
