import type { Switches as SwitchStates } from "@bourse/api";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Db, Tx } from "../kernel/database/database.ts";
import type { Actor } from "../kernel/http/callers.ts";

const KEY = "switch.withdrawals_paused";

export interface SwitchesOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  /** WITHDRAWALS_PAUSED: overrides the switch. */
  readonly pausedBySetting: boolean;
}

/** VLT-1: the switches that an operator can change at run time. Stored in the database, so that every process sees them. */
export class Switches {
  readonly #options: SwitchesOptions;

  constructor(options: SwitchesOptions) {
    this.#options = options;
  }

  async read(db: Db | Tx = this.#options.database.db): Promise<SwitchStates> {
    const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
    return this.#states(row?.value === true);
  }

  async setWithdrawalsPaused(isPaused: boolean, actor: Actor, reason?: string): Promise<SwitchStates> {
    const { database, clock, audit } = this.#options;
    return database.db.transaction().execute(async (tx) => {
      const before = await this.read(tx);
      const value = JSON.stringify(isPaused);
      const updated_at = new Date(clock.now());
      await tx
        .insertInto("kernel_state")
        .values({ key: KEY, value, updated_at })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
        .execute();
      await audit.append(tx, {
        ...actor,
        reason,
        action: "switch.withdrawals",
        target: "withdrawals",
        before: { paused: before.withdrawals_paused_by_switch },
        after: { paused: isPaused },
      });
      return this.#states(isPaused);
    });
  }

  #states(bySwitch: boolean): SwitchStates {
    const bySetting = this.#options.pausedBySetting;
    return {
      withdrawals_paused: bySwitch || bySetting,
      withdrawals_paused_by_switch: bySwitch,
      withdrawals_paused_by_setting: bySetting,
    };
  }
}
