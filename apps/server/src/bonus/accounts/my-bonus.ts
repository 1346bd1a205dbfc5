import type { MyBonus } from "@bourse/api";
import { BONUS_STATES, bonusLocked, type Engine } from "@bourse/engine";
import { moneyText } from "../../kernel/units.ts";
import type { BonusOptions } from "../options.ts";
import { bonusDb } from "../tables.ts";

export type MyBonusOptions = Pick<BonusOptions, "database" | "exchange">;

/** An account's current bonus in the engine's memory. */
export interface LiveBonus {
  readonly status: (typeof BONUS_STATES)[number];
  readonly bonus_micros: number;
  /** At current mark prices, as a recall would compute it. */
  readonly locked_micros: number;
  readonly consumed_micros: number;
  readonly expires_ms: number;
}

export function liveBonus({ state, margin }: Engine, account: number): LiveBonus {
  const { accounts } = state;
  const bonus_micros = accounts.bonus(account);
  margin.compute(account);
  const locked = bonusLocked(bonus_micros, accounts.principal(account), margin.initial_micros);
  return {
    status: BONUS_STATES[accounts.bonusState(account)] ?? "none",
    bonus_micros,
    locked_micros: bonus_micros === 0 ? 0 : locked,
    consumed_micros: accounts.consumed(account),
    expires_ms: accounts.expires_ms(account),
  };
}

/** BON-7: a twentieth of the grant. */
const BUDGET_SHARE = 20;

/** BON-7: how fair the account's trades on the bonus were. What is owed can outlive the bonus. */
function fairnessOf({ state }: Engine, account: number): Pick<MyBonus, "slippage" | "slippage_budget" | "bonus_owed"> {
  const { slip_micros, grant_micros, owed_micros } = state.fairness.bonuses.get(account) ?? NOT_NOTED;
  return {
    slippage: moneyText(slip_micros),
    slippage_budget: moneyText(Math.floor(grant_micros / BUDGET_SHARE)),
    bonus_owed: moneyText(owed_micros),
  };
}

const NOT_NOTED = { slip_micros: 0, grant_micros: 0, owed_micros: 0 };
const NONE = moneyText(0);
const NOTHING: MyBonus = {
  status: "none",
  amount: NONE,
  bonus_free: NONE,
  bonus_locked: NONE,
  bonus_consumed: NONE,
  slippage: NONE,
  slippage_budget: NONE,
  bonus_owed: NONE,
  max_leverage: null,
  grant_tier: null,
  granted_at: null,
  expires_at: null,
};

/** WIRE-5: the wallet's newest bonus. The granted amount comes from the database, the remaining amount from the engine. */
export async function readMyBonus({ database, exchange }: MyBonusOptions, address: string): Promise<MyBonus> {
  const row = await bonusDb(database)
    .selectFrom("bonus_account")
    .select(["account", "amount_micros", "max_leverage", "grant_tier", "granted_at", "expires_at", "status"])
    .where("address", "=", address)
    .where("status", "<>", "refused")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return NOTHING;
  const live = liveBonus(exchange.engine, row.account);
  // A grant that has not reached the engine yet is not live, even if the account still shows an earlier bonus.
  const isThere = live.expires_ms === row.expires_at.getTime();
  const { bonus_micros, locked_micros, consumed_micros } = isThere
    ? live
    : { bonus_micros: 0, locked_micros: 0, consumed_micros: 0 };
  return {
    status: isThere ? live.status : (row.status as MyBonus["status"]),
    amount: moneyText(row.amount_micros),
    bonus_free: moneyText(bonus_micros - locked_micros),
    bonus_locked: moneyText(locked_micros),
    bonus_consumed: moneyText(consumed_micros),
    ...fairnessOf(exchange.engine, row.account),
    max_leverage: row.max_leverage,
    grant_tier: row.grant_tier,
    granted_at: row.granted_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
