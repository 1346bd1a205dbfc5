import { sql } from "kysely";
import type { LoggedRequest, RebuildPart } from "../rebuild/index.ts";
import { depositRef, holdRef, readHoldSecret, settleRef } from "./projection.ts";

const [DEPOSIT, HOLD, SETTLE] = [depositRef(""), holdRef(""), settleRef("")];

/** The key of the row that a request is about, if it has that form. */
const keyOf = ({ ref }: LoggedRequest, form: string) => (ref.startsWith(form) ? ref.slice(form.length) : undefined);

/** The requests with a row of that form, with their keys. */
function withKey<Kind extends LoggedRequest["command"]["kind"]>(
  requests: readonly LoggedRequest[],
  kind: Kind,
  form: string,
) {
  return requests.flatMap((request) => {
    const key = keyOf(request, form);
    const { command, at, secret } = request;
    return key !== undefined && command.kind === kind
      ? [{ key, at: at.toISOString(), secret, command: command as Extract<typeof command, { kind: Kind }> }]
      : [];
  });
}

/** A log of rules version 3 keeps nothing private. */
const NOTHING_TOLD = { to: null, request_id: null };

const CHAIN_REF = /^chain:(0x[0-9a-f]{64}):\d+/;

/**
 * LOG-3: deposits and withdrawals as they were requested; the projection then writes the engine's answers. A withdrawal that was
 * settled is paid or given back. Block and transaction of a payment come from the Vault's events, when they are read again.
 */
export const walletPart: RebuildPart = {
  name: "deposits and withdrawals",
  tables: ["deposit", "withdrawal"],

  async restore(tx, { requests, walletOf }) {
    const deposits = withKey(requests, "deposit", DEPOSIT);
    const holds = withKey(requests, "hold_withdrawal", HOLD).map((hold) => ({
      ...hold,
      ...(hold.secret === undefined ? NOTHING_TOLD : readHoldSecret(hold.secret)),
    }));
    const settled = withKey(requests, "settle_withdrawal", SETTLE);
    let rows = 0n;
    if (deposits.length > 0) {
      const { numAffectedRows = 0n } = await sql`
        insert into deposit (ref, account, address, amount_micros, status, tx_hash, created_at, updated_at)
        select ref, account, address, amount, 'requested', tx_hash, at, at
        from unnest(${deposits.map(({ key }) => key)}::text[], ${deposits.map(({ command }) => command.account)}::int[],
          ${deposits.map(({ command }) => walletOf(command.account))}::text[],
          ${deposits.map(({ command }) => command.amount_micros)}::bigint[],
          ${deposits.map(({ key }) => CHAIN_REF.exec(key)?.[1] ?? null)}::text[],
          ${deposits.map(({ at }) => at)}::timestamptz[]) as one (ref, account, address, amount, tx_hash, at)
        on conflict (ref) do nothing`.execute(tx);
      rows += numAffectedRows;
    }
    if (holds.length > 0) {
      const { numAffectedRows = 0n } = await sql`
        insert into withdrawal (id, account, address, to_address, request_id, amount_micros, status, created_at, updated_at)
        select id, account, address, to_address, request_id, amount, 'requested', at, at
        from unnest(${holds.map(({ key }) => key)}::uuid[], ${holds.map(({ command }) => command.account)}::int[],
          ${holds.map(({ command }) => walletOf(command.account))}::text[],
          ${holds.map(({ to }) => to)}::text[], ${holds.map(({ request_id }) => request_id)}::text[],
          ${holds.map(({ command }) => command.amount_micros)}::bigint[],
          ${holds.map(({ at }) => at)}::timestamptz[]) as one (id, account, address, to_address, request_id, amount, at)
        on conflict (id) do nothing`.execute(tx);
      rows += numAffectedRows;
    }
    if (settled.length > 0) {
      // Settled in the batch in which it was held, its row still waits for the projection to say that it is held.
      const { numAffectedRows = 0n } = await sql`
        update withdrawal set settled_at = at, updated_at = at, hold_up = null,
          status = case when is_done then 'confirmed' else 'rejected' end
        from unnest(${settled.map(({ key }) => key)}::uuid[], ${settled.map(({ command }) => command.isDone)}::boolean[],
          ${settled.map(({ at }) => at)}::timestamptz[]) as one (id, is_done, at)
        where withdrawal.id = one.id and withdrawal.settled_at is null`.execute(tx);
      rows += numAffectedRows;
    }
    return Number(rows);
  },

  async moveAccounts(tx, moves) {
    await sql`
      update deposit set account = move.target
      from unnest(${moves.map(({ from }) => from)}::int[], ${moves.map(({ to }) => to)}::int[],
        ${moves.map(({ address }) => address)}::text[]) as move (source, target, address)
      where deposit.account = move.source and deposit.address = move.address`.execute(tx);
  },
};
