/** How many there were at the end of each day, from how many there are now and how many came each day. */
export function runningCounts(now: number, cameEachDay: readonly number[]): readonly number[] {
  let count = now - cameEachDay.reduce((sum, came) => sum + came, 0);
  return cameEachDay.map((came) => {
    count += came;
    return count;
  });
}
