/** The link that a partner shares. It opens the page that joins by the code. */
export const inviteLink = (code: string, origin = location.origin): string =>
  `${origin}/app/?ref=${encodeURIComponent(code)}`;
