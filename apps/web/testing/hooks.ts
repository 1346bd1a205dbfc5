import { readFileSync } from "node:fs";
import type { LoadFnOutput, LoadHookContext } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

const STYLES = /\.css$/;
const PICTURES = /\.(?:svg|png|jpe?g|webp|avif|woff2)$/;

const moduleOf = (source: string): LoadFnOutput => ({ format: "module", source, shortCircuit: true });

function fromTsx(path: string): LoadFnOutput {
  const options = { jsx: { runtime: "automatic" }, sourcemap: true } as const;
  const { code, map, errors } = transformSync(path, readFileSync(path, "utf8"), options);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
  const encodedMap = Buffer.from(JSON.stringify(map)).toString("base64");
  return moduleOf(`${code}\n//# sourceMappingURL=data:application/json;base64,${encodedMap}\n`);
}

/**
 * Lets Node load what the bundler would: components, and the styles and pictures they import, of which a test without a
 * screen needs only the name. Node itself loads plain TypeScript.
 */
export function load<T extends LoadFnOutput | Promise<LoadFnOutput>>(
  url: string,
  context: LoadHookContext,
  nextLoad: (url: string, context: LoadHookContext) => T,
): T | LoadFnOutput {
  if (!url.startsWith("file:")) return nextLoad(url, context);
  const { pathname } = new URL(url);
  if (pathname.endsWith(".tsx")) return fromTsx(fileURLToPath(new URL(pathname, url)));
  if (STYLES.test(pathname)) return moduleOf("");
  if (PICTURES.test(pathname)) return moduleOf(`export default ${JSON.stringify(pathname.split("/").at(-1))};`);
  return nextLoad(url, context);
}
