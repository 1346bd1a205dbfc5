/** Control characters, half surrogate pairs, line breaks, and marks that change the direction of the text around them. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** A text for people without surrounding spaces; undefined if it is empty, too long, or contains such characters. */
export function plainText(text: string, most_chars: number): string | undefined {
  const trimmed = text.trim();
  const isPlain = trimmed !== "" && [...trimmed].length <= most_chars && !UNPRINTABLE.test(trimmed);
  return isPlain ? trimmed : undefined;
}
