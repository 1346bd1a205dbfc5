import { describeAccess } from "../../apps/server/src/kernel/http/access.ts";
import type { Route } from "../../apps/server/src/kernel/http/routes.ts";

const HEADER = `# Who may call what

Written by \`npm run docs\` from the routes of the server, each of which states its access where it is registered. A route accepts a bearer
token of a listed role, or the credential after "or". Routes of \`/fapi\` have a weight; those with a reserve may exceed the budget by a fifth.
`;
const OTHER = "Pages, health and documentation";

const tagOf = ({ schema }: Route): string => schema.tags?.[0] ?? OTHER;
const weightOf = ({ weight, reserve }: Route["access"]): string => {
  if (reserve === undefined) return weight === undefined ? "" : String(weight);
  return `${weight}, reserve${reserve === "all" ? "" : " for reducing orders"}`;
};

/** The routes without the prefix of their version, which the description leaves out. */
function aliasesOf(routes: readonly Route[]): ReadonlySet<string> {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const hasLonger = ({ method, path }: Route) => known.has(`${method} /api/v1${path}`);
  return new Set(routes.filter(hasLonger).map(({ method, path }) => `${method} ${path}`));
}

/** The page `docs/access.md`. */
export function accessAsMarkdown(routes: readonly Route[]): string {
  const aliases = aliasesOf(routes);
  const sections = new Map<string, string[]>();
  for (const route of routes) {
    const { method, path, access, client } = route;
    if (aliases.has(`${method} ${path}`)) continue;
    const alias = path.replace("/api/v1", "");
    const also = alias !== path && aliases.has(`${method} ${alias}`) ? `, also \`${alias}\`` : "";
    const methods = client.map((one) => `\`${one}\``).join(", ");
    const row = `| \`${method} ${path}\`${also} | ${describeAccess(access)} | ${weightOf(access)} | ${methods} |`;
    sections.set(tagOf(route), [...(sections.get(tagOf(route)) ?? []), row]);
  }
  const pages = [...sections].map(
    ([tag, rows]) =>
      `## ${tag}\n\n| Route | Open to | Weight | Method of the client |\n|---|---|---|---|\n${rows.join("\n")}\n`,
  );
  return [HEADER, ...pages].join("\n");
}
