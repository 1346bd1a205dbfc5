const MOST_USERNAME = 64;
const MOST_NAME = 64;
const LEAST_PASSWORD = 8;
const MOST_PASSWORD = 256;

/** What the server would refuse, said while it is typed. */
export function problemOfUsername(text: string): string | undefined {
  if (text.length < 1 || text.length > MOST_USERNAME) return `Give 1 to ${MOST_USERNAME} characters.`;
  return /^[!-~]+$/.test(text) ? undefined : "Use letters, digits and signs without spaces.";
}

export function problemOfBdName(text: string): string | undefined {
  const { length } = text.trim();
  return length >= 1 && length <= MOST_NAME ? undefined : `Give 1 to ${MOST_NAME} characters.`;
}

export function problemOfPassword(text: string): string | undefined {
  if (text.length < LEAST_PASSWORD) return `Give at least ${LEAST_PASSWORD} characters.`;
  return text.length > MOST_PASSWORD ? `Give at most ${MOST_PASSWORD} characters.` : undefined;
}
