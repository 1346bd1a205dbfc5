/** Beyond this many doublings every pause has reached its maximum. */
const MAX_DOUBLINGS = 30;

/** The pause after a number of consecutive failures (from 1): it doubles with each failure, up to `max`. */
export const pauseAfter = (failures: number, { first, max }: { readonly first: number; readonly max: number }) =>
  Math.min(first * 2 ** Math.min(failures - 1, MAX_DOUBLINGS), max);
