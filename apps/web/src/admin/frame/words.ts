/** "1 KOL", "7 KOLs". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${count === 1 ? one : many}`;
