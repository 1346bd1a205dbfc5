/** How book and trades share their place. */
export type Arrangement = "tabs" | "stack" | "columns";

const STACK_FROM_HEIGHT = 620;
const COLUMNS_FROM_WIDTH = 520;

/** Side by side where it is wide, one below the other where it is high, else one at a time. */
export function arrangementOf(width: number, height: number): Arrangement {
  if (width >= COLUMNS_FROM_WIDTH) return "columns";
  return height >= STACK_FROM_HEIGHT ? "stack" : "tabs";
}
