/** Controls, halves of characters, line breaks, and marks that turn the direction of the text around them. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** A text for people without the spaces around it; undefined where there is nothing to see, too much, or it plays tricks. */
export function plainText(text: string, most_chars: number): string | undefined {
  const trimmed = text.trim();
  const isPlain = trimmed !== "" && [...trimmed].length <= most_chars && !UNPRINTABLE.test(trimmed);
  return isPlain ? trimmed : undefined;
}
