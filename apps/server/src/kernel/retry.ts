/** More doublings lead beyond any pause that somebody would wait. */
const MAX_DOUBLINGS = 30;

/** How long to pause after so many failures in a row, from 1 on: each time twice as long, up to the most. */
export const pauseAfter = (failures: number, { first, most }: { readonly first: number; readonly most: number }) =>
  Math.min(first * 2 ** Math.min(failures - 1, MAX_DOUBLINGS), most);
