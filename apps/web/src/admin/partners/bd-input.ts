const MAX_USERNAME = 64;
const MAX_NAME = 64;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 256;

/** What the server would refuse, said while it is typed. */
export function problemOfUsername(text: string): string | undefined {
  if (text.length < 1 || text.length > MAX_USERNAME) return `Give 1 to ${MAX_USERNAME} characters.`;
  return /^[!-~]+$/.test(text) ? undefined : "Use letters, digits and signs without spaces.";
}

export function problemOfBdName(text: string): string | undefined {
  const { length } = text.trim();
  return length >= 1 && length <= MAX_NAME ? undefined : `Give 1 to ${MAX_NAME} characters.`;
}

export function problemOfPassword(text: string): string | undefined {
  if (text.length < MIN_PASSWORD) return `Give at least ${MIN_PASSWORD} characters.`;
  return text.length > MAX_PASSWORD ? `Give at most ${MAX_PASSWORD} characters.` : undefined;
}
