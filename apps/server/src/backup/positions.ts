import { sql } from "kysely";
import type { Db } from "../kernel/database/database.ts";
import { readEdge } from "../kernel/outbox/edge.ts";

/** How far a database has seen the log and the chain, at one instant. */
export interface Positions {
  /** The projector's cursor. */
  readonly command_number: number;
  /** The last number given to an outbox message: the engine cannot know a later one yet. */
  readonly outbox_number: number;
  readonly accounts: number;
  /** Of what is marked as delivered and will not be sent again: the last number, and the last account. */
  readonly deliveredNumber: number;
  readonly deliveredAccount: number;
  readonly chain_block: number | null;
}

/** Until rules version 4 the log had no numbers of these, so the engine's last number may be before theirs. */
const OPENINGS = ["open_account", "add_market", "set_market_status"];

export async function readPositions(db: Db): Promise<Positions> {
  // LOG-8: what was pruned was delivered. Rows are pruned by rules whose numbers count openings too.
  const pruned = await readEdge(db);
  const { rows } = await sql<Record<string, bigint | null>>`
    select
      (select command_number from exchange_cursor where name = 'projector') as command_number,
      (select (value #>> '{}')::bigint from kernel_state where key = 'outbox.last_dispatch_seq') as outbox_number,
      (select max(account)::bigint from exchange_account) as accounts,
      (select max(dispatch_seq) from outbox
        where delivered_at is not null and payload ->> 'kind' <> all(${OPENINGS}::text[])) as delivered_number,
      (select max((payload ->> 'account')::bigint) from outbox
        where delivered_at is not null and payload ->> 'kind' = 'open_account') as delivered_account,
      (select max(block_number) from chain_cursor) as chain_block`.execute(db);
  const row = rows[0] ?? {};
  const number = (name: string) => Number(row[name] ?? 0);
  return {
    command_number: number("command_number"),
    outbox_number: number("outbox_number"),
    accounts: number("accounts"),
    deliveredNumber: Math.max(number("delivered_number"), pruned.number),
    deliveredAccount: number("delivered_account"),
    chain_block: row["chain_block"] == null ? null : number("chain_block"),
  };
}
