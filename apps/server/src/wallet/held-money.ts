import { type Engine, withdrawable } from "@bourse/engine";

/** What of an account's own money cannot be withdrawn because of fair prices, and what of it is free. */
export interface HeldMoney {
  /** Free of margin, held gains included. */
  readonly free_micros: number;
  /** VLT-3. */
  readonly gains: readonly { readonly amount_micros: number; readonly until_ms: number }[];
  /** BON-7. */
  readonly owed_micros: number;
}

const HOUR_ms = 3_600_000;
/** VLT-3: the gains of an hour are free 72 full hours after its end. */
const GAINS_held_hours = 73;

const NOTHING: HeldMoney = { free_micros: 0, gains: [], owed_micros: 0 };

export function heldMoneyOf({ state, margin }: Pick<Engine, "state" | "margin">, account: number): HeldMoney {
  const { accounts, fairness } = state;
  if (!accounts.isAccount(account)) return NOTHING;
  margin.compute(account);
  const owed_micros = fairness.owedOf(account);
  const free = withdrawable(
    accounts.principal(account),
    accounts.bonus(account),
    margin.unrealised_micros,
    margin.initial_micros,
  );
  const gains = (fairness.held.get(account) ?? []).map(({ hour, micros }) => ({
    amount_micros: micros,
    until_ms: (hour + GAINS_held_hours) * HOUR_ms,
  }));
  return { free_micros: Math.max(0, free - owed_micros), gains, owed_micros };
}
