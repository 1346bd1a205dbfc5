export interface Fees {
  readonly maxFee_wei: bigint;
  readonly maxPriorityFee_wei: bigint;
}

const higher = (a: bigint, b: bigint) => (a > b ? a : b);

/** A quarter more, rounded up: nodes accept a replacement only if it offers at least a tenth more. */
const aQuarterMore = (fee_wei: bigint) => fee_wei + (fee_wei + 3n) / 4n;

/** The next fees of a stuck transaction: more than before, and at least what the chain asks now. */
export function raisedFees(offered: Fees, asked: Fees): Fees {
  return {
    maxFee_wei: higher(aQuarterMore(offered.maxFee_wei), asked.maxFee_wei),
    maxPriorityFee_wei: higher(aQuarterMore(offered.maxPriorityFee_wei), asked.maxPriorityFee_wei),
  };
}

/**
 * The need may grow until the call is mined. The Vault notes its totals once a second: an estimate in the second of another
 * deposit or payment lacks the new entries that the call makes if it is mined later.
 */
const NEW_ENTRIES_gas = 50_000n;

/** A fifth more than estimated, rounded up, and what new entries cost. What is not used is not paid. */
export const gasLimitFor = (estimated: bigint): bigint => estimated + (estimated + 4n) / 5n + NEW_ENTRIES_gas;
