import type { FastifyRequest } from "fastify";
import { refusals } from "../refusals.ts";
import type { BrokerDb } from "../tables.ts";
import type { RebateRecordRow } from "./leaf.ts";

/** The viewer of a record: an admin sees all records, a wallet those in which it has a part. */
export type Viewer = { readonly isAdmin: true } | { readonly isAdmin: false; readonly wallet: string };

export function viewerOf({ principal }: FastifyRequest): Viewer {
  if (principal?.kind === "staff" && principal.role === "admin") return { isAdmin: true };
  return { isAdmin: false, wallet: principal?.kind === "wallet" ? principal.address.toLowerCase() : "" };
}

/**
 * A record that the viewer may see as its broker, its downline, the parent with a share, or the affiliate. For others the record
 * does not exist. A frozen broker sees only its own trades (BRK-15).
 */
export async function findRecord(db: BrokerDb, id: string, viewer: Viewer): Promise<RebateRecordRow> {
  const record = await db.selectFrom("rebate_record").selectAll().where("id", "=", id).executeTakeFirst();
  if (record === undefined || !(await maySee(db, record, viewer))) throw refusals.notFound("rebate record");
  return record;
}

async function maySee(db: BrokerDb, record: RebateRecordRow, viewer: Viewer): Promise<boolean> {
  if (viewer.isAdmin) return true;
  const { wallet } = viewer;
  if (wallet === record.downline_wallet) return true;
  if (wallet !== record.net_payee && wallet !== record.share_payee) return false;
  if (record.kind === "affiliate") return true;
  const broker = db.selectFrom("broker").select("id").where("wallet_address", "=", wallet);
  return (await broker.where("status", "=", "active").executeTakeFirst()) !== undefined;
}
