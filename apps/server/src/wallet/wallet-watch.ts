import { sql } from "kysely";
import type { Database } from "../kernel/database/database.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Check } from "../kernel/readiness.ts";

/** Withdrawals and deposits that need attention or are in progress. */
interface WalletState {
  readonly requested: number;
  readonly held: number;
  readonly sent: number;
  readonly in_review: number;
  /** The number of held withdrawals that cannot be sent now, and the reason of the oldest. */
  readonly held_up: number;
  readonly reason: string | null;
  /** Credited deposits whose blocks are no longer part of the chain. */
  readonly orphaned: number;
  /** Deposits in the Vault that the engine refused. */
  readonly refused: number;
}

async function readState({ db }: Pick<Database, "db">): Promise<WalletState> {
  const { rows } = await sql<Record<keyof WalletState, bigint> & { reason: string | null }>`
    select
      (select count(*) from withdrawal where status = 'requested') as requested,
      (select count(*) from withdrawal where status = 'held') as held,
      (select count(*) from withdrawal where status = 'sent') as sent,
      (select count(*) from withdrawal where status = 'in_review') as in_review,
      (select count(*) from withdrawal where hold_up is not null) as held_up,
      (select hold_up from withdrawal where hold_up is not null order by created_at limit 1) as reason,
      (select count(*) from deposit where orphaned_at is not null) as orphaned,
      (select count(*) from deposit where status = 'refused') as refused`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the database says nothing of deposits and withdrawals");
  const { reason, ...counts } = row;
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]));
  return { ...(numbers as unknown as Omit<WalletState, "reason">), reason };
}

/** RUN-7: money that needs an operator's attention. Not vital. */
export function walletCheck(database: Pick<Database, "db">): Check {
  return {
    name: "wallet",
    isVital: false,
    run: async () => {
      const { requested, held, sent, in_review, held_up, reason, orphaned, refused } = await readState(database);
      const problems = [
        ...(held_up > 0 ? [`${held_up} withdrawals cannot go on: ${reason}`] : []),
        ...(orphaned > 0 ? [`${orphaned} deposits are no longer on the chain`] : []),
        ...(refused > 0 ? [`${refused} deposits were refused by the engine`] : []),
      ];
      if (problems.length > 0) throw new Error(problems.join("; "));
      const reviews = in_review === 0 ? "" : `, ${in_review} in review`;
      return `withdrawals: ${requested + held} to be sent, ${sent} on their way${reviews}`;
    },
  };
}

export function watchWallet(metrics: Metrics, database: Pick<Database, "db">): void {
  const read = async (): Promise<WalletState | undefined> => await readState(database).catch(() => undefined);
  const { gauge, gauges } = metrics;
  gauges("bourse_withdrawals_open", "Withdrawals that have not ended, by state", ["state"], async () => {
    const state = await read();
    if (state === undefined) return [];
    return (["requested", "held", "in_review", "sent"] as const).map((name) => ({
      labels: { state: name },
      value: state[name],
    }));
  });
  gauge("bourse_withdrawals_held_up", "Withdrawals that cannot go on; NaN without database", async () => {
    return (await read())?.held_up ?? Number.NaN;
  });
  gauge("bourse_deposits_orphaned", "Deposits that are no longer on the chain; NaN without database", async () => {
    return (await read())?.orphaned ?? Number.NaN;
  });
  gauge("bourse_deposits_refused", "Deposits that the engine has refused; NaN without database", async () => {
    return (await read())?.refused ?? Number.NaN;
  });
}
