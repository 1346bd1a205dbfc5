import { type Logger, pino } from "pino";

export type Log = Logger;

/** JSON lines on standard error, so that standard output stays free for the banner. Secrets are removed. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ["*.password", "*.secret", "*.api_secret", "*.signature", "*.access_token", "*.refresh_token"],
        censor: "[hidden]",
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
