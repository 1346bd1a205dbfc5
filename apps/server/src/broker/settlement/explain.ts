import type { ExplainedGroup, ExplainedRecord, RebateScenario } from "@bourse/api";
import { BUY } from "@bourse/engine";
import { amountText, ratioText } from "../ratios.ts";
import type { BrokerDb } from "../tables.ts";
import {
  type FillRow,
  type GroupRow,
  type Parts,
  readFills,
  readGroups,
  readLines,
  readOtherRevisions,
  readTerms,
  type TermsRow,
} from "./explain-store.ts";
import type { RebateRecordRow } from "./leaf.ts";
import { reasonText } from "./reasons.ts";
import { findRecord, type Viewer } from "./record-access.ts";

const MAX_FILLS = 500;
const PARTS = ["fee", "nominal", "customer", "share", "net"] as const;

const sumOf = (rows: readonly Parts[]): Parts => {
  const sum = (name: keyof Parts) => rows.reduce((total, row) => total + row[name], 0n);
  const [fee_micros, nominal_micros] = [sum("fee_micros"), sum("nominal_micros")];
  const [customer_micros, share_micros, net_micros] = [sum("customer_micros"), sum("share_micros"), sum("net_micros")];
  return { fee_micros, nominal_micros, customer_micros, share_micros, net_micros };
};

const difference = (a: Parts, b: Parts): Parts => ({
  fee_micros: a.fee_micros - b.fee_micros,
  nominal_micros: a.nominal_micros - b.nominal_micros,
  customer_micros: a.customer_micros - b.customer_micros,
  share_micros: a.share_micros - b.share_micros,
  net_micros: a.net_micros - b.net_micros,
});

const partTexts = (parts: Parts) => ({
  fee: amountText(parts.fee_micros),
  nominal: amountText(parts.nominal_micros),
  customer: amountText(parts.customer_micros),
  share: amountText(parts.share_micros),
  net: amountText(parts.net_micros),
});

export const fillView = (fill: FillRow) => ({
  symbol: fill.symbol,
  trade_id: Number(fill.trade),
  side: fill.side === BUY ? ("BUY" as const) : ("SELL" as const),
  time: new Date(Number(fill.time_ms)).toISOString(),
  fee: amountText(fill.fee_micros),
  counted: amountText(fill.counted_micros),
  reason: fill.reason,
  reason_text: reasonText(fill.reason),
  terms_version: Number(fill.terms_version),
});

function scenarioOf({ kind, is_own, parent_wallet }: TermsRow): RebateScenario {
  if (kind === "affiliate") return "affiliate";
  if (is_own) return parent_wallet === null ? "kol_itself" : "sub_kol_itself";
  return parent_wallet === null ? "customer" : "customer_of_sub_kol";
}

function chainOf(terms: TermsRow): ExplainedGroup["chain"] {
  const { affiliate, parent_wallet, parent_rate_e6 } = terms;
  const own = ratioText(terms.own_rate_e6);
  if (affiliate !== null) return [{ wallet: affiliate, role: "affiliate", rate: own }];
  if (parent_wallet === null || parent_rate_e6 === null) return [{ wallet: terms.wallet, role: "kol", rate: own }];
  return [
    { wallet: terms.wallet, role: "sub_kol", rate: own },
    { wallet: parent_wallet, role: "parent", rate: ratioText(parent_rate_e6) },
  ];
}

function shareOrigin({ is_own, parent_wallet, bound_share_e6, code_share_e6 }: TermsRow): string {
  if (is_own || parent_wallet === null) return "none";
  return (code_share_e6 ?? 0) >= bound_share_e6 ? "downline_code" : "sub_kol_code";
}

/** The formula of BRK-13 with the group's numbers. */
function formulaOf(group: GroupRow): string {
  const { fee, nominal, customer, share, net } = partTexts(group);
  const [rate, ratio, shareRatio] = [group.rate_e6, group.ratio_e6, group.share_e6].map(ratioText);
  return [
    `nominal = floor6(${fee} × ${rate}) = ${nominal}`,
    `customer = floor6(${fee} × ${ratio}) = ${customer}`,
    `share = floor6((${nominal} − ${customer}) × ${shareRatio}) = ${share}`,
    `net = ${nominal} − ${customer} − ${share} = ${net}`,
  ].join("; ");
}

const isUnder = (group: GroupRow) => (terms: TermsRow) =>
  terms.rate_e6 === group.rate_e6 && terms.ratio_e6 === group.ratio_e6 && terms.share_e6 === group.share_e6;

function groupView(group: GroupRow, allTerms: readonly TermsRow[]): ExplainedGroup {
  const own = allTerms.filter(isUnder(group));
  const last = own.at(-1);
  if (last === undefined) throw new Error("a group of fees without terms");
  const rates_e6 = [last.own_rate_e6, ...(last.parent_rate_e6 === null ? [] : [last.parent_rate_e6])];
  return {
    terms_versions: own.map(({ terms_version }) => Number(terms_version)),
    scenario: scenarioOf(last),
    chain: chainOf(last),
    rate: ratioText(group.rate_e6),
    cap: ratioText(Math.min(...rates_e6)),
    customer_ratio: ratioText(group.ratio_e6),
    customer_ratio_of_code: last.code_ratio_e6 === null ? null : ratioText(last.code_ratio_e6),
    share_ratio: ratioText(group.share_e6),
    share_ratio_from: shareOrigin(last),
    ...partTexts(group),
    formula: formulaOf(group),
  };
}

/** How the record follows from its groups, the other revisions and the fees after the last settlement. */
function formulaOfRecord(
  record: RebateRecordRow,
  groups: readonly GroupRow[],
  others: readonly Parts[],
  unsettled: Parts,
): string {
  const hasLater = PARTS.some((name) => unsettled[`${name}_micros`] !== 0n);
  const [only] = groups;
  if (only !== undefined && groups.length === 1 && others.length === 0 && !hasLater) return formulaOf(only);
  const [all, settled, later] = [partTexts(sumOf(groups)), partTexts(sumOf(others)), partTexts(unsettled)];
  const own = partTexts(record);
  return PARTS.map((name) => {
    const less = others.length === 0 ? "" : ` − ${settled[name]} in other revisions`;
    const open = hasLater ? ` − ${later[name]} not settled yet` : "";
    return `${name} = ${all[name]} of all groups${less}${open} = ${own[name]}`;
  }).join("; ");
}

/** BRK-17: the fills, rates, cap and formula of a record. */
export async function explainRecord(db: BrokerDb, id: string, viewer: Viewer): Promise<ExplainedRecord> {
  const record = await findRecord(db, id, viewer);
  const day = db.selectFrom("rebate_period").select("status").where("period", "=", record.period);
  const { status } = await day.executeTakeFirstOrThrow();
  const groups = await readGroups(db, record);
  const terms = await readTerms(db, record);
  const others = await readOtherRevisions(db, record);
  const versions = terms.map(({ terms_version }) => terms_version);
  const { fills, total } = await readFills(db, record, versions, MAX_FILLS);
  const lines = await readLines(db, record);
  const unsettled = difference(sumOf(groups), sumOf([record, ...others]));
  return {
    record: {
      id: record.id,
      kind: record.kind,
      period: record.period,
      broker_id: record.broker_id,
      downline_wallet: record.downline_wallet,
      revision: record.revision,
      ...partTexts(record),
      rate: ratioText(record.rate_e6),
      customer_ratio: ratioText(record.customer_ratio_e6),
      share_ratio: ratioText(record.share_ratio_e6),
      payment_status: record.payment_status,
      status,
    },
    formula: formulaOfRecord(record, groups, others, unsettled),
    groups: groups.map((group) => groupView(group, terms)),
    other_revisions: others.map((other) => ({ id: other.id, revision: other.revision, ...partTexts(other) })),
    unsettled: partTexts(unsettled),
    fills: fills.map(fillView),
    fills_total: total,
    lines: lines.map(({ kind, payee, amount_micros, status: lineStatus }) => ({
      kind,
      payee,
      amount: amountText(amount_micros),
      status: lineStatus,
    })),
  };
}
