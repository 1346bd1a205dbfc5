import { BONUS_STATES, type Engine } from "@bourse/engine";

/** The bonuses of the engine's accounts at one moment. */
export interface EngineShadow {
  /** The last command that the shadow contains. */
  readonly command_number: number;
  /** Accounts that have or had a bonus. For each: the remaining amount, and the consumed amount of the latest bonus. */
  readonly accounts: readonly number[];
  readonly held_micros: readonly number[];
}

/** Copies the state synchronously, so that it is of one command. */
export function takeShadow({ state }: Engine): EngineShadow {
  const { accounts } = state;
  const numbers: number[] = [];
  const held_micros: number[] = [];
  for (let account = 1; account <= accounts.count; account += 1) {
    const held = accounts.bonus(account) + accounts.consumed(account);
    if (held === 0 && BONUS_STATES[accounts.bonusState(account)] === "none") continue;
    numbers.push(account);
    held_micros.push(held);
  }
  return { command_number: state.commandNumber, accounts: numbers, held_micros };
}

/** VLT-2: the consumed amount of all bonuses ever granted. */
export function consumedInAll_micros({ state }: Engine): bigint {
  const { accounts, totals } = state;
  let left = 0n;
  for (let account = 1; account <= accounts.count; account += 1) left += BigInt(accounts.bonus(account));
  return totals.granted_micros - totals.returned_micros - left;
}
