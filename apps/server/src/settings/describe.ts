import { type Definition, definitions } from "./definitions.ts";

interface Row {
  readonly env: string;
  readonly shape: string;
  readonly fallback: string;
  readonly about: string;
}

function shownFallback(definition: Definition<unknown>): string {
  if (definition.fallbackShown !== undefined) return definition.fallbackShown;
  if (definition.isSecret) return "random in development";
  if (definition.isOptional) return "unset";
  return String(definition.fallback);
}

function rows(): Row[] {
  return (Object.values(definitions) as Definition<unknown>[]).map((definition) => ({
    env: definition.env,
    shape: definition.kind.shape,
    fallback: shownFallback(definition) + (definition.requiredInProduction ? "; required in production" : ""),
    about:
      definition.about + (definition.awaits ? ` Only checked until ${definition.awaits} is part of this version.` : ""),
  }));
}

/** The list for `npm start -- --help`. */
export function settingsAsText(): string {
  return rows()
    .map((row) => `  ${row.env}\n      ${row.about}\n      ${row.shape}; default: ${row.fallback}`)
    .join("\n");
}

/** The table of docs/settings.md. */
export function settingsAsMarkdown(): string {
  const lines = rows().map((row) => `| \`${row.env}\` | ${row.shape} | ${row.fallback} | ${row.about} |`);
  return [
    "# Settings",
    "",
    "Every setting is an environment variable. This page is written by `npm run docs` from",
    "`apps/server/src/settings/definitions.ts`; `npm start -- --help` prints the same list.",
    "",
    "| Name | Value | Default | What it is for |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
