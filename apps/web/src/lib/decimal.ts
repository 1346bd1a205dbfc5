import { Decimal } from "@bourse/money";

export { Decimal };

/** What was typed, if it is a plain decimal number; commas between digits are allowed. */
export function parseTyped(text: string): Decimal | undefined {
  const plain = text.trim().replaceAll(",", "");
  if (!/^(\d+\.?\d*|\.\d+)$/.test(plain) || plain.length > 40) return undefined;
  return Decimal.parse(plain.startsWith(".") ? `0${plain}` : plain.endsWith(".") ? plain.slice(0, -1) : plain);
}

export const sum = (texts: readonly string[]): Decimal =>
  texts.reduce((total, text) => total.add(Decimal.parse(text)), Decimal.ZERO);

/** The part of `whole` that `part` is, as a number from 0 to 1 for drawing only. */
export function fractionForDrawing(part: string, whole: string): number {
  const of = Decimal.parse(whole);
  if (of.isZero()) return 0;
  const fraction = Number(Decimal.parse(part).div(of, 6, "halfUp").toString());
  return Math.min(1, Math.max(0, fraction));
}
