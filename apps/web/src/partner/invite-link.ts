/** What a partner shares: the app's front door with the code, which leads to the page that binds. */
export const inviteLink = (code: string, origin = location.origin): string =>
  `${origin}/app/?ref=${encodeURIComponent(code)}`;
