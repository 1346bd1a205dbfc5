export interface Fees {
  readonly maxFee_wei: bigint;
  readonly maxPriorityFee_wei: bigint;
}

const higher = (a: bigint, b: bigint) => (a > b ? a : b);

/** A quarter more, rounded up: nodes take a replacement only when it offers at least a tenth more. */
const aQuarterMore = (fee_wei: bigint) => fee_wei + (fee_wei + 3n) / 4n;

/** What a stuck transaction offers next: more than it did, and no less than what the chain asks now. */
export function raisedFees(offered: Fees, asked: Fees): Fees {
  return {
    maxFee_wei: higher(aQuarterMore(offered.maxFee_wei), asked.maxFee_wei),
    maxPriorityFee_wei: higher(aQuarterMore(offered.maxPriorityFee_wei), asked.maxPriorityFee_wei),
  };
}

/** A fifth more than estimated, rounded up: what a call needs may grow until it is mined. */
export const gasLimitFor = (estimated: bigint): bigint => estimated + (estimated + 4n) / 5n;
