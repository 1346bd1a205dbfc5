import type { Command } from "@bourse/engine";
import { sql } from "kysely";
import { restoreLostBds } from "../identity/index.ts";
import type { Tx } from "../kernel/database/database.ts";
import { type Noted, type NotedRow, notedBy, writeNoted } from "../kernel/engine-requests/noted-rows.ts";
import type { LoggedRequest, RebuildPart } from "../rebuild/index.ts";
import { BATCHES, BINDS, BROKERS, CODES, PERIODS, TERMS, TIERS } from "./noted.ts";
import { restoreBatch, restorePayment } from "./payouts/restore.ts";
import { restorePeriod } from "./settlement/restore.ts";

/** Each after those that it refers to, the brokers before all of them. */
const AFTER_BROKERS = [CODES, BINDS, TERMS];
const TABLES = [TIERS, BROKERS, ...AFTER_BROKERS];

/** What was decided from all that had happened before it. */
const isDecision = (command: Command): boolean => {
  const table = notedBy(command)?.table;
  return command.kind === "pay_out" || table === PERIODS.name || table === BATCHES.name;
};

/**
 * LOG-3: partners, terms, closed days and payout batches. Days and batches are computed by the code that computed them first, from
 * what the log had before them; the root or digest in the log shows whether they are the same. Accruals are written by their
 * projection.
 */
export const brokerPart: RebuildPart = {
  name: "broker",
  tables: [
    ...[...TABLES, PERIODS, BATCHES].map(({ name }) => name),
    ...["rebate_root", "rebate_record", "broker_day_total", "broker_total", "broker_downline_total"],
    ...["payout_payee", "payout_line"],
  ],
  startsBatch: isDecision,
  async restore(tx, { requests }) {
    const done = requests.filter(({ refused }) => refused === undefined);
    let written = 0;
    // A batch has no other decision than its first command.
    for (const request of done) if (isDecision(request.command)) written += await restoreDecision(tx, request);
    const noted = done.flatMap((request) => termsBy(request) ?? notedBy(request.command) ?? []);
    if (noted.length === 0) return written;
    await restoreReferredBds(tx, noted, done[0]!.at);
    await assignKeptBinds(tx, noted);
    written += await writeNoted(tx, TIERS, noted);
    // A noted broker may refer to one that only terms tell of, and the reverse.
    await restoreReferredBrokers(tx, noted);
    written += await writeNoted(tx, BROKERS, noted);
    await restoreReferredBrokers(tx, noted);
    for (const table of AFTER_BROKERS) written += await writeNoted(tx, table, noted);
    return written;
  },
  async findLosses(db) {
    const { rows } = await sql<{ days: number; first: string; last: string }>`
      select count(*)::int as days, min(period) as first, max(period) as last
      from rebate_period where is_sealed`.execute(db);
    const { days = 0, first, last } = rows[0] ?? {};
    if (days === 0) return [];
    const what = `${days} days of rebates from ${first} to ${last} do not come out of the log as they were published`;
    return [`${what}. They are sealed: neither settled nor paid again. What is still owed of them is paid by hand.`];
  },
};

async function restoreDecision(tx: Tx, request: LoggedRequest): Promise<number> {
  const noted = notedBy(request.command);
  if (noted === undefined) return await restorePayment(tx, request);
  return await (noted.table === PERIODS.name ? restorePeriod(tx, noted.row) : restoreBatch(tx, noted.row));
}

/** LOG-1: `set_terms` carries its row of terms. */
function termsBy({ command, details, secret }: LoggedRequest): Noted | undefined {
  if (command.kind !== "set_terms" || details === undefined || secret === undefined) return undefined;
  const row = { ...(details as NotedRow), ...(JSON.parse(secret) as NotedRow) };
  return { table: TERMS.name, row, isGone: false };
}

/** BDs, whom rows refer to, are lost with the database. */
async function restoreReferredBds(tx: Tx, noted: readonly Noted[], now: Date): Promise<void> {
  const bds = noted.flatMap(({ row }) => [row.bd_owner_id, row.bd_id]).filter((id) => typeof id === "string");
  await restoreLostBds(tx, bds, now);
}

/**
 * Brokers whose terms are older than the notes of brokers, as far as their parents are there. They get their own rows with their
 * first note.
 */
async function restoreReferredBrokers(tx: Tx, noted: readonly Noted[]): Promise<void> {
  const terms = noted.filter(({ table, row }) => table === TERMS.name && row.kind === "broker").map(({ row }) => row);
  const ids = terms.map(({ broker_id }) => broker_id);
  await sql`
    insert into broker (id, account, wallet_address, parent_broker_id, level, rate_e6, bound_share_e6, status, created_at)
    select distinct on (broker_id) broker_id, account, wallet_address, parent_broker_id,
      case when parent_broker_id is null then 1 end, rate_e6, bound_share_e6, status, created_at
    from jsonb_populate_recordset(null::broker_terms, ${JSON.stringify(terms)}::jsonb)
    where parent_broker_id is null or parent_broker_id = any(${ids}::uuid[])
      or exists (select from broker as parent where parent.id = parent_broker_id)
    order by broker_id, terms_version
    on conflict do nothing`.execute(tx);
}

/** SEC-11: binds that an older database still keeps without an account have one in the log. */
async function assignKeptBinds(tx: Tx, noted: readonly Noted[]): Promise<void> {
  const binds = noted.filter(({ table }) => table === BINDS.name).map(({ row }) => row);
  await sql`
    update broker_bind set account = noted.account
    from jsonb_populate_recordset(null::broker_bind, ${JSON.stringify(binds)}::jsonb) as noted
    where broker_bind.wallet_address = noted.wallet_address and broker_bind.account is null`.execute(tx);
}
