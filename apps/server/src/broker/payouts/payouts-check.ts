import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { Check } from "../../kernel/readiness.ts";

interface State {
  readonly paying: number;
  /** The number of these that are held up, and the reason of the oldest. */
  readonly held_up: number;
  readonly reason: string | null;
}

/** RUN-7: payouts that need an admin's action. Not vital. */
export function payoutsCheck({ db }: Pick<Database, "db">): Check {
  return {
    name: "payouts",
    isVital: false,
    run: async () => {
      const { rows } = await sql<State>`
        select count(*)::int as paying, count(hold_up)::int as held_up,
          (array_agg(hold_up order by created_at) filter (where hold_up is not null))[1] as reason
        from payout_batch where status = 'paying'`.execute(db);
      const { paying = 0, held_up = 0, reason = null } = rows[0] ?? {};
      if (held_up > 0) throw new Error(`${held_up} payout batches cannot go on: ${reason}`);
      return `payout batches: ${paying} on their way`;
    },
  };
}
