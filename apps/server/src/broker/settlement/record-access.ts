import type { FastifyRequest } from "fastify";
import { refusals } from "../refusals.ts";
import type { BrokerDb } from "../tables.ts";
import type { RebateRecordRow } from "./leaf.ts";

/** Who asks for a record: everybody sees those in which he has a part, an admin all of them. */
export type Viewer = { readonly isAdmin: true } | { readonly isAdmin: false; readonly wallet: string };

export function viewerOf({ principal }: FastifyRequest): Viewer {
  if (principal?.kind === "staff" && principal.role === "admin") return { isAdmin: true };
  return { isAdmin: false, wallet: principal?.kind === "wallet" ? principal.address.toLowerCase() : "" };
}

/**
 * A record that the viewer may see: its broker's, its downline's, the parent's that shares in it, the affiliate's. To all
 * others it is not there. A frozen broker sees what it traded itself and nothing else (BRK-15).
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
