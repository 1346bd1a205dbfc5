import { type Expression, sql } from "kysely";
import type { BrokerDb } from "../../tables.ts";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The tables that the database would read completely to answer the query. */
export async function tablesReadWhole(
  db: BrokerDb,
  query: Expression<unknown>,
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const { rows } = await sql<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>`
    explain (format json) ${query}`.execute(db);
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  if (plan === undefined) throw new Error("the database gave no plan");
  return nodesOf(plan)
    .filter((node) => node["Node Type"] === "Seq Scan" && tables.has(node["Relation Name"] ?? ""))
    .map((node) => node["Relation Name"] ?? "");
}
