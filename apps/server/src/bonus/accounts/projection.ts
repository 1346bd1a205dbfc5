import { sql } from "kysely";
import type { ProjectedBatch } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { type AnsweredMessage, answeredMessages } from "../../kernel/engine-requests/answers.ts";
import { type PoolReturn, writeReturns } from "../pool.ts";
import { answerRequest } from "../requests.ts";
import { type BonusTx, bonusTx } from "../tables.ts";
import { controlAnswer } from "./answers.ts";
import { type BonusChanges, bonusChanges, CONTROL_KINDS, type Repayment } from "./changes.ts";
import { parseControlRef, parseGrantRef } from "./refs.ts";

const ASKED_KINDS: ReadonlySet<string> = new Set(["grant_bonus", ...CONTROL_KINDS]);

/** A bonus that had not ended before this batch. */
interface RunningRow {
  readonly id: bigint;
  readonly account: number;
  readonly amount_micros: bigint;
  readonly locked_micros: bigint;
}

/** A grant that the engine refused. */
interface RefusedGrant {
  readonly row: RunningRow;
  readonly reason: string;
  readonly command_number: number;
  readonly at: Date;
}

const isFrozen = ({ events }: AnsweredMessage) =>
  events.some((event) => event.kind === "bonus_state_set" && event.state === "frozen");

async function runningRows(tx: BonusTx, accounts: Iterable<number>, ids: readonly bigint[]): Promise<RunningRow[]> {
  const { rows } = await sql<RunningRow>`
    select id, account, amount_micros, locked_micros from bonus_account
    where ended_at is null and (account = any(${[...accounts]}::int[]) or id = any(${ids}::bigint[]))`.execute(tx);
  return rows;
}

function refusedGrants(answers: readonly AnsweredMessage[], rows: readonly RunningRow[]): RefusedGrant[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return answers.flatMap(({ ref, refused, command_number, at }) => {
    const row = refused === undefined ? undefined : byId.get(parseGrantRef(ref) ?? -1n);
    return row === undefined || refused === undefined ? [] : [{ row, reason: refused.reason, command_number, at }];
  });
}

/** Writes the pool's lines. This comes first: a grant locks the pool's row and then may wait for an account's row. */
async function writePool(
  tx: BonusTx,
  changes: BonusChanges,
  rows: readonly RunningRow[],
  refused: readonly RefusedGrant[],
): Promise<void> {
  const idOf = new Map(rows.map(({ account, id }) => [account, id]));
  const returned = changes.returns.flatMap(({ amount_micros, ...line }): PoolReturn[] => {
    const bonus_account_id = idOf.get(line.account);
    return bonus_account_id === undefined ? [] : [{ ...line, bonus_account_id, amount_micros: BigInt(amount_micros) }];
  });
  const notTaken = refused.map(({ row, command_number, at }): PoolReturn => {
    const { id: bonus_account_id, account, amount_micros } = row;
    const place = { command_number, event_index: null, time_ms: at.getTime() };
    return { kind: "REFUSED", bonus_account_id, account, amount_micros, ...place };
  });
  await writeReturns(tx, [...returned, ...notTaken]);

  const decided = [
    ...[...changes.accounts.values()].flatMap(({ account, granted }) => {
      const id = idOf.get(account);
      return id === undefined || granted === undefined ? [] : [{ id, ...granted }];
    }),
    ...refused.map(({ row, command_number }) => ({ id: row.id, command_number, event_index: null })),
  ];
  if (decided.length === 0) return;
  await sql`
    update bonus_pool_line as line set command_number = decided.command_number, event_index = decided.event_index
    from unnest(${decided.map(({ id }) => id)}::bigint[], ${decided.map((one) => one.command_number)}::bigint[],
      ${decided.map(({ event_index }) => event_index)}::int[]) as decided (id, command_number, event_index)
    where line.bonus_account_id = decided.id and line.kind = 'GRANT' and line.command_number is null`.execute(tx);
}

async function writeAccounts(tx: BonusTx, { accounts }: BonusChanges): Promise<void> {
  const changes = [...accounts.values()];
  if (changes.length === 0) return;
  const ends = changes.map(({ status, status_ms = 0 }) =>
    status === "recalled" ? new Date(status_ms).toISOString() : null,
  );
  await sql`
    update bonus_account as own set
      status = coalesce(change.status, own.status),
      ended_at = change.ended_at,
      is_credited = own.is_credited or change.is_granted,
      bonus_micros = coalesce(change.bonus, own.bonus_micros),
      locked_micros = coalesce(change.locked, own.locked_micros),
      consumed_micros = coalesce(change.consumed, own.consumed_micros)
    from unnest(${changes.map(({ account }) => account)}::int[], ${changes.map(({ status }) => status ?? null)}::text[],
      ${ends}::timestamptz[], ${changes.map(({ granted }) => granted !== undefined)}::boolean[],
      ${changes.map(({ sums }) => sums?.bonus_micros ?? null)}::bigint[],
      ${changes.map(({ sums }) => sums?.locked_micros ?? null)}::bigint[],
      ${changes.map(({ sums }) => sums?.consumed_micros ?? null)}::bigint[])
      as change (account, status, ended_at, is_granted, bonus, locked, consumed)
    where own.account = change.account and own.ended_at is null`.execute(tx);
}

/** BON-15: a code whose grant was refused because of a debt can be redeemed again. */
async function writeRefused(tx: BonusTx, refused: readonly RefusedGrant[]): Promise<void> {
  if (refused.length === 0) return;
  const ids = refused.map(({ row }) => row.id);
  await sql`
    update bonus_account as own set status = 'refused', ended_at = refused.at, refusal = refused.reason
    from unnest(${ids}::bigint[], ${refused.map(({ at }) => at.toISOString())}::timestamptz[],
      ${refused.map(({ reason }) => reason)}::text[]) as refused (id, at, reason)
    where own.id = refused.id`.execute(tx);
  await sql`
    update bonus_code as code set status = 'unused', redeemed_by = null, redeemed_at = null
    from bonus_account as own
    where own.id = any(${ids}::bigint[]) and own.refusal = 'account_in_debt' and code.code_hash = own.code_hash
      and code.status = 'redeemed'`.execute(tx);
}

async function writeLineSums(tx: BonusTx, { lineSums }: BonusChanges): Promise<void> {
  if (lineSums.size === 0) return;
  await sql`
    insert into bonus_line_sum (line, amount_micros)
    select * from unnest(${[...lineSums.keys()]}::text[], ${[...lineSums.values()]}::bigint[])
    on conflict (line) do update set amount_micros = bonus_line_sum.amount_micros + excluded.amount_micros`.execute(tx);
}

/** Stores the reason of a freeze, which is in the outbox message. The engine does not get the reason. */
async function writeFreezeReasons(tx: BonusTx, answers: readonly AnsweredMessage[]): Promise<void> {
  const refs = answers.filter(isFrozen).map(({ ref }) => ref);
  if (refs.length === 0) return;
  await sql`
    update bonus_account as own set freeze_reason = message.payload ->> 'reason'
    from outbox as message
    where message.ref = any(${refs}::text[]) and own.account = (message.payload ->> 'account')::int
      and own.ended_at is null`.execute(tx);
}

async function answerRequests(
  tx: BonusTx,
  answers: readonly AnsweredMessage[],
  { lockedAfter }: BonusChanges,
  rows: readonly RunningRow[],
): Promise<void> {
  const lockedBefore = new Map(rows.map(({ account, locked_micros }) => [account, locked_micros]));
  for (const answer of answers) {
    const request = parseControlRef(answer.ref);
    if (request === undefined) continue;
    const told = answer.events.find((event) => event.kind === "bonus_state_set");
    const before = told === undefined ? undefined : lockedBefore.get(told.account);
    const locked_micros = lockedAfter.get(answer.events) ?? before ?? 0n;
    await answerRequest(tx, request, controlAnswer(answer, locked_micros), answer.at);
  }
}

/** A bonus that the engine had before this batch or got in it. The newest of an account first. */
interface RepaidRow {
  readonly id: bigint;
  readonly account: number;
  readonly is_credited: boolean;
  readonly is_running: boolean;
  consumed_micros: bigint;
}

/**
 * BON-7: which bonus a repayment belongs to: the running one if the engine had it then, else the newest that has ended. What is
 * more than that bonus has consumed was owed since earlier ones, and lowers what these have consumed. What belongs to no bonus is
 * left out, and the reconciliation reports it (BON-11).
 */
function shareOut({ amount_micros, isAfterGrant }: Repayment, rows: readonly RepaidRow[]): [RepaidRow, bigint][] {
  const shares: [RepaidRow, bigint][] = [];
  let left = BigInt(amount_micros);
  for (const row of rows) {
    if (left === 0n) break;
    if (row.is_running ? !(row.is_credited || isAfterGrant) : !row.is_credited) continue;
    const share = row.consumed_micros < left ? row.consumed_micros : left;
    if (share === 0n) continue;
    row.consumed_micros -= share;
    left -= share;
    shares.push([row, share]);
  }
  return shares;
}

/** Writes what principal gave back: the pool's lines, and what the bonuses have consumed. */
async function writeRepayments(tx: BonusTx, { repayments, accounts }: BonusChanges): Promise<void> {
  if (repayments.length === 0) return;
  const { rows } = await sql<RepaidRow>`
    select id, account, is_credited, ended_at is null as is_running, consumed_micros from bonus_account
    where account = any(${repayments.map(({ account }) => account)}::int[]) and status <> 'refused'
    order by account, id desc`.execute(tx);
  for (const row of rows) {
    // The row is as it was before this batch.
    const consumed = row.is_running ? accounts.get(row.account)?.sums?.consumed_micros : undefined;
    if (consumed !== undefined) row.consumed_micros = BigInt(consumed);
  }
  const returned = repayments.flatMap((repayment) => {
    const { account, command_number, event_index, time_ms } = repayment;
    const own = rows.filter((row) => row.account === account);
    return shareOut(repayment, own).map(([{ id: bonus_account_id }, amount_micros], at): PoolReturn => {
      // An event has one line; the shares of earlier bonuses have their command only.
      const place = { command_number, event_index: at === 0 ? event_index : null, time_ms };
      return { kind: "RECALL", bonus_account_id, account, amount_micros, ...place };
    });
  });
  await writeReturns(tx, returned);
  for (const row of rows) {
    const change = row.is_running ? accounts.get(row.account) : undefined;
    if (change?.sums !== undefined) change.sums = { ...change.sums, consumed_micros: Number(row.consumed_micros) };
  }
  const ended = rows.filter(({ account, is_running }) => !is_running || accounts.get(account)?.sums === undefined);
  await sql`
    update bonus_account as own set consumed_micros = repaid.consumed
    from unnest(${ended.map(({ id }) => id)}::bigint[], ${ended.map((row) => row.consumed_micros)}::bigint[])
      as repaid (id, consumed)
    where own.id = repaid.id`.execute(tx);
}

/**
 * A projection: it writes the engine's changes to the tables. A change of an account belongs to its bonus
 * that has not ended; if there is none, the reconciliation reports it (BON-11).
 */
export async function projectBonus(anyTx: Tx, { applied }: ProjectedBatch): Promise<void> {
  const changes = bonusChanges(applied);
  const answers = await answeredMessages(anyTx, applied, ASKED_KINDS);
  if (changes.accounts.size === 0 && changes.repayments.length === 0 && answers.length === 0) return;
  const tx = bonusTx(anyTx);
  const notTaken = answers.flatMap(({ ref, refused }) => (refused === undefined ? [] : (parseGrantRef(ref) ?? [])));
  const rows = await runningRows(tx, changes.accounts.keys(), notTaken);
  const refused = refusedGrants(answers, rows);
  await writePool(tx, changes, rows, refused);
  await writeRepayments(tx, changes);
  await writeFreezeReasons(tx, answers);
  await writeAccounts(tx, changes);
  await writeRefused(tx, refused);
  await writeLineSums(tx, changes);
  await answerRequests(tx, answers, changes, rows);
}
