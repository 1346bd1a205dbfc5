import type { State } from "../state/state.ts";
import type { Findings } from "./findings.ts";

/** All in micros; the fund is among the accounts. */
export interface AuditSums {
  /** Of all accounts and the fund, isolated margin included. */
  readonly principal: bigint;
  readonly bonus: bigint;
  readonly cost: bigint;
  readonly inFlight: bigint;
  readonly feeAccount: bigint;
  /** INV-1, left side: what the exchange holds. */
  readonly held: bigint;
  /** INV-1, right side: what came into the exchange less what left it. */
  readonly brought: bigint;
  /** INV-3: what costs have consumed of all grants so far. */
  readonly consumed: bigint;
  /** INV-2: by market, signed. */
  readonly lots: readonly bigint[];
  /** By market: the lots of all long positions. */
  readonly longLots: readonly bigint[];
}

export function sumUp(state: State): AuditSums {
  const { accounts, positions, totals } = state;
  let principal = 0n;
  let bonus = 0n;
  let inFlight = 0n;
  for (let account = 0; account <= accounts.count; account += 1) {
    principal += BigInt(accounts.principal(account));
    bonus += BigInt(accounts.bonus(account));
    inFlight += BigInt(accounts.inFlight(account));
  }
  let cost = 0n;
  const lots = state.markets.map(() => 0n);
  const longLots = state.markets.map(() => 0n);
  for (let position = 1; position <= positions.count; position += 1) {
    const market = positions.market(position);
    const held = BigInt(positions.lots(position));
    principal += BigInt(positions.isolated(position));
    cost += BigInt(positions.cost(position));
    lots[market]! += held;
    if (held > 0n) longLots[market]! += held;
  }
  const feeAccount = BigInt(totals.feeAccount_micros);
  const granted = totals.granted_micros - totals.returned_micros;
  const deposited = totals.deposits_micros - totals.withdrawals_micros;
  return {
    principal,
    bonus,
    cost,
    inFlight,
    feeAccount,
    held: principal + bonus - cost + feeAccount + inFlight,
    brought: deposited - totals.payouts_micros + totals.seeds_micros + granted,
    consumed: granted - bonus,
    lots,
    longLots,
  };
}

/** Section 1 of the rules: the largest amount inside the exchange. */
const MAX_INSIDE_micros = 4n * 10n ** 15n;

export function checkSums(state: State, sums: AuditSums, { problems }: Findings): void {
  if (sums.held !== sums.brought) {
    problems.push(`INV-1: ${sums.held} micros are held, ${sums.brought} were brought in`);
  }
  if (sums.brought > MAX_INSIDE_micros) problems.push(`${sums.brought} micros are inside the exchange`);
  for (const { number, openInterestLots, definition } of state.markets) {
    if (sums.lots[number] !== 0n)
      problems.push(`INV-2: the lots of ${definition.symbol} add up to ${sums.lots[number]}`);
    if (sums.longLots[number] !== BigInt(openInterestLots)) {
      problems.push(
        `${definition.symbol} counts an open interest of ${openInterestLots}, its longs hold ${sums.longLots[number]}`,
      );
    }
  }
  checkConsumed(state, sums, problems);
  for (const [name, micros] of Object.entries(state.totals)) {
    if (micros < 0n) problems.push(`the total ${name} is ${micros}`);
  }
  if (!isAmount(state.totals.feeAccount_micros)) problems.push(`the fee account holds ${sums.feeAccount}`);
}

/**
 * INV-3: what was granted and was neither returned nor is still held has been consumed. An account keeps the consumed
 * amount of its latest grant only, so the accounts' sum can be less than the total, never more.
 */
function checkConsumed({ accounts }: State, { consumed }: AuditSums, problems: string[]): void {
  let latest = 0n;
  for (let account = 1; account <= accounts.count; account += 1) latest += BigInt(accounts.consumed(account));
  if (latest > consumed) {
    problems.push(`INV-3: ${latest} micros are noted as consumed, all grants lost only ${consumed}`);
  }
}

export function isAmount(micros: number): boolean {
  return Number.isSafeInteger(micros) && micros >= 0;
}
