/** For tests: a listener that counts its calls. */
import { type Kysely, sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { Migrations } from "../../kernel/database/migrations.ts";
import type { ChainEvent, ChainListener } from "./listener.ts";

export const notedMigrations: Migrations = {
  "9000_noted": {
    up: async (db) => {
      await sql`create table noted (place serial primary key, name text not null, tx_hash text not null,
        ordinal int not null, block_number bigint not null, amount numeric, unique (name, tx_hash, ordinal))`.execute(
        db,
      );
    },
  },
};

export interface Noted {
  readonly name: string;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly block_number: bigint;
  readonly amount: string | null;
}

export async function notedEvents(db: Kysely<never>): Promise<Noted[]> {
  const columns = sql`name, tx_hash, ordinal, block_number, amount::text as amount`;
  const { rows } = await sql<Noted>`select ${columns} from noted order by place`.execute(db);
  return rows;
}

const amountOf = (event: ChainEvent): string | null =>
  "amount" in event.args && typeof event.args.amount === "bigint" ? String(event.args.amount) : null;

/** Records every event of the Vault; an event that is applied twice, or undone without having been applied, is an error. */
export class NotingListener implements ChainListener {
  readonly name = "noting";
  /** Called within every transaction; an error it throws aborts the transaction. */
  onWrite: () => void = () => undefined;

  async apply(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    for (const event of events.filter(({ contract }) => contract === "vault")) {
      const { name, transactionHash, ordinal, blockNumber } = event;
      await sql`insert into noted (name, tx_hash, ordinal, block_number, amount)
        values (${name}, ${transactionHash}, ${ordinal}, ${blockNumber}, ${amountOf(event)})`.execute(tx);
      this.onWrite();
    }
  }

  async undo(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    let previous = Number.POSITIVE_INFINITY;
    for (const event of events) {
      const order = event.blockNumber * 1_000_000 + event.logIndex;
      if (order >= previous) throw new Error("events are taken back in another order than newest first");
      previous = order;
      if (event.contract !== "vault") continue;
      const { name, transactionHash, ordinal } = event;
      const { numAffectedRows } = await sql`delete from noted
        where name = ${name} and tx_hash = ${transactionHash} and ordinal = ${ordinal}`.execute(tx);
      if (numAffectedRows !== 1n) throw new Error(`${name} ${transactionHash} is taken back but was not applied`);
      this.onWrite();
    }
  }
}
