import type { Settings } from "../settings/settings.ts";

export interface BannerFacts {
  readonly settings: Settings;
  readonly database: string;
  readonly took_ms: number;
  /** The clock's lead over real time, if it was moved. */
  readonly clockLead_ms: number;
}

/** The text shown after the start: where to look, what runs, and how to sign in. */
export function bannerOf({ settings, database, took_ms, clockLead_ms }: BannerFacts): string {
  const rows: [string, string][] = [
    ["Web app", `${settings.publicUrl}/app/`],
    ["API page", `${settings.publicUrl}/docs/`],
    ["Database", database],
    [
      "Chain",
      `id ${settings.chainId}, ${settings.chainRpcUrl ? "external RPC" : `embedded, ${settings.publicUrl}/rpc`}`,
    ],
  ];
  if (clockLead_ms > 0) rows.push(["Clock", `moved ahead by ${Math.round(clockLead_ms / 1000)} s`]);
  if (settings.environment === "development") {
    rows.push(
      ["Admin", `${settings.adminUsername} / ${settings.adminPassword}`],
      ["Bonus key", settings.bonusAdminApiKey],
      ["Kept in", settings.dataDir],
    );
  }
  const body = rows.map(([name, value]) => `  ${name.padEnd(10)} ${value}`).join("\n");
  return `\n  Bourse is up (${settings.environment}, ${(took_ms / 1000).toFixed(1)} s)\n\n${body}\n`;
}
